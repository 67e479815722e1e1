"""`python -m rag`: see rag.cli."""

from rag.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
