"""Nearest neighbours. Chroma finds them in a published copy; the manifest's own vectors fill every gap.

How the parts work together:

- The manifest holds every embedding. Chroma is an index over them that can be thrown away at any time.
- A writer never changes the Chroma folder that readers open. When it has finished, it makes a new one
  (a copy of the last, brought into step) and then names it in the manifest (`publish`). So a process that
  is killed at any moment leaves either the old index or the new one, and readers never meet a half-written
  file, which Chroma does not survive.
- A reader compares each search with the manifest: what came after the published copy is compared exactly
  (`exact`), what has gone since is dropped. So another process's commit is seen by the next search, and a
  Chroma that is damaged, missing or still opening costs speed, never an answer (`search`).
"""
