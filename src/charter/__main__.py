"""`python -m charter`: the `charter` command, where its script is not on the path.

Not here: the command itself. `charter.cli` is.
"""

from charter.cli import main

if __name__ == "__main__":
    main()
