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

_WORDS_BEFORE = (
    "public private protected internal static final abstract sealed open data override suspend inline async"
    " virtual partial readonly mutating export default declare pub unsafe const"
)


def _pattern(*forms: str, flags: int = 0) -> re.Pattern[str]:
    """Lines that begin with blanks, any of the words that may stand before a definition, and one of the
    forms, in which _ stands for blanks and NAME for the name."""
    before = "|".join(_WORDS_BEFORE.split())
    either = "|".join(form.replace("_", r"[ \t]+").replace("NAME", r"([\w$.:~]{1,120})") for form in forms)
    return re.compile(
        rf"^([ \t]*)(?:(?:{before})(?:\([^)\n]{{0,40}}\))?[ \t]+){{0,6}}(?:{either})", re.M | flags
    )


_C_TYPES = r"(?:typedef_)?(?:class|struct|enum|union|namespace)_(?:class_)?NAME[^;()\n]{0,120}$"
_JAVA_TYPES = r"(?:class|interface|enum|struct|record|object|trait|namespace|protocol|extension)_NAME"
_NOT_A_TYPE = r"(?!return\b|else\b|new\b|throw\b|case\b|goto\b|delete\b|await\b)"
_METHOD = (
    rf"{_NOT_A_TYPE}[\w<>\[\],.?]{{1,80}}_(?!if\b|for\b|while\b|switch\b)NAME"
    r"[ \t]*\([^;{}\n]{0,200}\)[^;\n{}=]{0,80}\{"
)
_C_FUNCTION = (
    rf"{_NOT_A_TYPE}[A-Za-z][\w:<>,*& \t]{{0,80}}[ \t*&]NAME"
    r"[ \t]*\([^;{}\n]{0,200}\)[\w \t]{0,30}\{?[ \t]*$"
)
DEFINITIONS: dict[str, re.Pattern[str]] = {
    "python": _pattern("def_NAME", "class_NAME", "async_def_NAME"),
    "javascript": _pattern(
        r"(?:function\*?|class|interface|enum|namespace)_NAME",
        r"(?:let_|var_)?NAME[ \t]*=[ \t]*(?:async[ \t]*)?(?:function\b|\([^()\n]{0,200}\)[^\n=]{0,40}=>)",
    ),
    "java": _pattern(_JAVA_TYPES, "(?:fun|func|def)_NAME", _METHOD),
    "c": _pattern(_C_TYPES, _C_FUNCTION),
    "go": _pattern(r"func_(?:\([^)\n]{0,80}\)[ \t]*)?NAME", "type_NAME_(?:struct|interface)"),
    "rust": _pattern(
        r"(?:async_|extern_(?:\"C\"_)?)?(?:fn|struct|enum|trait|mod|union|macro.rules!)_NAME",
        r"impl\b(?:<[^>\n]{0,60}>)?_(?:[\w:<>, ]{1,80}_for_)?NAME",
    ),
    "ruby": _pattern("(?:def|class|module|defmodule|defp)_NAME"),
    "php": _pattern("(?:function|class|interface|trait|enum)_&?NAME"),
    "shell": _pattern("function_NAME", r"NAME[ \t]*\([ \t]*\)[ \t]*(?:\{|$)"),
    "sql": _pattern(
        r"create_(?:or_replace_)?(?:temp_|temporary_|unique_|materialized_)?"
        r"(?:table|view|function|procedure|trigger|index|type)_(?:if_not_exists_)?[\"`\[]?NAME",
        flags=re.I,
    ),
    "lua": _pattern("(?:local_)?function_NAME"),
    "perl": _pattern("(?:sub|package)_NAME"),
    "r": _pattern(r"NAME[ \t]*(?:<-|=)[ \t]*function\b"),
}
"""Language → the lines that begin a function or class: indentation, then its name in whichever group."""


def language_of(name: str, head: str) -> str | None:
    """A key of DEFINITIONS or "other"; None if nothing says that this is a program. head: its first lines."""
    path = PurePath(name)
    named = _BY_NAME.get(path.name.lower()) or _BY_SUFFIX.get(path.suffix.lower())
    if named:
        return named
    shebang = _SHEBANG.match(head)
    return _INTERPRETERS.get(shebang.group(1)) if shebang else None
