"""The error tree: what each error carries, says, and keeps through a pickle."""

import concurrent.futures
import copy
import multiprocessing
import pickle

import pytest

from charter import errors
from charter.errors import (
    APIError,
    CharterError,
    CredentialError,
    DeclarationError,
    ModelError,
    ToolValidationError,
    TransformError,
    TransportError,
)

SAMPLES: list[CharterError] = [
    CharterError("x: went wrong.", model_text="It went wrong."),
    DeclarationError("Args.id: is no field. Add it."),
    ToolValidationError("pay: id: is missing", errors=[{"field": "id", "problem": "is missing"}]),
    TransformError("pay: at: cannot be written.", model_text="Send a date."),
    CredentialError("shop: no credentials.", provider="shop", reauthorize=True, status_code=401),
    APIError(
        "pay: 429: slow down",
        status_code=429,
        body={"error": "slow down"},
        retry_after=3.5,
        request_id="req_1",
        may_have_taken_effect=True,
        model_text="Wait.",
    ),
    TransportError("pay: timed out.", may_have_taken_effect=False),
    ModelError("run: the model failed. Ask again."),
]
SAMPLES[-1].add_run("Half an", [{"role": "user", "content": "Do it."}], ran_tools=True)
KINDS = [type(error).__name__ for error in SAMPLES]


def raise_error(error: CharterError) -> None:
    raise error


def test_the_samples_hold_every_kind() -> None:
    kinds = {
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, CharterError)
    }
    assert {type(error) for error in SAMPLES} == kinds


@pytest.mark.parametrize("error", SAMPLES, ids=KINDS)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_error_keeps_its_fields(error: CharterError, protocol: int) -> None:
    twin = pickle.loads(pickle.dumps(error, protocol))
    assert type(twin) is type(error)
    assert (str(twin), twin.args, vars(twin), twin.code) == (str(error), error.args, vars(error), error.code)
    assert twin.for_model() == error.for_model()


@pytest.mark.parametrize("error", SAMPLES, ids=KINDS)
def test_a_copied_error_keeps_its_fields(error: CharterError) -> None:
    assert vars(copy.deepcopy(error)) == vars(copy.copy(error)) == vars(error)


def test_a_note_survives_a_pickle() -> None:
    error = TransportError("pay: timed out.")
    error.add_note("while paying")
    assert pickle.loads(pickle.dumps(error)).__notes__ == ["while paying"]


def test_an_error_of_a_users_own_pickles_too() -> None:
    twin = pickle.loads(pickle.dumps(QuotaError("pay: none left.", quota=3)))
    assert (str(twin), twin.quota, twin.code) == ("pay: none left.", 3, "quota")


class QuotaError(CharterError):
    code = "quota"

    def __init__(self, message: str, *, quota: int) -> None:
        super().__init__(message)
        self.quota = quota


def test_errors_come_whole_out_of_a_spawned_process() -> None:
    spawning = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawning) as pool:
        for error in SAMPLES:
            with pytest.raises(type(error)) as raised:
                pool.submit(raise_error, error).result(timeout=60)
            assert vars(raised.value).items() >= vars(error).items()


def test_every_kind_has_a_code_of_its_own() -> None:
    assert [error.code for error in SAMPLES] == [
        "charter_error",
        "declaration_error",
        "validation_error",
        "transform_error",
        "credential_error",
        "api_error",
        "transport_error",
        "model_error",
    ]


def test_a_declaration_error_is_a_value_error() -> None:
    assert isinstance(DeclarationError("x: is wrong. Mend it."), ValueError)


def test_a_transport_error_may_have_taken_effect_unless_said_otherwise() -> None:
    assert TransportError("x").may_have_taken_effect
    unsent = (
        CharterError("x"),
        ToolValidationError("x"),
        TransformError("x"),
        CredentialError("x"),
        APIError("x"),
    )
    assert not any(error.may_have_taken_effect for error in unsent)


def test_the_model_is_told_its_own_text_or_else_the_message() -> None:
    assert CharterError("for a developer", model_text="For a model.").for_model() == "For a model."
    assert CharterError("For both.").for_model() == "For both."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("there is no such room", "there is no such room."),
        ("Gone?", "Gone?"),
        ("It says “no.”", "It says “no.”"),
        ('{"a": 1}', '{"a": 1}.'),
        ("a, b;", "a, b."),
        ("Cut…", "Cut…"),
        ("満員です。", "満員です。"),
    ],
)
def test_what_a_model_is_told_ends_as_a_sentence(text: str, told: str) -> None:
    assert CharterError(text).for_model() == told


def test_the_model_is_told_no_more_than_it_can_use() -> None:
    told = APIError("x" * 5_000_000).for_model()
    assert len(told) == 2_000
    assert told.endswith("…")


def test_problems_are_told_together_by_field() -> None:
    error = ToolValidationError.of_fields(
        "pay",
        [{"field": "items.0.price", "problem": "is missing"}, {"field": "", "problem": "give one of a, b"}],
    )
    assert str(error) == "pay: items.0.price: is missing; give one of a, b"
    assert [problem["field"] for problem in error.errors] == ["items.0.price", ""]


def test_a_model_error_keeps_the_text_that_its_raiser_knew_better() -> None:
    error = ModelError("run: the model failed. Ask again.", content="whole")
    error.add_run("streamed", [], ran_tools=False)
    assert (error.content, error.ran_tools, error.may_have_taken_effect) == ("whole", False, False)
    assert error.for_model() == "The model's provider failed. Ask again."


def test_what_a_model_is_told_can_be_encoded() -> None:
    assert ToolValidationError("shop__\ud83d: no.").for_model() == "shop__?: no."
