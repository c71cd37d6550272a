"""The error tree: everything that leaves a call is one of these.

Not here: who raises them. Each layer raises its own and no other layer rewrites it.

    CharterError
    ├── DeclarationError     a tool or pack is declared in a way that cannot work (also a ValueError)
    ├── ToolValidationError  the arguments do not satisfy the schema; nothing was sent
    ├── TransformError       a Format could not encode a value; nothing was sent
    ├── CredentialError      credentials are missing, expired or rejected
    ├── APIError             the API answered with a failure, also inside a 200
    ├── TransportError       no usable answer: connection, deadline, size, broken body
    └── ModelError           a run ended because the model's provider failed, or its stream broke off
"""

from typing import Any, ClassVar, Self, TypedDict

from charter.sanitize import defuse, escape_for_terminal

__all__ = [
    "APIError",
    "CharterError",
    "CredentialError",
    "DeclarationError",
    "DeclarationWarning",
    "FieldProblem",
    "ModelError",
    "ToolValidationError",
    "TransformError",
    "TransportError",
]

TOLD_PROBLEMS = 20
"""Problems that one error names at most."""
MODEL_TEXT_LIMIT = 2_000
"""Characters of an error that a model is shown at most."""


class FieldProblem(TypedDict):
    """One thing that is wrong with one argument."""

    field: str
    """Dotted path by wire name, such as `items.0.price`; empty for the whole."""
    problem: str


class CharterError(Exception):
    """Any failure of Charter. `str(error)` is for a developer, `for_model()` for a model.

    >>> import pickle
    >>> pickle.loads(pickle.dumps(TransportError("pay: timed out.", may_have_taken_effect=True))).code
    'transport_error'
    """

    code: ClassVar[str] = "charter_error"
    may_have_taken_effect: bool = False
    """Whether the API may have acted on the request."""

    def __init__(self, message: str, *, model_text: str | None = None) -> None:
        super().__init__(escape_for_terminal(message))  # it is printed, and may quote what an API said
        self._model_text = model_text

    def for_model(self) -> str:
        """Say in a few words on one line, without links or secrets, what failed and what to try next."""
        return as_sentence(_cut(defuse(self._model_text or str(self))))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.args, self.__dict__.copy())


class DeclarationError(CharterError, ValueError):
    """A tool, pack or session is declared in a way that cannot work."""

    code = "declaration_error"


class DeclarationWarning(UserWarning):
    """A declaration works, but not in every way that its author may expect. Told with `warnings`."""


class ToolValidationError(CharterError):
    """The arguments do not satisfy the schema. Nothing was sent."""

    code = "validation_error"

    def __init__(
        self, message: str, *, errors: list[FieldProblem] | None = None, model_text: str | None = None
    ) -> None:
        super().__init__(message, model_text=model_text)
        self.errors: list[FieldProblem] = errors or []

    @classmethod
    def of_fields(cls, tool: str, problems: list[FieldProblem]) -> Self:
        """Build one error out of every problem found, so that a model can mend all of them at once."""
        lines = [
            f"{p['field']}: {p['problem']}" if p["field"] else p["problem"] for p in problems[:TOLD_PROBLEMS]
        ]
        if len(problems) > TOLD_PROBLEMS:
            lines.append(f"and {len(problems) - TOLD_PROBLEMS} more")
        return cls(f"{tool}: " + "; ".join(lines), errors=problems[:TOLD_PROBLEMS])


class TransformError(CharterError):
    """A `Format` could not encode a value. Nothing was sent."""

    code = "transform_error"


class CredentialError(CharterError):
    """Credentials are missing, expired or rejected."""

    code = "credential_error"

    def __init__(
        self,
        message: str,
        *,
        provider: str = "",
        reauthorize: bool = False,
        status_code: int | None = None,
        model_text: str | None = None,
    ) -> None:
        super().__init__(message, model_text=model_text)
        self.provider = provider
        self.reauthorize = reauthorize
        self.status_code = status_code


class APIError(CharterError):
    """The API answered with a failure, also inside a 200."""

    code = "api_error"

    def __init__(
        self,
        message: str,
        *,
        status_code: int = 0,
        body: Any = None,
        retry_after: float | None = None,
        request_id: str | None = None,
        may_have_taken_effect: bool = False,
        model_text: str | None = None,
    ) -> None:
        super().__init__(message, model_text=model_text)
        self.status_code = status_code
        self.body = body
        self.retry_after = retry_after
        """Seconds to wait, as the server asked; uncapped."""
        self.request_id = request_id
        self.may_have_taken_effect = may_have_taken_effect


class TransportError(CharterError):
    """No usable answer: connection, deadline, size or a broken body."""

    code = "transport_error"

    def __init__(
        self, message: str, *, may_have_taken_effect: bool = True, model_text: str | None = None
    ) -> None:
        super().__init__(message, model_text=model_text)
        self.may_have_taken_effect = may_have_taken_effect


class ModelError(CharterError):
    """A run ended because the model's provider failed, or its stream ended before the answer did.

    What a client raised in the middle of a stream is the `__cause__`.
    """

    code = "model_error"

    def __init__(self, message: str, *, content: str = "") -> None:
        super().__init__(message, model_text="The model's provider failed. Ask again.")
        self.content = content
        """What there is of the last answer's text."""
        self.messages: list[Any] = []
        """The conversation without that answer: it can be sent again."""
        self.ran_tools = False
        """Whether the run made a call that may have reached an API; `may_have_taken_effect` says the same."""

    def add_run(self, content: str, messages: list[Any], *, ran_tools: bool) -> None:
        """Take in what the run had come to."""
        self.content = self.content or content
        self.messages = messages
        self.ran_tools = self.may_have_taken_effect = ran_tools


def as_sentence(text: str) -> str:
    """Return the text with an end, so that another sentence can follow.

    >>> as_sentence("there is no such room"), as_sentence("Gone?")
    ('there is no such room.', 'Gone?')
    """
    text = text.rstrip().rstrip(",;:")
    return text if text.rstrip("\"')]}»”’").endswith((".", "!", "?", "…", "。", "！", "？")) else f"{text}."


def _rebuild(cls: type[CharterError], args: tuple[Any, ...], state: dict[str, Any]) -> CharterError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _cut(text: str) -> str:
    text = text.encode(
        "utf-8", "replace"
    ).decode()  # what a model or an API wrote may hold halves of a character
    return text if len(text) <= MODEL_TEXT_LIMIT else text[: MODEL_TEXT_LIMIT - 1] + "…"
