// Package transcript reads the transcript that an agent writes of a session. Each agent's format has a file: claude.go,
// codex.go, gemini.go and copilot.go read lines of JSON, the first of which shows the agent; opencode.go and
// opencode2.go read rows of the databases of OpenCode 1 and 2.
//
//	Read      passes each record after a cursor to a function
//	Cursor    a position in a transcript, to be stored between two reads
//	Record    what Claude Code writes as one line; tools and their input have the names of Claude Code
//
// A transcript grows while it is read, is copied into that of a forked session, and may be rewritten. Therefore a
// cursor has a hash of the bytes before it. If these have changed, reading starts again at the beginning, and earlier
// records come again with the same ids.
//
// Guarantees, all tested: only new records are read. An incomplete line waits for its end. Reading a file in any pieces
// gives the same records. Lines that are not records are skipped. So are lines longer than MaxLineBytes; no more than
// that is held in memory. Texts are valid UTF-8 without NULs.
//
// Thinking and images are not read. Of results, only the beginning and the end are kept.
package transcript
