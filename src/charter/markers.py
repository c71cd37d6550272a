"""What an author writes in `Annotated[...]`, or on a model, to say more than the type does.

Not here: what a marker leads to. `plan` reads them, `schema` and `wire` act on what it read.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Literal

__all__ = [
    "AllOrNone",
    "AtLeastOneOf",
    "AtMostOneOf",
    "Body",
    "Case",
    "Clearable",
    "ConflictsWith",
    "ExactlyOneOf",
    "Format",
    "Gloss",
    "Header",
    "Mode",
    "NotOnly",
    "Path",
    "Query",
    "QueryStyle",
    "RESERVED_MODES",
    "Requires",
    "Rule",
    "Unsent",
    "WireName",
    "split_words",
]

QueryStyle = Literal["repeat", "comma", "pipe", "space", "bracket", "deep", "spread"]
"""How a list or object is written in a query.

`repeat` is `a=1&a=2`, `comma` `a=1,2`, `pipe` `a=1|2`, `space` `a=1 2` (both encoded), `bracket` `a[]=1&a[]=2`, `deep`
`a[0]=1&a[k]=2`. `spread` writes the members of an object as parameters of their own: `k=2&l=3`.
"""

_WORDS = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+|[^\W\d_A-Za-z]+")


def split_words(name: str) -> list[str]:
    """Split an identifier into lower-case words; digits stay with the word before them.

    >>> split_words("maxResults2"), split_words("HTTPServer_id")
    (['max', 'results2'], ['http', 'server', 'id'])
    """
    return [word.lower() for word in _WORDS.findall(name)]


@dataclass(frozen=True, slots=True)
class Path:
    """The field fills a hole of the route. `allow_slash` lets its value span several segments."""

    allow_slash: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """The field goes into the query, in the Api's style unless one is given."""

    style: QueryStyle | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The field is sent as a header, under `name` or the field's own name in Kebab-Case."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """The field goes into the body.

    `embed` keeps a model, list or map under its name where it would, alone, become the whole body.
    `raw` is a media type: the text or bytes of the field are the body.
    """

    embed: bool = False
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class Unsent:
    """The argument is not sent: it is for the tool's own response handler, or for what it reads first."""


FormatStep = str | Callable[[Any], Any]


@dataclass(frozen=True, slots=True, init=False)
class Format:
    """How the value is written on the wire, one step after the other.

    A step is a function or one of `"base64"`, `"base64url"` (both also `"...-unpadded"`), `"base64-mime"`, `"rfc822"`,
    `"rfc3339"`, `"unix-time"`, `"unix-time-ms"`, `"field-mask"` and `"protobuf-value"`. The annotation stays what a
    person would write, and that is what the model sees.
    """

    steps: tuple[FormatStep, ...]

    def __init__(self, *steps: FormatStep) -> None:
        object.__setattr__(self, "steps", steps)


RESERVED_MODES = frozenset({"disabled", "response_only", "request_only"})
"""Labels that say for themselves who a field is for; no tool can be put into them."""


@dataclass(frozen=True, slots=True, init=False)
class Mode:
    """Who the field is for: `"disabled"` nobody, `"response_only"` the API's answers, `"request_only"` every request.

    Any other label: tools that are in that mode (`Tool.with_mode`); of several labels one is enough.
    """

    labels: tuple[str, ...]

    def __init__(self, *labels: str) -> None:
        object.__setattr__(self, "labels", labels)


@dataclass(frozen=True, slots=True)
class WireName:
    """The field's exact name on the wire, and in the schema the model sees."""

    name: str


@dataclass(frozen=True, slots=True)
class Gloss:
    """A sentence for the model beside the description: a unit, a limit, a trap."""

    text: str


@dataclass(frozen=True, slots=True)
class Clearable:
    """Null clears the field: the schema allows it, and the body carries it. Elsewhere null counts as not given.

    It stands on a type that has None, such as `Annotated[str | None, Clearable()] = None`, also within a map.
    """


