// Package notes keeps the notes of a project: plain files in .memory/, which a person can
// read, edit and delete.
//
//	context.md     what is being worked on: a line for the task of a session
//	findings.md    what was found out: fixes that took several attempts, new parts of the source
//	decisions.md   what was decided: decision records, dependencies, configuration, lessons
//	errors.log     what failed, which attempt it was, and what ended it
//	session.json   counts: of tool calls, and of what each session has noted and seen
//
// Notes are off unless the setting memory_notes_enabled is true. [Event] is all that an
// agent's events need; each has a file of its own:
//
//	SessionStart        begin.go       the files are made, and what they hold is told
//	UserPromptSubmit    task.go        the first task of the session goes into context.md
//	PostToolUse         operation.go   what a change means: rules.go and rule_*.go; deletion.go
//	                    refresh.go     each n-th tool call, the notes are told again
//	                    resolution.go  a command works that had failed
//	PostToolUseFailure  failure.go     the record in errors.log; a lesson after three attempts
//	PreCompact          refresh.go     what was told may be told again
//
// Other events only tell that the session is alive.
//
// SessionStart makes the folder. Where it is not, no other event writes: whoever deletes
// it has peace until the next session.
//
// Guarantees. Markdown and log are only added to, at the end, in the line ends of the
// file; the one line that is ever changed is one that the same session has written, and
// only while it stands there as it was written. So any edit in between survives. Writers
// of this module exclude each other by .memory/.lock. Nothing is read or written through
// a link. Secrets and private parts are removed before
// anything is written or shown. What is told is real content, newest first, within 1,200
// bytes: no headings without content, comments or placeholders, and never errors.log.
// Files are made readable by their owner alone (0600, folder 0700), since errors and
// tasks can be private; the mode of files that are there stays.
//
// Bounds: errors.log becomes errors.log.1 at 256 KiB; session.json knows 20 sessions.
package notes
