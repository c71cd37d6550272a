"""Cut Linear's schema down to what the Linear pack touches, and write the pack's whole issue filter from that.

`python tools/linear_schema.py --source schema.graphql` renews both from the vendor's schema; without `--source` the
filter is written anew from the cut schema, and with `--check` it is only compared. Facts alone: no descriptions.
"""

import argparse
import gzip
import sys
from pathlib import Path

from graphql import (
    FieldNode,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    TypeInfo,
    TypeInfoVisitor,
    VariableDefinitionNode,
    Visitor,
    build_schema,
    get_named_type,
    parse,
    type_from_ast,
    visit,
)

from charter.packs import linear

ROOT = Path(__file__).resolve().parent.parent
CUT = ROOT / "tests/packs/linear/schema.graphql.gz"
FILTER = ROOT / "src/charter/packs/linear/issue_filter.txt"
COMMAND = "python tools/linear_schema.py"
SPECIFIED = {"String", "Int", "Float", "Boolean", "ID"}


class Touched(Visitor):
    """Collects what documents name: fields of object types with their arguments, and the types of variables."""

    def __init__(self, schema: GraphQLSchema, info: TypeInfo) -> None:
        super().__init__()
        self.fields: dict[str, dict[str, set[str]]] = {}
        self.types: set[str] = set()
        self._schema, self._info = schema, info

    def enter_field(self, node: FieldNode, *_: object) -> None:
        """Note a field of its parent, and its arguments."""
        parent = self._info.get_parent_type()
        assert parent is not None, node.name.value
        arguments = self.fields.setdefault(parent.name, {}).setdefault(node.name.value, set())
        arguments.update(argument.name.value for argument in node.arguments or ())

    def enter_variable_definition(self, node: VariableDefinitionNode, *_: object) -> None:
        """Note the type of a variable."""
        found = type_from_ast(self._schema, node.type)
        assert found is not None, node.variable.name.value
        self.types.add(get_named_type(found).name)


def mark(known: GraphQLField | GraphQLInputField) -> str:
    """Return the mark of a member that is deprecated, which Linear says of inputs in words alone."""
    told = known.deprecation_reason or "[deprecated]" in (known.description or "").lower()
    return " @deprecated" if told else ""


def find_written(schema: GraphQLSchema, kind: GraphQLObjectType) -> dict[str, set[str]]:
    """Return the fields of a type that its mutations write, selected or not, so that one never shown is noticed."""
    inputs = [schema.type_map.get(f"{kind.name}{verb}Input") for verb in ("Create", "Update")]
    written = {key for one in inputs if isinstance(one, GraphQLInputObjectType) for key in one.fields}
    there = {name: get_named_type(field.type) for name, field in kind.fields.items()}
    return {
        name: set()
        for name, known in there.items()
        if {name, f"{name}Id"} & written and "id" in getattr(known, "fields", ("id",))
    }


def cut(schema: GraphQLSchema, documents: list[str]) -> str:
    """Return SDL of what the documents touch: every required argument stays, so that a missing one is noticed."""
    info = TypeInfo(schema)
    touched = Touched(schema, info)
    for document in documents:
        visit(parse(document), TypeInfoVisitor(info, touched))
    waiting, seen = set(touched.types), dict[str, str]()
    for name, fields in touched.fields.items():
        kind = schema.type_map[name]
        assert isinstance(kind, GraphQLObjectType)
        lines: list[str] = []
        for field, given in sorted((find_written(schema, kind) | fields).items()):
            known = kind.fields[field]
            kept = [
                f"{argument}: {one.type}"
                for argument, one in sorted(known.args.items())
                if argument in given or (str(one.type).endswith("!") and not one.default_value)
            ]
            waiting |= {get_named_type(known.args[argument.split(":")[0]].type).name for argument in kept}
            waiting.add(get_named_type(known.type).name)
            lines.append(f"{field}{'(' + ', '.join(kept) + ')' if kept else ''}: {known.type}{mark(known)}")
        seen[name] = f"type {name} {{ {' '.join(lines)} }}"
    while waiting:
        name = waiting.pop()
        if name in seen or name in SPECIFIED:
            continue
        kind = schema.type_map[name]
        if isinstance(kind, GraphQLInputObjectType):
            members = " ".join(f"{key}: {one.type}{mark(one)}" for key, one in kind.fields.items())
            seen[name] = f"input {name} {{ {members} }}"
            waiting |= {get_named_type(one.type).name for one in kind.fields.values()}
        elif isinstance(kind, GraphQLEnumType):
            seen[name] = f"enum {name} {{ {' '.join(kind.values)} }}"
        elif isinstance(kind, GraphQLScalarType):
            seen[name] = f"scalar {name}"
        elif isinstance(kind, GraphQLObjectType) and "id" in kind.fields:
            seen[name] = f"type {name} {{ id: ID! }}"
        else:
            raise SystemExit(f"linear_schema: {name} is named by a document but nothing of it is selected.")
    lines = [
        f"# Generated by `{COMMAND} --source FILE`. Do not edit.",
        *(seen[name] for name in sorted(seen)),
    ]
    return "\n".join([*lines, ""])


def write_filter(schema: GraphQLSchema) -> str:
    """Return the issue filter's types, one a line: its name, then its fields as name:Type."""
    lines, waiting, seen = [f"# Generated by `{COMMAND}`. Do not edit."], ["IssueFilter"], set[str]()
    for name in waiting:
        kind = schema.type_map[name]
        if name in seen or isinstance(kind, GraphQLScalarType):
            continue
        seen.add(name)
        if isinstance(kind, GraphQLEnumType):
            lines.append(f"enum {name} {' '.join(kind.values)}")
        elif isinstance(kind, GraphQLInputObjectType):
            fields = {
                key: str(one.type).replace("!", "")
                for key, one in kind.fields.items()
                if not one.deprecation_reason
            }
            lines.append(f"type {name} {' '.join(f'{key}:{one}' for key, one in fields.items())}")
            waiting += [one.strip("[]") for one in fields.values()]
    return "\n".join([*lines, ""])


def main(arguments: list[str]) -> int:
    """Write or check the files; 1 when one is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--source", type=Path, help="the vendor's schema, .graphql or .graphql.gz")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args(arguments)
    if chosen.source:
        data = chosen.source.read_bytes()
        text = (gzip.decompress(data) if chosen.source.suffix == ".gz" else data).decode()
        tools = [getattr(linear, name) for name in dir(linear)]
        documents = sorted({tool.document.text for tool in tools if getattr(tool, "document", None)})
        CUT.write_bytes(
            gzip.compress(cut(build_schema(text, assume_valid=True), documents).encode(), mtime=0)
        )
    written = write_filter(build_schema(gzip.decompress(CUT.read_bytes()).decode()))
    if chosen.check:
        return int(FILTER.read_text("utf-8") != written)
    FILTER.write_text(written, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
