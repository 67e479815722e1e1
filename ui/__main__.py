"""`python -m ui`: the page. Serves until Ctrl-C or SIGTERM; ends the engine's process with it.

`python -m ui users`: those who may sign in to it.
"""

from __future__ import annotations

import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

from rag.cli.frame import DONE, Parser, execute, settings_of, shared_options, write_json
from rag.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from types import FrameType

    import uvicorn


def main(arguments: list[str] | None = None) -> int:
    parser = Parser(
        prog="python -m ui",
        description="Serve the page. It answers from the library in RAG_HOME and sends nothing anywhere.",
        epilog="`python -m ui users` tells who may sign in to it: see python -m ui users --help.",
        parents=[shared_options()],
    )
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=int, help="port to listen on (default: 7860; 0: any free one)")
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["users"]:
        from ui.entry import command

        return execute(lambda: command.run(words[1:]), as_json="--json" in words)
    return execute(lambda: _serve(parser.parse_args(words)), as_json="--json" in words)


def _serve(arguments: Namespace) -> int:
    settings = settings_of(arguments)
    host = arguments.host or settings.ui.host
    port = settings.ui.port if arguments.port is None else arguments.port

    from ui.entry.door import door

    entry = door(settings)  # before the port is taken: its complaints come at once
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else shown}:{port}"
    print(f"Bonsai RAG is starting at {url} …", file=sys.stderr, flush=True)

    import uvicorn

    from ui.entry.telling import who_comes_in
    from ui.server import Application
    from ui.service import Service

    application = Application(Service(settings), host, entry)

    class Server(uvicorn.Server):
        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            application.release()
            super().handle_exit(sig, frame)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if not self.should_exit:
                said = who_comes_in(entry, host, settings)
                print(f"Bonsai RAG is at {url} (Ctrl-C ends it).{said}", file=sys.stderr, flush=True)
                if arguments.json:
                    write_json({"url": url})

    # uvicorn ends in order at SIGTERM and then sends the signal to itself again: that is an orderly end too.
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    with listening:
        Server(config(application)).run(sockets=[listening])
    return DONE


def config(application: Any) -> uvicorn.Config:
    """How the application is served."""
    import uvicorn

    return uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=5,
        server_header=False,
        # It would put a header's word in the place of the connection's own address (ui.entry.addresses).
        proxy_headers=False,
    )


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise UsageError(
            f"Nothing can listen on {host} port {port}: {str(error).rstrip(chr(46))}.",
            fix="Another program, perhaps another Bonsai RAG, may be using it: end that one or pass --port.",
        ) from error
    return listening


if __name__ == "__main__":
    raise SystemExit(main())
