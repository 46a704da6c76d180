// Memory-hooks is the program that coding agents run at their events. It puts decisions and
// learnings before the agent when they apply.
//
// Usage:
//
//	memory-hooks EVENT [--agent claude|codex|gemini|copilot]
//	memory-hooks install [--scope user|project|local] [--agent NAME]... [--git] [--notes [--gitignore]] [--yes|--dry-run|--diff]
//	memory-hooks uninstall [--scope user|project|local] [--agent NAME]... [--git] [--notes] [--dry-run|--diff]
//	memory-hooks allow [--yes|--list|--revoke]
//	memory-hooks status
//	memory-hooks doctor [--format json]
//	memory-hooks explain TEXT...
//	memory-hooks report [--since 30d|DATE|all] [--split DATE] [--html FILE] [--transcripts DIR] [--format json]
//	memory-hooks notes enable|disable|ignore|show|summary|clean
//
// To begin: memory-hooks install, then memory-hooks doctor, then a new session of the agent.
//
// An event is read as JSON from standard input, and the reply is written to standard output.
// The exit status of an event is always 0. The agent waits at most 200 ms for a reply (or
// WHENCE_HOOK_DEADLINE, as in 500ms); at events that capture the session, up to 2 s until the
// job is on the disk. Faults are logged in hooks.log, beside the store.
//
//	SessionStart        learnings that may matter, how to remember more, what is wrong with the index, the notes
//	UserPromptSubmit    decisions, learnings and turns of other sessions that apply to the prompt;
//	                    /when and /how in it are answered
//	PostToolUse         after Read and Bash: what applies to the file or command;
//	                    after Edit and Write: findings of memory-validate, if the memory was changed;
//	                    after every tenth tool: what is new in the notes
//	PostToolUseFailure  what applies to the command and its error
//	Stop                an index that this session has broken, once
//	SubagentStop, SessionEnd, PreCompact   nothing
//
// At the last four, memory-remember captures the session in the background; when a session
// begins, it also captures sessions that have lost their last event. If the project has notes,
// every event contributes to them. Unknown events are ignored. An item is shown once in a
// session, and again after a compaction, separately to each subagent, with its place; a reply
// has at most 2,000 characters. An item that names a file which does not exist is marked.
// WHENCE_DISABLE=1 switches everything off, "memory_injection_enabled: false" in .whence.yaml
// everything unasked.
//
// "install" registers the program with an agent, in the settings of one user (user), of
// everyone who works on a project (project), or of one user in one project (local; Claude Code
// only). A user's settings name it by its path, a project's by its name, which everyone then
// needs on the PATH. Settings files are edited in place: every byte of others stays, and
// "uninstall" restores the file. A file that the agent could not read is refused, with the line;
// nothing is written through a link that leads out of the home folder or the project. --git also
// installs git's own hook, which runs memory-validate. --notes switches the notes of the project
// on, and has the program run after every tool, since every tool counts for them. Everything is
// checked before anything is written. "install" says what will be captured, where it is stored
// and how to switch it off, and asks; without a terminal it needs --yes. --dry-run prints what
// would be done, --diff prints it as a patch; neither writes.
//
// "allow" shows what the files of a repository ask for beyond what the user has set (what is
// captured, stored unasked, for how long, with what budget), and allows it. Until then it does
// not count. --list lists everything that is allowed, --revoke revokes it.
//
// "status" lists what is registered where, and what is captured. "doctor" tries it: it runs what
// the agents run, with an event like theirs, opens the store, checks the memory and the jobs to be
// stored, and says for each fault what it is and how to fix it; it leaves nothing behind.
// "explain" prints what a text would bring, and why.
//
// "report" shows whether memory reaches the agent, from the transcripts of Claude Code and the
// log of events: sessions with a recall, what was used of what was injected, how long events
// took, which queries had no answer. docs/report.md defines each figure.
//
// "notes" is about the files in .memory/ that say what is worked on, found, decided, and
// what failed. They are off until "install --notes" or "notes enable" switches them on, in
// .whence.yaml.
//
// Exit status: 0 for every event of an agent; otherwise 0 done or fine, 1 findings or nothing
// registered, 3 wrong command line, 4 a file could not be read or written.
package hooks
