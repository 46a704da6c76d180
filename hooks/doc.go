// Memory-hooks runs at the events of coding agents, and shows them what applies.
//
//	memory-hooks install        register it with an agent; uninstall: undo that
//	memory-hooks doctor         check that it works, and print how to fix faults
//	memory-hooks status         list what is registered, and what is captured
//	memory-hooks explain TEXT   print what a text would bring, and why
//	memory-hooks report         report whether memory reaches the agent
//	memory-hooks allow          allow what the files of this repository ask for
//	memory-hooks notes COMMAND  enable, show or clean the notes in .memory/
//	memory-hooks EVENT          answer an event: JSON on standard input
//
// To begin: memory-hooks install, then memory-hooks doctor, then a new session.
//
// Flags of install and uninstall:
//
//	--agent NAME               claude (the default), codex, gemini or copilot
//	--scope SCOPE              user, project or local (Claude Code only)
//	--git, --notes             also git's own hook; also the notes of the project
//	--yes, --dry-run, --diff   do not ask; only print what would be done; a patch
//
// Exit status: 0 for every event; else 0 done or fine, 1 findings or nothing
// registered, 3 wrong command line, 4 a file failed.
// More: "memory-hooks COMMAND --help"; "memory-hooks help manual".
//
// # Events
//
// An event is read as JSON from standard input, and the reply goes to standard output. The agent
// waits at most 200 ms (or WHENCE_HOOK_DEADLINE, such as 500ms); at events that capture the
// session, up to 2 s until the job is on disk. Faults are logged in hooks.log, beside the store.
//
//	SessionStart        learnings that may matter, how to remember more, faults of the index, notes
//	UserPromptSubmit    decisions, learnings and turns of other sessions that apply to the prompt;
//	                    answers to /when and /how in it
//	PostToolUse         after Read and Bash: what applies to the file or command;
//	                    after Edit and Write: findings, if the memory was changed;
//	                    after every tenth tool: what is new in the notes
//	PostToolUseFailure  what applies to the command and its error
//	Stop                an index that this session has broken, once
//	SubagentStop, SessionEnd, PreCompact   nothing
//
// At the last four, memory-remember captures the session in the background. When a session
// begins, it also captures sessions whose last event was lost. If the project has notes, every
// event contributes to them. Unknown events are ignored.
//
// An item is shown once in a session, again after a compaction, and separately to each subagent,
// always with its source. A reply has at most 2,000 characters. An item that names a missing file
// is marked. WHENCE_DISABLE=1 switches everything off; "memory_injection_enabled: false" in
// .whence.yaml switches off what the agent did not ask for.
//
// # Installing
//
// "install" registers the program for one user (--scope user), for everyone who works on a
// project (project), or for one user in one project (local). User settings name the program by
// its path, project settings by its name, which everyone then needs on the PATH. Settings files
// are edited in place: all other bytes stay, and "uninstall" restores the file. A file that the
// agent could not read is refused, with the line. Nothing is written through a link that leads out
// of the home folder or the project. Everything is checked before anything is written.
//
// --git also installs git's own hook, which runs memory-validate. --notes switches on the notes of
// the project, and registers the program for every tool. "install" prints what will be captured,
// where it is stored and how to switch it off, and asks; without a terminal it needs --yes.
//
// "allow" shows what the files of a repository ask for beyond the user's settings: what is
// captured, what is stored without asking, for how long, with what budget. Until the user
// allows it, it has no effect. --list lists all permissions, --revoke revokes this repository's.
//
// # Checking
//
// "doctor" runs what the agents run, with an event like theirs, opens the store, and checks the
// memory and the jobs in the queue. For each fault it prints how to fix it. It leaves nothing
// behind.
//
// "report" reads the transcripts of Claude Code and the log of events: sessions with a recall,
// what was used of what was injected, how long events took, which queries had no answer.
// docs/report.md defines each figure.
//
// # Notes
//
// The notes are files in .memory/ about what is being worked on, found and decided, and what
// failed. They are off until "install --notes" or "notes enable" switches them on in .whence.yaml.
package hooks
