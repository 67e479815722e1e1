"""What generates text. `protocol` is what the rest of rag knows of it; `load` gives the engine in use.

For both kinds of engine
sampling      named ways of drawing the next token
turnstile     whose turn it is: a fair queue
thoughts      what a model thinks, told apart from its answer
pieces        from the bytes of tokens to text that may be shown

On this machine, the service's side
local         the client of one worker process
supervisor, restarts
              when a worker is started, and when not again
process, wire starting it, talking to it, noticing its end
obituary      what it died of, in words
fitting       settings made to fit the memory that is there
library, probe
              the native library, looked at from outside

Inside the worker process, the only place that imports llama_cpp
worker        the process: commands in, events out
loading, devices, native, native_log
              library and model
loop, pace    the decode loop, several answers in one batch
context, memory, prefixes
              evaluated tokens: sequences, what of them a new prompt can use (prefix cache), what is parked
chat, grammar, chain, delivery
              template, JSON schema, sampler, one answer on its way out

Elsewhere
server        any server that speaks the OpenAI API
server_http, server_dialect, server_answer
              requests, what such servers say of themselves, one answer under way
"""

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
