// Memory-hooks puts what was decided and learned before a coding agent when it matters:
// agents run it at each of their events.
//
// Usage:
//
//	memory-hooks EVENT [--agent claude|codex|gemini|copilot]
//
// The event comes in as JSON on standard input, the reply goes out on standard output.
// The exit status is always 0, and the agent never waits longer than 200 ms: what goes
// wrong is a line in hooks.log, beside the store of learnings.
//
//	SessionStart        learnings that may matter, how to remember, what is wrong with the index
//	UserPromptSubmit    decisions and learnings that apply to the prompt; /when and /how in it are answered
//	PostToolUse         after Read and Bash: what applies to the file or command;
//	                    after Edit and Write: findings of memory-validate, if it was a file of the memory
//	PostToolUseFailure  what was learned from the like of it
//	Stop                an index that this session has broken, once
//	SubagentStop, SessionEnd, PreCompact   nothing yet
//
// Each decision and learning is shown once in a session, to each subagent on its own, in
// at most 2,000 characters an event. WHENCE_DISABLE=1 switches everything off.
//
// Exit status: 0; 3 for an unknown event or agent on the command line.
package hooks