class Case(StrEnum):
    """How the names of fields are spelled on the wire. On a model: `wire_case: ClassVar = Case.CAMEL`.

    >>> Case.CAMEL.spell("max_results"), Case.KEBAB.spell("max_results"), Case.PASCAL.spell("max_results")
    ('maxResults', 'max-results', 'MaxResults')
    """

    CAMEL = "camel"
    PASCAL = "pascal"
    SNAKE = "snake"
    KEBAB = "kebab"

    def spell(self, name: str) -> str:
        """Spell an identifier in this case."""
        words = split_words(name)
        match self:
            case Case.SNAKE:
                return "_".join(words)
            case Case.KEBAB:
                return "-".join(words)
            case Case.PASCAL:
                return "".join(word.capitalize() for word in words)
            case Case.CAMEL:
                return "".join([*words[:1], *(word.capitalize() for word in words[1:])])


@dataclass(frozen=True, slots=True, init=False)
class Rule:
    """A rule between the fields of one model, decided by which of them are given.

    On a model: `wire_rules: ClassVar = (ExactlyOneOf("charge", "payment_intent"),)`, by Python name.
    """

    fields: tuple[str, ...]
    counts_cleared: ClassVar[bool] = False
    """Whether a field that null clears counts as given."""
    needs_fields: ClassVar[bool] = True
    """Whether it says nothing without a field."""

    def __init__(self, *fields: str) -> None:
        object.__setattr__(self, "fields", fields)

    def problem(
        self, given: Iterable[str], wire: Callable[[str], str], cleared: Iterable[str] = ()
    ) -> str | None:
        """Say what is wrong when exactly the fields in `given` have a value, or return None.

        Those in `cleared` are given as null: that is something to send, and no value.
        """
        there = {*given, *cleared} if self.counts_cleared else set(given)
        return self._judge([name for name in self.fields if name in there], wire)

    def _judge(self, present: Sequence[str], wire: Callable[[str], str]) -> str | None:
        raise NotImplementedError

    def _names(self, wire: Callable[[str], str]) -> str:
        return ", ".join(filter(None, map(wire, self.fields)))


class ExactlyOneOf(Rule):
    """One of the fields is given, and no more than one."""

    __slots__ = ()

    def _judge(self, present: Sequence[str], wire: Callable[[str], str]) -> str | None:
        return None if len(present) == 1 else f"give exactly one of {self._names(wire)}"


class AtMostOneOf(Rule):
    """No more than one of the fields is given."""

    __slots__ = ()

    def _judge(self, present: Sequence[str], wire: Callable[[str], str]) -> str | None:
        return None if len(present) <= 1 else f"give at most one of {self._names(wire)}"


class AtLeastOneOf(Rule):
    """One or more of the fields are given, if only to clear them."""

    __slots__ = ()
    counts_cleared = True

    def _judge(self, present: Sequence[str], wire: Callable[[str], str]) -> str | None:
        return None if present else f"give at least one of {self._names(wire)}"


class AllOrNone(Rule):
    """The fields are given together or not at all."""

    __slots__ = ()

    def _judge(self, present: Sequence[str], wire: Callable[[str], str]) -> str | None:
        both = len(present) in (0, len(self.fields))
        return None if both else f"give all of {self._names(wire)} or none"


class NotOnly(Rule):
    """Something beside the fields is given, if only to clear it, so that no update asks for nothing."""

    __slots__ = ()
    needs_fields = False

    def problem(
        self, given: Iterable[str], wire: Callable[[str], str], cleared: Iterable[str] = ()
    ) -> str | None:
        """Say what is wrong when nothing but the rule's fields is in `given` or `cleared`, or return None."""
        if {*given, *cleared}.difference(self.fields):
            return None
        return f"give something to change beside {self._names(wire)}" if self.fields else "give something"


class Requires(Rule):
    """The first field may only be given together with all the others."""

    __slots__ = ()

    def _judge(self, present: Sequence[str], wire: Callable[[str], str]) -> str | None:
        first, *others = self.fields
        missing = [name for name in others if name not in present]
        told = ", ".join(filter(None, map(wire, missing))) or "what is withheld here"
        return f"{wire(first)} needs {told}" if first in present and missing else None


@dataclass(frozen=True, slots=True, init=False)
class ConflictsWith:
    """The field may not be given together with any of these."""

    fields: tuple[str, ...]

    def __init__(self, *fields: str) -> None:
        object.__setattr__(self, "fields", fields)
