"""The commands of `python -m eval`, a module each: `add_arguments(parser)` and `run(arguments)`."""
