// Package notes maintains the notes of a project: plain files in .memory/, which users can read,
// edit and delete.
//
//	context.md     the work in progress: a line for the task of a session
//	findings.md    fixes that took several attempts, new parts of the source
//	decisions.md   decision records, dependencies, configuration, lessons
//	errors.log     failures, the number of each attempt, and what resolved them
//	session.json   counts of tool calls, and what each session has noted and seen
//
// Notes are off unless the setting memory_notes_enabled is true. [Event] handles the events of
// agents; each has its own file:
//
//	SessionStart        session_start.go   creates the files, injects their content
//	UserPromptSubmit    task.go            notes the first task of the session in context.md
//	PostToolUse         tool_done.go       notes significant changes: rules.go, rule_*.go, deletion.go
//	                    refresh.go         injects the notes again with each n-th tool call
//	                    resolution.go      resolves a failure when the command works
//	PostToolUseFailure  tool_failed.go     records the failure; a lesson after three attempts
//	PreCompact          refresh.go         makes the notes due again
//
// Other events only show that the session is active. SessionStart creates the folder; without it
// no other event writes, so deleting it silences the notes until the next session.
//
// Guarantees. Lines are only appended, in the line ends of the file. A line is changed only by
// the session that wrote it, and only while it is unchanged, so that any edit survives. Writers
// of this module exclude each other by .memory/.lock. Links are not followed. Secrets and private
// parts are removed before anything is written or shown. An injection has content only, newest
// first, within 1,200 bytes: no empty headings, comments or placeholders, and nothing of
// errors.log. New files are readable by their owner only (0600, folder 0700), since errors and
// tasks can be private; existing modes stay.
//
// Bounds: errors.log becomes errors.log.1 at 256 KiB; session.json has at most 20 sessions.
package notes
