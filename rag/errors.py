"""Every error that this project raises on purpose, as one tree.

RagError                      what went wrong, and what to do about it
├── UsageError                the command line or an argument is wrong
├── SettingsError             rag.toml, an environment variable, or --config is wrong
├── NothingToWorkOn           no such path, an empty collection, no relevant passage
├── AccessDenied              the asker may not read this collection
├── LibraryError
│   ├── LibraryBusy           another process is writing to this data folder
│   ├── LibraryDamaged        the manifest or an index cannot be opened
│   └── EmbedderChanged       the stored vectors were made by another embedder
├── ModelError
│   ├── ModelMissing          no file for this model
│   └── ModelUnfit            the file is damaged, or this engine cannot run it
├── EmbeddingError            the embedder could not be loaded or run
└── EngineError
    ├── EngineDied            the worker process ended in the middle of its work
    ├── EngineStartFailed     the worker could not load the model
    ├── EngineBusy            too many questions are waiting already
    ├── PromptTooLong         the prompt and the answer do not fit into the context
    └── Cancelled             somebody pressed stop

`exit_code` is what a command line returns for the error (the contract's table).
"""

from __future__ import annotations


class RagError(Exception):
    """Base of all expected errors. `fix` says what the reader can do next."""

    exit_code = 1

    def __init__(self, message: str, *, fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.message} {self.fix}".rstrip()


class UsageError(RagError):
    exit_code = 2


class SettingsError(RagError):
    exit_code = 2


class NothingToWorkOn(RagError):
    exit_code = 4


class AccessDenied(RagError):
    """Raised without naming what exists: the asker must not learn it from the error."""


class LibraryError(RagError):
    pass


class LibraryBusy(LibraryError):
    pass


class LibraryDamaged(LibraryError):
    pass


class EmbedderChanged(LibraryError):
    pass


class ModelError(RagError):
    pass


class ModelMissing(ModelError):
    pass


class ModelUnfit(ModelError):
    pass


class EmbeddingError(RagError):
    pass


class EngineError(RagError):
    pass


class EngineDied(EngineError):
    pass


class EngineStartFailed(EngineError):
    pass


class EngineBusy(EngineError):
    pass


class PromptTooLong(EngineError):
    pass


class Cancelled(EngineError):
    exit_code = 130
