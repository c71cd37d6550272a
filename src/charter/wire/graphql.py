"""GraphQL over HTTP: what a document declares and uses, read without its schema, and what an answer says.

Not here: whether a document is valid. Only the vendor's schema can tell.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, cast

from pydantic import BaseModel

from charter.errors import DeclarationError
from charter.fields import FieldPlan
from charter.plan import Plan
from charter.shapes import JsonScalar
from charter.wire.envelope import Envelope, Paths, Verdict, find_path, list_paths
from charter.wire.reasons import read_reason

__all__ = ["Document", "GraphQLEnvelope", "Variable", "check_variables", "read_document"]

OperationKind = Literal["query", "mutation"]

CREDENTIAL_CODES = frozenset({"AUTHENTICATION_ERROR", "UNAUTHENTICATED"})
"""`extensions.code` of errors that mean bad credentials, by the servers in common use."""
MUTATION_FLAGS = ("data.*.success",)
"""Where a mutation's result says, by the custom of many servers, that it succeeded."""
MUTATION_ERRORS = ("data.*.userErrors", "data.*.errors")
_TOLD_ERRORS = 5
_TOKEN = re.compile(
    r'#[^\r\n]*|[\s,\ufeff]+|(?P<token>"""(?:\\"""|(?!""").)*"""|"(?:\\.|[^"\\\r\n])*"|\.\.\.'
    r"|[A-Za-z_][A-Za-z0-9_]*|-?[0-9][0-9.eE+-]*|[$!()\[\]{}:=@|&])|(?P<wrong>.)",
    re.DOTALL,
)
_SCALARS: Mapping[str, frozenset[JsonScalar]] = {
    "Int": frozenset({"number"}),
    "Float": frozenset({"number"}),
    "Boolean": frozenset({"boolean"}),
    "String": frozenset({"text"}),
    "ID": frozenset({"text", "number"}),
}


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable as its document declares it."""

    name: str
    type: str
    has_default: bool = False

    @property
    def is_required(self) -> bool:
        """Whether a request must give it."""
        return self.type.endswith("!") and not self.has_default


@dataclass(frozen=True, slots=True)
class Document:
    """The one operation of a document."""

    text: str
    kind: OperationKind
    name: str
    variables: Mapping[str, Variable]
    used: frozenset[str]
    """Names of the variables that it uses anywhere, also in fragments."""
    roots: tuple[str, ...]
    """Under which names the results come; `...` for what a fragment at the top adds."""

    @property
    def root(self) -> str | None:
        """The name of the result when there is one alone."""
        return self.roots[0] if len(self.roots) == 1 and self.roots[0] != "..." else None

    @property
    def body(self) -> dict[str, str]:
        """What every request says beside the variables."""
        return {"query": self.text} | ({"operationName": self.name} if self.name else {})


def read_document(text: str, where: str) -> Document:
    """Read a GraphQL document of one query or mutation, with any fragments.

    >>> read_document("query Team($id: String!) { team(id: $id) { name } }", "TeamGet").variables
    {'id': Variable(name='id', type='String!', has_default=False)}

    Raises:
        DeclarationError: it cannot be read, or holds not exactly one operation.
    """
    return _Reader(text, where).read()


def check_variables(document: Document, plan: Plan, args: type[BaseModel]) -> None:
    """Check that the args class and the document's variables are the same, as far as that needs no schema.

    Raises:
        DeclarationError: a variable without a field, a field without a variable, or one that cannot fit the other.
    """
    name = args.__name__
    for used in sorted(document.used - document.variables.keys()):
        raise DeclarationError(f"{name}: the document uses ${used} but does not declare it. Declare it.")
    for variable in document.variables.values():
        if variable.name not in document.used:
            raise DeclarationError(
                f"{name}: the document declares ${variable.name} but does not use it. Remove it."
            )
    fields = {placed.field.wire: placed.field for placed in plan.at("body")}
    for missing in document.variables.keys() - fields.keys():
        raise DeclarationError(f"{name}: no field is the document's variable ${missing}. Add the field.")
    for wire, field in fields.items():
        if wire not in document.variables:
            raise DeclarationError(
                f"{name}.{field.name}: the document declares no ${wire}. Declare it, or remove the field."
            )
        _check_fit(document.variables[wire], field, f"{name}.{field.name}")


def _check_fit(variable: Variable, field: FieldPlan, where: str) -> None:
    if variable.is_required and not (field.is_required or field.is_constant):
        raise DeclarationError(
            f"{where}: may be left out, but the document needs ${variable.name}: {variable.type}. "
            "Make the field required, or the variable optional."
        )
    if field.is_clearable and variable.type.endswith("!"):
        raise DeclarationError(
            f"{where}: is Clearable, but ${variable.name}: {variable.type} takes no null. Drop the ! or Clearable()."
        )
    bare = variable.type.rstrip("!")
    wanted, shape = _SCALARS.get(bare.strip("[]!")), field.shape
    if wanted is None or shape.format:
        return
    if shape.kind == "list" and bare.startswith("["):
        shape = shape.items[0]
    if not shape.scalars & wanted:
        raise DeclarationError(
            f"{where}: can never be the document's ${variable.name}: {variable.type}. Change one of the two types."
        )


class _Reader:
    """Reads the tokens of a document once, from left to right."""

    def __init__(self, text: str, where: str) -> None:
        self._text, self._where = text, where
        self._tokens = self._split(text)
        self._at = 0
        self._used: set[str] = set()

    def read(self) -> Document:
        found: list[Document] = []
        while (word := self._take()) is not None:
            if word in ("query", "mutation", "subscription", "{"):
                found.append(self._read_operation(word))
            elif word == "fragment":
                self._skip_to_selection()
                self._read_selection()
            else:
                raise self._fail(f"starts a definition with {word!r}", "Write a query or a mutation")
        if len(found) != 1:
            raise self._fail(f"holds {len(found)} operations", "Write exactly one")
        (only,) = found
        return Document(only.text, only.kind, only.name, only.variables, frozenset(self._used), only.roots)

    def _read_operation(self, word: str) -> Document:
        if word == "subscription":
            raise self._fail("is a subscription", "Write a query or a mutation")
        name, variables = "", dict[str, Variable]()
        if word != "{":
            name = self._take_if(str.isidentifier) or ""
            if self._take_if("(".__eq__):
                variables = self._read_variables()
            self._skip_to_selection()
        roots = self._read_selection()
        kind = "mutation" if word == "mutation" else "query"
        return Document(self._text, kind, name, variables, frozenset(), tuple(roots))

    def _read_variables(self) -> dict[str, Variable]:
        variables: dict[str, Variable] = {}
        while self._take_if("$".__eq__):
            name = self._need()
            if self._need() != ":":
                raise self._fail(f"gives ${name} no type", "Write $name: Type")
            written, default, depth = "", False, 0
            while (word := self._peek()) is not None and (depth or word not in ("$", ")")):
                depth += (word in ("{", "[", "(")) - (word in ("}", "]", ")"))
                default = default or word in ("=", "@")
                written += "" if default else word
                self._at += 1
            variables[name] = Variable(name, written, default)
        if self._need() != ")":
            raise self._fail("does not end its list of variables", "Close it with )")
        return variables

    def _skip_to_selection(self) -> None:
        depth = 0
        while (word := self._need()) != "{" or depth:
            depth += (word == "(") - (word == ")")
            self._note_variable(word)

    def _read_selection(self) -> list[str]:
        """Read up to the brace that closes the selection, and return the names at its top."""
        roots: list[str] = []
        braces, parentheses = 1, 0
        while braces:
            word = self._need()
            self._note_variable(word)
            braces += (word == "{") - (word == "}")
            parentheses += (word == "(") - (word == ")")
            if braces != 1 or parentheses:
                continue
            if word == "...":
                roots.append(word)
                if self._take_if(str.isidentifier) == "on":
                    self._need()
            elif word == "@":
                self._need()
            elif word.isidentifier():
                roots.append(word)
                if self._take_if(":".__eq__):
                    self._need()
        return roots

    def _note_variable(self, word: str) -> None:
        if word == "$" and (name := self._peek()):
            self._used.add(name)

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self) -> str | None:
        word = self._peek()
        self._at += 1
        return word

    def _take_if(self, fits: Any) -> str | None:
        word = self._peek()
        return self._take() if word is not None and fits(word) else None

    def _need(self) -> str:
        word = self._take()
        if word is None:
            raise self._fail("ends too soon", "Close every brace and parenthesis")
        return word

    def _split(self, text: str) -> list[str]:
        tokens: list[str] = []
        for found in _TOKEN.finditer(text):
            if found["wrong"]:
                raise self._fail(f"holds {found['wrong']!r}", "Write GraphQL")
            if found["token"]:
                tokens.append(found["token"])
        return tokens

    def _fail(self, problem: str, fix: str) -> DeclarationError:
        return DeclarationError(f"{self._where}: the GraphQL document {problem}. {fix}.")


@dataclass(frozen=True, slots=True)
class GraphQLEnvelope(Envelope):
    """What a GraphQL answer says: its result under `data`, its failures under `errors`, also beside a result.

    A result beside errors is partial: it is kept, and the errors with it. `root` is the member of `data` to return.
    `ok` and `error` say where results themselves tell of a failure.

    >>> GraphQLEnvelope(root="team").open({"data": {"team": {"name": "Core"}}}).data
    {'name': 'Core'}
    """

    judges_all: ClassVar[bool] = True

    error: Paths = ()
    ok_may_be_absent: bool = True
    root: str | None = None

    @classmethod
    def of(cls, document: Document, given: Envelope | None) -> "GraphQLEnvelope":
        """Make the envelope of one document's answers.

        `given` adds codes, where seconds to wait are, and where results tell of a failure; a mutation's do so under
        the names that are the custom.
        """
        is_mutation = document.kind == "mutation"
        given = given or Envelope(error=())
        return cls(
            ok=(*list_paths(given.ok), *(MUTATION_FLAGS if is_mutation else ())),
            success=given.success,
            error=(
                *(at for at in list_paths(given.error) if at != "errors"),
                *(MUTATION_ERRORS if is_mutation else ()),
            ),
            credential_errors=CREDENTIAL_CODES | given.credential_errors,
            retry_after=given.retry_after,
            root=document.root,
        )

    def tells(self, body: Any) -> bool:
        """Whether an answer says of itself that it failed, whatever its status."""
        return bool(find_path(body, "errors")) or Envelope.tells(self, body)

    def open(self, body: Any, date: str = "") -> Verdict:
        """Say whether the answer is a success, and what its result is."""
        if not isinstance(body, Mapping) or not ("data" in body or "errors" in body):
            told = read_reason(body)
            return Verdict(problem=f"the answer holds neither data nor errors{f': {told}' if told else ''}")
        flags, failures = self.find_flags(body), self.find_errors(body)
        if self.has_failed(flags, failures):
            return self.tell(body, flags, failures, date)
        members = cast("Mapping[str, Any]", body)
        errors, data = members.get("errors"), members.get("data")
        result = data
        if self.root and isinstance(data, Mapping):
            result = cast("Mapping[str, Any]", data).get(self.root)
        if not errors:
            return Verdict(problem="the answer holds no data") if data is None else Verdict(data=result)
        several = cast("list[Any]", errors) if isinstance(errors, list) else [errors]
        listed = [_read_error(one) for one in several]
        if result is not None and (self.root or _holds_result(result)):
            return Verdict(data={"data": result, "errors": listed})
        codes = {one.get("code") for one in listed}
        return Verdict(
            problem="; ".join(_tell(one) for one in listed[:_TOLD_ERRORS]) or "the answer says it failed",
            kind="credential" if self.credential_errors & codes else "api",
            retry_after=self.read_wait(body, date),
        )


def _holds_result(data: Any) -> bool:
    return isinstance(data, Mapping) and any(
        one is not None for one in cast("Mapping[str, Any]", data).values()
    )


def _read_error(error: Any) -> dict[str, Any]:
    """Keep what a reader can act on: the message, the vendor's sentence for people, the path and the code."""
    if not isinstance(error, Mapping):
        return {"message": str(error)}
    members = cast("Mapping[str, Any]", error)
    told = members.get("message")
    read: dict[str, Any] = {"message": told if isinstance(told, str) else "no reason given"}
    for name, path in (
        ("detail", "extensions.userPresentableMessage"),
        ("path", "path"),
        ("code", "extensions.code"),
    ):
        value = find_path(members, path)
        if value and isinstance(value, (list if name == "path" else str)) and value != read["message"]:
            read[name] = value
    return read


def _tell(error: Mapping[str, Any]) -> str:
    return f"{error['message']} ({error['detail']})" if "detail" in error else str(error["message"])
