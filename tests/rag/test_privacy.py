"""Nothing reports home. Watched from inside the C library: native code asks no Python for the network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rag.privacy import SILENCE

# Writes down every name that is looked up and every address outside the loopback that is connected to.
WATCH = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(const char *what, const char *whom) {
    char line[512];
    int length = snprintf(line, sizeof line, "%s %s\n", what, whom ? whom : "-");
    int log = open(getenv("WATCH_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (log >= 0) { (void)!write(log, line, length); close(log); }
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    struct in6_addr address;
    int numeric = !node || inet_pton(AF_INET, node, &address) == 1
                        || inet_pton(AF_INET6, node, &address) == 1;
    if (!numeric && strcmp(node, "localhost")) note("lookup", node);
    return real(node, service, hints, found);
}

int connect(int socket, const struct sockaddr *to, socklen_t length) {
    int (*real)(int, const struct sockaddr *, socklen_t);
    *(void **)&real = dlsym(RTLD_NEXT, "connect");
    char text[INET6_ADDRSTRLEN] = "";
    if (to && to->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = (const void *)to;
        if ((ntohl(v4->sin_addr.s_addr) >> 24) != 127)
            note("connect", inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text));
    } else if (to && to->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const void *)to;
        if (!IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr))
            note("connect", inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text));
    }
    return real(socket, to, length);
}
"""
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("watch")
    (folder / "watch.c").write_text(WATCH)
    library = folder / "watch.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-o", library, folder / "watch.c", "-ldl"],
        check=True,
        capture_output=True,
        text=True,
    )
    return library


def attempts(watch: Path, folder: Path, *arguments: str) -> tuple[str, list[str]]:
    """What the program printed, and what it and its children tried to reach."""
    log = folder / "watch.log"
    # onnxruntime reports nothing where it takes the machine for a build server: that would hide a fault.
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in SILENCE
        and name not in ("CI", "TF_BUILD", "GITHUB_ACTIONS", "BUILD_ID", "JENKINS_URL", "PYTEST_CURRENT_TEST")
    }
    environment |= {
        "LD_PRELOAD": str(watch),
        "WATCH_LOG": str(log),
        "RAG_HOME": str(folder / "home"),
        "HOME": str(folder),
    }
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, log.read_text().splitlines() if log.exists() else []


def test_the_watch_sees_an_attempt(watched: Path, tmp_path: Path) -> None:
    # 192.0.2.1 is set aside for documentation: nobody answers there, and a datagram socket sends nothing.
    program = tmp_path / "talker.py"
    program.write_text(
        "import socket\n"
        "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "try:\n    s.connect(('192.0.2.1', 9))\nexcept OSError:\n    pass\n"
        "try:\n    socket.getaddrinfo('telemetry.invalid', 443)\nexcept OSError:\n    pass\n"
    )
    environment = {**os.environ, "LD_PRELOAD": str(watched), "WATCH_LOG": str(tmp_path / "log")}
    subprocess.run([sys.executable, program], env=environment, check=True)
    assert (tmp_path / "log").read_text().splitlines() == ["connect 192.0.2.1", "lookup telemetry.invalid"]


def test_nobody_is_called_while_documents_are_read_and_questions_asked(watched: Path, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "depot.txt").write_text(
        "The depot at Harbour Lane keeps 420 metres of spare cable on shelf seven."
    )
    _, reading = attempts(watched, tmp_path, "ingest", str(tmp_path / "papers"))
    answer, asking = attempts(watched, tmp_path, "rag", "ask", "How much spare cable does the depot keep?")
    assert "420 metres" in answer
    assert reading + asking == []


def test_children_inherit_the_silence() -> None:
    program = "import os, rag, subprocess, sys; subprocess.run(['env'], check=True)"
    environment = {name: value for name, value in os.environ.items() if name not in SILENCE}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    variables = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    assert {name: variables.get(name) for name in SILENCE} == SILENCE
