"""Languages of programs: by the ending of the name or the first line, and how they name their parts."""

from __future__ import annotations

import re
from pathlib import PurePath

_SUFFIXES = {
    "python": ".py .pyi .pyx .pyw",
    "javascript": ".js .mjs .cjs .jsx .ts .tsx .mts .cts .vue .svelte .astro",
    "java": ".java .kt .kts .scala .groovy .gradle .cs .dart .swift",
    "c": ".c .h .cc .cpp .cxx .hpp .hh .hxx .cu .cuh .m .mm .ino .metal .glsl .hlsl",
    "go": ".go",
    "rust": ".rs",
    "ruby": ".rb .rake .gemspec .cr .ex .exs",
    "php": ".php .phtml",
    "shell": ".sh .bash .zsh .fish .ksh .bats .ps1 .psm1 .bat .cmd",
    "sql": ".sql .psql .ddl",
    "lua": ".lua",
    "perl": ".pl .pm",
    "r": ".r",
    "other": ".jl .hs .ml .mli .fs .fsx .clj .cljs .edn .lisp .el .scm .rkt .erl .hrl .nim .zig .v .sv .vhd"
    " .vhdl .f .f90 .f95 .for .pas .dpr .ada .adb .ads .cob .cbl .asm .s .vb .vbs .bas .cls .frm .tcl .awk"
    " .sed .cmake .mk .mak .dockerfile .tf .hcl .proto .thrift .graphql .gql .css .scss .sass .less .styl"
    " .d .diff .patch .sol .move .nix .bzl .ipp .y .l .mat .sas .do .stan .wgsl .ejs .hbs .jinja .j2",
}
_BY_SUFFIX = {suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_BY_NAME = {
    "makefile": "other", "gnumakefile": "other", "dockerfile": "other", "jenkinsfile": "java",
    "rakefile": "ruby", "gemfile": "ruby", "vagrantfile": "ruby", "cmakelists.txt": "other",
    "build.bazel": "python", "sconstruct": "python",
}  # fmt: skip
_SHEBANG = re.compile(r"#!\s*\S*?(?:env\s+(?:-S\s+)?)?([A-Za-z]+)[\d.]*(?:\s|$)")
_INTERPRETERS = {
    "python": "python", "pypy": "python", "node": "javascript", "deno": "javascript", "sh": "shell",
    "bash": "shell", "zsh": "shell", "dash": "shell", "ksh": "shell", "fish": "shell", "ruby": "ruby",
    "perl": "perl", "php": "php", "lua": "lua", "Rscript": "r", "awk": "other", "tclsh": "other",
}  # fmt: skip

DEFINITIONS: dict[str, re.Pattern[str]] = {
    "python": re.compile(r"^(?P<indent>[ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(?P<name>\w+)", re.M),
    "javascript": re.compile(
        r"^(?P<indent>[ \t]*)(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?(?:async[ \t]+)?"
        r"(?:(?:function\*?|class|interface|enum|namespace)[ \t]+(?P<name>[\w$]+)"
        r"|(?:const|let|var)[ \t]+(?P<name2>[\w$]+)[ \t]*=[ \t]*(?:async[ \t]*)?(?:function\b|\([^()\n]*\)[^\n=]{0,40}=>|\w+[ \t]*=>))",
        re.M,
    ),
    "java": re.compile(
        r"^(?P<indent>[ \t]*)(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|override"
        r"|suspend|inline|async|virtual|partial|readonly|mutating|func|fun|def)[ \t]+)*"
        r"(?:(?:class|interface|enum|struct|record|object|trait|namespace|protocol|extension)[ \t]+(?P<name>\w+)"
        r"|(?:fun|func|def)[ \t]+(?P<name2>\w+)"
        r"|[\w<>\[\],.?]+[ \t]+(?P<name3>(?!if\b|for\b|while\b|switch\b|catch\b|return\b|new\b)\w+)[ \t]*\([^;{}\n]{0,200}\)[^;\n{}=]{0,80}\{)",
        re.M,
    ),
    "c": re.compile(
        r"^(?P<indent>)(?:(?:typedef[ \t]+)?(?:class|struct|enum(?:[ \t]+class)?|union|namespace)[ \t]+(?P<name>\w[\w:]*)[ \t]*(?:final[ \t]*)?(?::[^;{\n]{0,120})?\{?[ \t]*$"
        r"|[A-Za-z_][\w:<>,*& \t]{0,120}?[ \t*&](?P<name2>[\w:~]+)[ \t]*\([^;{}\n]{0,300}\)[ \t]*(?:const|noexcept|override)?[ \t]*\{?[ \t]*$)",
        re.M,
    ),
    "go": re.compile(
        r"^(?P<indent>)(?:func[ \t]+(?:\([^)\n]{0,80}\)[ \t]*)?(?P<name>\w+)"
        r"|type[ \t]+(?P<name2>\w+)[ \t]+(?:struct|interface))",
        re.M,
    ),
    "rust": re.compile(
        r"^(?P<indent>[ \t]*)(?:pub(?:\([^)\n]{0,40}\))?[ \t]+)?(?:(?:async|const|unsafe|extern(?:[ \t]+\"C\")?)[ \t]+)*"
        r"(?:fn|struct|enum|trait|mod|union|macro_rules!)[ \t]+(?P<name>\w+)"
        r"|^(?P<indent2>[ \t]*)impl\b[^{\n]{0,120}?(?P<name2>\w+)(?:<[^{\n]{0,60}>)?[ \t]*\{",
        re.M,
    ),
    "ruby": re.compile(
        r"^(?P<indent>[ \t]*)(?:def|class|module|defmodule|defp?)[ \t]+(?P<name>[\w.:?!]+)", re.M
    ),
    "php": re.compile(
        r"^(?P<indent>[ \t]*)(?:(?:public|private|protected|static|final|abstract)[ \t]+)*"
        r"(?:function|class|interface|trait|enum)[ \t]+&?(?P<name>\w+)",
        re.M,
    ),
    "shell": re.compile(
        r"^(?P<indent>)(?:function[ \t]+(?P<name>[\w:-]+)|(?P<name2>[\w:-]+)[ \t]*\([ \t]*\)[ \t]*\{?)", re.M
    ),
    "sql": re.compile(
        r"^(?P<indent>[ \t]*)create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:temp(?:orary)?[ \t]+|unique[ \t]+|materialized[ \t]+)*"
        r"(?:table|view|function|procedure|trigger|index|type)[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+)?(?P<name>[\w.\"`\[\]]+)",
        re.M | re.I,
    ),
    "lua": re.compile(r"^(?P<indent>[ \t]*)(?:local[ \t]+)?function[ \t]+(?P<name>[\w.:]+)", re.M),
    "perl": re.compile(r"^(?P<indent>[ \t]*)(?:sub|package)[ \t]+(?P<name>[\w:]+)", re.M),
    "r": re.compile(r"^(?P<indent>[ \t]*)(?P<name>[\w.]+)[ \t]*(?:<-|=)[ \t]*function\b", re.M),
}
"""Language → the lines that begin a function or class: their indentation and its name."""


def language_of(name: str, head: str) -> str | None:
    """A key of DEFINITIONS or "other"; None if nothing says that this is a program. head: its first lines."""
    path = PurePath(name)
    named = _BY_NAME.get(path.name.lower()) or _BY_SUFFIX.get(path.suffix.lower())
    if named:
        return named
    shebang = _SHEBANG.match(head)
    return _INTERPRETERS.get(shebang.group(1)) if shebang else None
