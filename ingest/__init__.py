"""Files → chunks → library.

walk            every file under a path, with a reason where it is not to be read
kinds, kinds_containers, kinds_signatures, kinds_text, csv_shape, code_languages
                what kind of file it is, told by its content
encoding, charsets, unicode_bytes, euc_tw
                bytes → text
readers/        one module a format: file → document
contents, gathered
                a file and everything that lies in it
reading, reading_worker, heartbeat
                the child processes that read, within limits of time and memory
zip_salvage     what came through whole of an archive that breaks off
ocr             text out of pictures
quality         can a page's text be trusted
pieces, cutting, chunking, page_runs, table_headers
                document → chunks: small pieces, where to cut between them, what a chunk must repeat
sync/           keeps a collection in step with files
sync_command, watching, text_command, status_command, upkeep_commands, readers_command
                the commands
progress, wording
                what is told on the way
errors          why a file did not become a document
"""
