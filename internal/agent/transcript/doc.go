// Package transcript reads the transcript that an agent writes of a session: lines of
// JSON, as Claude Code of all versions has them.
//
//	Read      the records behind a cursor, each handed to a function
//	Cursor    how far a transcript was read, to be kept between two reads
//	Record    one line, with what there is to know of it
//
// A transcript grows while it is read, is copied into that of a forked session, and may be
// written anew. So a cursor remembers the last record it has read. Where that is not in its
// place any more, it is looked for by its id; where it is nowhere, or more than once, reading
// begins at the front, and the records that were read before come again, under the ids they
// had.
//
// Guarantees, all tested: only what is new is read. A line without its end waits until it
// has one. Reading a file in any pieces gives the records of reading it at once. A line
// that is no record is passed over and counted, and so is one longer than LongestLine, of
// which no more is held in memory. Texts are valid UTF-8 without NULs.
//
// What is no text is not read at all: thinking, images, what tools have answered beyond
// its beginning and end.
package transcript
