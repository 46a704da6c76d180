// Memory-hooks puts what was decided and learned before a coding agent when it matters:
// agents run it at each of their events.
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
// The event comes in as JSON on standard input, the reply goes out on standard output.
// The exit status is always 0, and the agent never waits longer than 200 ms for a reply, or
// what WHENCE_HOOK_DEADLINE says, as in 500ms; where something is kept it waits until that is
// on the disk, up to 2 s. What goes wrong is a line in hooks.log, beside the store of learnings.
//
//	SessionStart        learnings that may matter, how to remember, what is wrong with the index, the notes
//	UserPromptSubmit    decisions, learnings and what was said before that apply to the prompt;
//	                    /when and /how in it are answered
//	PostToolUse         after Read and Bash: what applies to the file or command;
//	                    after Edit and Write: findings of memory-validate, if it was a file of the memory;
//	                    after each tenth tool: the notes, if they say anything new
//	PostToolUseFailure  what was learned from the like of it
//	Stop                an index that this session has broken, once
//	SubagentStop, SessionEnd, PreCompact   nothing
//
// At the last four, what was said is left to memory-remember, which stores it; when a session
// begins, it also finds what was said in others that lost their last event. The notes
// have their part in every event, if the project keeps them. Events that the program does
// not know are passed over. Each decision and learning is shown once in a session, to each
// subagent on its own, in at most 2,000 characters an event, with its place; one that names
// a file which is not there is marked. WHENCE_DISABLE=1 switches everything off, and
// "memory_injection_enabled: false" in .whence.yaml what nobody has asked for.
//
// "install" registers the program with an agent, in the settings of one user (user), of
// all who work on a project (project), or of one user in one project (local; Claude Code
// alone). In settings of a user it is named by its path, in those of a project by its name,
// which everybody needs on the PATH. The settings files are edited in place: every byte of
// others stays, and "uninstall" gives the file back as it was. A file that the agent could
// not read is refused, with the line; nothing is written through a link that leads out of
// the home folder or the project. --git installs the git hook of memory-validate too, and
// --notes switches the notes of the project on, and has the program run after every tool,
// since each counts for them. It says what will be captured, where it lies and how to switch it
// off, and asks; without a terminal it needs --yes. --dry-run says what would be done, --diff
// shows it as a patch; neither writes.
//
// "allow" shows what the files of a repository ask for beyond what the user has set (what is
// captured, stored unasked, for how long, with what budget), and allows it. Until then it does
// not count. --list lists all that is allowed, --revoke takes it back.
//
// "status" lists what is registered where, and what is kept in the project. "doctor" tries
// it: it runs what the agents run, with an event like theirs, opens the store, checks the
// memory and what is to be stored, and names for each fault the cause and what mends it; it
// leaves nothing behind. "explain" tells what a text would bring, and why.
//
// "report" tells whether memory reaches the agent, from the transcripts of Claude Code and
// the log of events: sessions with a recall, what was used of what was put before the agent,
// how long events took, which queries had no answer. docs/report.md defines each figure.
//
// "notes" is about the files in .memory/ that say what is worked on, found, decided, and
// what failed. They are off until "install --notes" or "notes enable" switches them on, in
// .whence.yaml.
//
// Exit status: 0 for every event of an agent; else 0 done or fine, 1 findings or nothing
// registered, 3 wrong flags, 4 a file could not be read or written.
package hooks
