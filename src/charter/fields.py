"""The fields of every model an args model reaches: names on the wire, shapes, markers and rules, read once and frozen.

Not here: where a field goes in a request. That depends on the route, and `plan` decides it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from enum import Enum
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel
from pydantic.errors import PydanticUndefinedAnnotation
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from charter.checking import CASE, check_kinds, or_none, read_modes
from charter.errors import DeclarationError
from charter.markers import RESERVED_MODES, AtMostOneOf, Case, ConflictsWith, Gloss, Mode, Rule, WireName
from charter.marks import check_rules, read_marks
from charter.shapes import Shape, is_optional, models_of, read_shape

__all__ = ["FieldPlan", "ModelGraph", "ModelPlan", "fold", "read_models"]

M = TypeVar("M")

ModelGraph = Mapping[type[BaseModel], "ModelPlan"]
"""Every model that an args model reaches, itself included."""


def fold(name: str) -> str:
    """Fold the common spellings of a name into one, those with a sign that some provider takes in no name included.

    >>> fold("maxResults") == fold("max_results") == fold("Max-Results")
    True
    >>> fold("filter[id]") == fold("filter_id_")
    True
    """
    return "".join(filter(str.isalnum, name)).lower()


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """One field of one model."""

    name: str
    wire: str
    annotation: Any
    """The type with all its metadata, as Pydantic would validate it alone."""
    shape: Shape
    is_required: bool
    is_nullable: bool
    default: Any
    marks: tuple[Any, ...]
    withheld: str | None
    """Why the model never sees the field, or None when it does."""

    @property
    def is_constant(self) -> bool:
        """Whether the field has one possible value, which is then always sent with its model."""
        default = self.default.value if isinstance(self.default, Enum) else self.default
        return len(self.shape.literals) == 1 and default in self.shape.literals

    @property
    def is_clearable(self) -> bool:
        """Whether null clears the field, though it may be left out."""
        return self.shape.is_clearable

    @property
    def gloss(self) -> str:
        """The sentence for the model beside the description, or an empty string."""
        mark = self.mark(Gloss)
        return mark.text if mark else ""

    def mark(self, kind: type[M]) -> M | None:
        """Return the field's marker of this kind; the last one wins."""
        found = [mark for mark in self.marks if isinstance(mark, kind)]
        return found[-1] if found else None


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """One model: its fields by Python name, the spellings it accepts and the rules between its fields."""

    model: type[BaseModel]
    fields: Mapping[str, FieldPlan]
    spellings: Mapping[str, str]
    rules: tuple[Rule, ...]
    is_open: bool
    """Whether the author allowed unknown members (`extra="allow"`)."""
    read_only: frozenset[str] = frozenset()
    """Folded names of members that answers hold and no request: `wire_read_only` names them."""

    def find(self, key: str) -> FieldPlan | None:
        """Return the visible field that `key` spells, exactly or in another common spelling."""
        name = self.spellings.get(key) or self.spellings.get(fold(key))
        return self.fields[name] if name else None

    def spells(self, key: str) -> bool:
        """Whether `key` spells any field, one that is withheld included."""
        folded = fold(key)
        return any(folded in (fold(field.name), fold(field.wire)) for field in self.fields.values())

    def visible(self) -> Iterator[FieldPlan]:
        """Yield the fields the model sees, in declaration order."""
        return (field for field in self.fields.values() if not field.withheld)

    def wire(self, name: str) -> str:
        """Return the wire name of the field with this Python name."""
        return self.fields[name].wire


@dataclass(frozen=True, slots=True)
class Naming:
    """What the names of one tool's fields depend on beside the models themselves."""

    case: Case | None = None
    modes: tuple[str, ...] = ()
    holes: Mapping[str, str] = dataclass_field(default_factory=dict[str, str])
    """Folded name -> spelling of each hole of the route; only the args model itself fills holes."""


def read_models(args: type[BaseModel], naming: Naming) -> ModelGraph:
    """Read an args model and every model it reaches.

    Raises:
        DeclarationError: an annotation does not resolve, two fields share a wire name, or a rule names no field.
    """
    graph: dict[type[BaseModel], ModelPlan] = {}
    waiting = [args]
    while waiting:
        model = waiting.pop()
        if model in graph:
            continue
        graph[model] = plan = _read_model(model, naming, holes=naming.holes if model is args else {})
        for field in plan.fields.values():
            waiting.extend(models_of(field.shape))
    return graph


def _read_model(model: type[BaseModel], naming: Naming, *, holes: Mapping[str, str]) -> ModelPlan:
    _resolve(model)
    fields = {
        name: _read_field(model, name, info, naming, holes) for name, info in model.model_fields.items()
    }
    return ModelPlan(
        model=model,
        fields=fields,
        spellings=_read_spellings(model, fields),
        rules=_read_rules(model, fields),
        is_open=model.model_config.get("extra") == "allow",
        read_only=_read_read_only(model, fields),
    )


