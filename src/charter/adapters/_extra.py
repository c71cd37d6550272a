"""What adapters import beside Charter: where it is missing, the error names the extra that brings it.

Not here: what each adapter imports.
"""

from types import TracebackType

__all__ = ["extra"]


class extra:  # noqa: N801 - read as a statement: with extra("langchain"): import ...
    """A block of imports that an extra brings.

    >>> with extra("langchain"):
    ...     import no_such_package
    Traceback (most recent call last):
    ImportError: charter.adapters.langchain: No module named 'no_such_package'. Run pip install "charter[langchain]".
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        """Import, in the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Tell what is missing.

        Raises:
            ImportError: the block could not import something.
        """
        if isinstance(error, ImportError):
            place = f"charter.adapters.{self._name.replace('-', '_')}"
            text = f'{place}: {error}. Run pip install "charter[{self._name}]".'
            raise ImportError(text, name=error.name, path=error.path) from error  # noqa: TRY004
