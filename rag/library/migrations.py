"""The manifest's schema as numbered steps. A step that was ever released is never edited: add another."""

from __future__ import annotations

import sqlite3

from rag.errors import LibraryError
from rag.schema_steps import UPDATE, bring_up

# The words arrive already cut and case-folded (rag.text.words), so only white space separates them:
# every printable ASCII sign is made part of a word, and this tokenizer takes all others as letters.
_SIGNS = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum())
_TOKENIZER = "ascii tokenchars '" + _SIGNS.replace("'", "''") + "'"

_KEYWORDS = f"""
CREATE VIRTUAL TABLE keywords USING fts5 (words, tokenize = "{_TOKENIZER.replace('"', '""')}");
CREATE VIRTUAL TABLE keyword_terms USING fts5vocab (keywords, 'row');
"""

_FIRST = f"""
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO meta VALUES ('generation', '0');

CREATE TABLE collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    readers TEXT,                                 -- JSON list of names; NULL: everyone
    created REAL NOT NULL
);
INSERT INTO collections (name, readers, created) VALUES ('default', NULL, unixepoch('now'));

CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sha256 TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    title TEXT,
    headings TEXT NOT NULL,                       -- JSON list of [start, level, title]
    pages_without_text TEXT NOT NULL,             -- JSON list of page numbers
    recipe TEXT NOT NULL,                         -- versions and settings of reading and cutting
    page_count INTEGER NOT NULL,
    chunk_count INTEGER NOT NULL
);

CREATE TABLE pages (
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    number INTEGER,
    label TEXT,
    quality REAL NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (document, ordinal)
);

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,         -- never used twice: an old one may still be asked for
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    pages TEXT NOT NULL,                          -- JSON list of page numbers
    heading TEXT NOT NULL,                        -- JSON list of titles
    digest BLOB NOT NULL,                         -- of the text that was embedded: equal texts, equal vectors
    text TEXT NOT NULL,
    UNIQUE (document, ordinal)
);
CREATE INDEX chunks_by_digest ON chunks (digest);

CREATE TABLE embedders (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimension INTEGER NOT NULL
);

CREATE TABLE embeddings (
    chunk INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
    embedder INTEGER NOT NULL REFERENCES embedders ON DELETE CASCADE,
    vector BLOB NOT NULL,                         -- float32, little-endian, length 1
    UNIQUE (chunk, embedder)
);

CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
    location TEXT NOT NULL,                       -- absolute path; a BLOB of its bytes if they are no text
    root TEXT NOT NULL,                           -- what was given to ingest
    path TEXT NOT NULL,                           -- relative to it
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    sha256 TEXT,
    document INTEGER REFERENCES documents,        -- what is live under this path, if anything
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    recipe TEXT NOT NULL DEFAULT '',
    examined REAL NOT NULL DEFAULT 0,             -- when its content was last looked at
    updated REAL NOT NULL,                        -- when its state last changed
    UNIQUE (collection, location)
);

-- Readings that have begun and not ended well: written before the file is read, since nothing can be
-- written afterwards if it takes the process with it. size, mtime_ns, recipe: of what was tried.
CREATE TABLE attempts (
    collection INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
    location TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    recipe TEXT NOT NULL,
    tries INTEGER NOT NULL,
    PRIMARY KEY (collection, location)
) WITHOUT ROWID;

CREATE INDEX files_by_document ON files (document);

-- Which documents a collection shows: those that at least one of its files has.
-- since: the generation in which it began; readers whose vector index is older look these up themselves.
CREATE TABLE members (
    collection INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
    document INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    since INTEGER NOT NULL,
    PRIMARY KEY (collection, document)
) WITHOUT ROWID;
CREATE INDEX members_by_document ON members (document);

{_KEYWORDS}"""

_TABLES = """
-- JSON list of [start, end, header_end]
ALTER TABLE documents ADD COLUMN tables TEXT NOT NULL DEFAULT '[]';
-- Header row(s) of the table in whose middle the chunk begins
ALTER TABLE chunks ADD COLUMN table_header TEXT NOT NULL DEFAULT '';
"""

_CONTAINERS = """
-- The file on disk that this one lies in (an attachment, a file of an archive): a row of the same
-- collection, never one that lies in another itself; NULL: this one is on disk.
ALTER TABLE files ADD COLUMN container INTEGER REFERENCES files ON DELETE CASCADE;
CREATE INDEX files_by_container ON files (container);
-- How many files lie in these bytes
ALTER TABLE documents ADD COLUMN contains INTEGER NOT NULL DEFAULT 0;
"""

_RECOGNISED = """
-- JSON list of the numbers of pages whose text was recognised in a picture
ALTER TABLE documents ADD COLUMN pages_recognised TEXT NOT NULL DEFAULT '[]';
"""

STEPS: tuple[str, ...] = (_FIRST, _TABLES, _CONTAINERS, _RECOGNISED)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database to the newest schema; does nothing if it is there already.

    Several processes may call this at once. Raises LibraryError if the database was made by a newer
    version of this program.
    """
    bring_up(
        connection,
        [_statements(step) for step in STEPS],
        lambda version: LibraryError(
            f"This library was written by a newer version (schema {version}, known here: {len(STEPS)}).",
            fix=UPDATE,
        ),
    )


def recreate_keywords(connection: sqlite3.Connection) -> None:
    """An empty keyword index, inside a transaction of the writer. Dropped and not emptied: a damaged index
    cannot be relied on to delete from."""
    connection.execute("DROP TABLE keyword_terms")
    connection.execute("DROP TABLE keywords")
    for statement in _statements(_KEYWORDS):
        connection.execute(statement)


def _statements(script: str) -> list[str]:
    """The statements of a script. `executescript` would commit between them."""
    found: list[str] = []
    rest = ""
    for line in script.splitlines(keepends=True):
        rest += line
        if sqlite3.complete_statement(rest):
            found.append(rest)
            rest = ""
    return found