def _read_read_only(model: type[BaseModel], fields: Mapping[str, FieldPlan]) -> frozenset[str]:
    names = frozenset(map(fold, getattr(model, "wire_read_only", ())))
    for field in fields.values():
        if not names.isdisjoint((fold(field.name), fold(field.wire))):
            raise DeclarationError(
                f"{model.__name__}: {field.name!r} is a field and read-only. Remove it from wire_read_only."
            )
    return names


def _resolve(model: type[BaseModel]) -> None:
    try:
        model.model_rebuild(raise_errors=True)
    except PydanticUndefinedAnnotation as error:
        raise DeclarationError(
            f"{model.__name__}: the annotation {error.name!r} does not resolve. Define or import it first."
        ) from None


def _read_field(
    model: type[BaseModel], name: str, info: FieldInfo, naming: Naming, holes: Mapping[str, str]
) -> FieldPlan:
    where = f"{model.__name__}.{name}"
    marks = read_marks(info.annotation, info.metadata, where)
    annotation: Any = info.annotation
    for mark in info.metadata:  # Pydantic splits the outermost metadata off the annotation
        annotation = Annotated[annotation, mark]
    default = None if info.default is PydanticUndefined else info.default
    shape = read_shape(annotation, where)
    plan = FieldPlan(
        name=name,
        wire=_wire_name(model, name, info, marks, naming, holes),
        annotation=annotation,
        shape=replace(shape, is_chosen=True) if info.discriminator else shape,
        is_required=info.is_required(),
        is_nullable=is_optional(info.annotation),
        default=default,
        marks=marks,
        withheld=_why_withheld(marks, naming.modes, where),
    )
    if plan.withheld and plan.is_required:
        raise DeclarationError(f"{where}: is required, but {plan.withheld}. Give it a default.")
    return plan


def _wire_name(
    model: type[BaseModel],
    name: str,
    info: FieldInfo,
    marks: tuple[Any, ...],
    naming: Naming,
    holes: Mapping[str, str],
) -> str:
    names = [mark.name for mark in marks if isinstance(mark, WireName)]
    alias = info.serialization_alias or info.alias
    if names or alias:
        return names[-1] if names else str(alias)
    if fold(name) in holes:
        return holes[fold(name)]
    cases = [mark for mark in marks if isinstance(mark, Case)]
    own = getattr(model, "wire_case", None)
    check_kinds({"wire_case": own}, {"wire_case": or_none(CASE)}, model.__name__)
    case = cases[-1] if cases else own or naming.case
    return case.spell(name) if case else name


def _why_withheld(marks: tuple[Any, ...], modes: tuple[str, ...], where: str) -> str | None:
    """Say which mark withholds the field; each of several must let it through."""
    for mark in marks:
        if not isinstance(mark, Mode):
            continue
        if len(mark.labels) == 1 and mark.labels[0] in RESERVED_MODES:
            if mark.labels[0] == "request_only":
                continue
        elif set(read_modes(mark.labels, f"{where}: Mode")) & set(modes):
            continue
        elif not mark.labels:
            raise DeclarationError(f"{where}: Mode needs a label. Write for example Mode('response_only').")
        return f"mode {' or '.join(map(repr, mark.labels))} withholds it"
    return None


def _read_spellings(model: type[BaseModel], fields: Mapping[str, FieldPlan]) -> dict[str, str]:
    owners: dict[str, str] = {}
    for field in fields.values():
        if field.wire in owners:
            raise DeclarationError(
                f"{model.__name__}: {owners[field.wire]} and {field.name} share the wire name {field.wire!r}. "
                "Give one of them a WireName."
            )
        owners[field.wire] = field.name
    visible = [field for field in fields.values() if not field.withheld]
    folded: dict[str, set[str]] = {}
    for field in visible:
        for spelling in (field.name, field.wire):
            folded.setdefault(fold(spelling), set()).add(field.name)
    common = {key: next(iter(names)) for key, names in folded.items() if len(names) == 1}
    exact = {field.wire: field.name for field in visible}
    return common | {field.name: field.name for field in visible} | exact


def _read_rules(model: type[BaseModel], fields: Mapping[str, FieldPlan]) -> tuple[Rule, ...]:
    declared = check_rules(getattr(model, "wire_rules", ()), model.__name__)
    conflicts = {
        frozenset((field.name, other)): AtMostOneOf(field.name, other)
        for field in fields.values()
        for mark in field.marks
        if isinstance(mark, ConflictsWith)
        for other in mark.fields
    }
    rules = (*declared, *conflicts.values())
    for rule in rules:
        for name in rule.fields:
            if name not in fields:
                raise DeclarationError(
                    f"{model.__name__}: {type(rule).__name__} names {name!r}, which is no field. "
                    f"Use one of: {', '.join(fields)}."
                )
    return rules
