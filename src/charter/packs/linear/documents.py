"""Writes the documents of the pack's tools: each variable is declared and used under its own name.

Not here: what is selected; that is beside each tool.
"""

__all__ = ["PAGE_INFO", "write_list", "write_mutation", "write_query"]

PAGE_INFO = "pageInfo { hasNextPage endCursor }"


def write_query(root: str, variables: str, selection: str) -> str:
    """Write a query of one field whose arguments are the variables.

    >>> write_query("team", "id: String!", "id name")
    'query team($id: String!) { team(id: $id) { id name } }'
    """
    return _write("query", root, variables, _arguments(variables), selection)


def write_list(root: str, variables: str, item: str, *, size: int, beside: str = "") -> str:
    """Write a query of one page: of so many items where no other number is asked for, each with this selection.

    >>> write_list("teams", "", "id", size=20)  # doctest: +ELLIPSIS
    'query teams($first: Int = 20, $after: String, ...) { teams(first: $first, ...) { nodes { id } pageInfo {...} } }'
    """
    page = f"first: Int = {size}, after: String, orderBy: PaginationOrderBy, includeArchived: Boolean"
    given = ", ".join(part for part in (variables, page) if part)
    return write_query(root, given, f"{beside} nodes {{ {item} }} {PAGE_INFO}".strip())


def write_mutation(root: str, variables: str, selection: str, *, fields: str = "") -> str:
    """Write a mutation of one field; `fields` are variables too, those that make up its input object.

    >>> write_mutation("teamUpdate", "id: String!", "success", fields="name: String")
    'mutation teamUpdate($id: String!, $name: String) { teamUpdate(id: $id, input: {name: $name}) { success } }'
    """
    arguments = [_arguments(variables)] if variables else []
    arguments += [f"input: {{{_arguments(fields)}}}"] if fields else []
    declared = ", ".join(part for part in (variables, fields) if part)
    return _write("mutation", root, declared, ", ".join(arguments), selection)


def _write(kind: str, root: str, declared: str, arguments: str, selection: str) -> str:
    head = f"({', '.join(f'${one}' for one in declared.split(', '))})" if declared else ""
    given = f"({arguments})" if arguments else ""
    return f"{kind} {root}{head} {{ {root}{given} {{ {selection} }} }}"


def _arguments(variables: str) -> str:
    names = [one.partition(":")[0] for one in variables.split(", ") if one]
    return ", ".join(f"{name}: ${name}" for name in names)
