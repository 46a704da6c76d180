// Package notes maintains the notes of a project: plain files in .memory/, which users can read,
// edit and delete.
//
//	context.md     the work in progress: a line for the task of a session
//	findings.md    failures with what fixed them
//	decisions.md   changed decision files, dependencies by name, lessons
//	errors.log     failures, and how often each has happened
//	session.json   counts of tool calls, known dependencies, failures without a fix
//
// Notes are off unless the setting memory_notes_enabled is true. [Record] records a failed tool call. [Handle] handles
// the events of agents:
//
//	SessionStart        creates the missing files, and injects their content
//	UserPromptSubmit    notes the first task of the session in context.md
//	PostToolUse         notes significant changes (change.go), dependencies (dependencies.go), fixes (fix.go)
//	PostToolUseFailure  notes a lesson after three equal failures: failure.go
//
// After every n calls of any tools, the next event injects the notes again (calls.go). Other decisions and discoveries
// are for the agent to write; see the skill context-memory. SessionStart creates the folder. Without the folder no
// other event writes, so deleting it silences the notes until the next session.
//
// Guarantees. Lines are only appended, with the line ends of the file, so that any edit survives. A failure is appended
// to errors.log without a lock, by one write of at most 4 KB, so that none is lost however many sessions run. Other
// writers exclude each other by a lock on the folder. Links are not followed. Secrets and private parts are removed
// before anything is written or shown. An injection stays within 1,200 bytes, newest content first, without empty
// headings, comments or placeholders. From errors.log, SessionStart injects each failure once. New files are readable
// only by their owner (0600, folder 0700). Dates are local.
//
// Bounds: errors.log becomes errors.log.1 at 256 KiB; session.json has at most 20 sessions.
package notes
