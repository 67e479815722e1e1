"""What generates text. `protocol` is what the rest of rag knows of it; `load` gives the engine in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag.engine.protocol import Engine
    from rag.settings import Settings


def load(settings: Settings) -> Engine:
    """The engine that the settings name. Does no work yet: the model is loaded at the first call.

    Raises SettingsError if engine settings contradict each other.
    """
    if settings.engine.server:
        from rag.engine.server import ServerEngine

        return ServerEngine(settings)
    from rag.engine.local import LocalEngine

    return LocalEngine(settings)
