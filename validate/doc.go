// memory-validate checks a memory index against its decision files, and fixes it.
//
//	memory-validate                   check, and print a line for each finding
//	memory-validate --fix             make the safe fixes
//	memory-validate --explain RULE    print what RULE finds, and why
//	memory-validate install-git-hook  have git check and fix at each commit
//
// Exit status: 0 no findings are left; 1 findings are left, or --diff prints a
// patch; 3 wrong flags or settings; 4 no memory, the index cannot be read, or
// a file cannot be written.
// More: "memory-validate COMMAND --help"; "memory-validate help manual".
//
// # Findings
//
// Every entry must lead to a heading of a decision file, every heading needs one
// entry, and both must be written so that they can be found. A finding is a line:
//
//	agents/decisions/api.md:41:1: no entry for heading "Paging" (H3): add …
//
// Every finding is an error; there are no warnings. A memory without findings
// prints nothing. The rules are in docs/checks.md. --enable RULE switches on a rule
// that is off by default.
//
// # Fixes
//
// The safe fixes move entries to their place, give joined ones their lines back, put
// triggers into lower case and situations into form, rename the section of a file that
// has moved, remove lines that repeat another byte for byte, remove the empty section
// of a deleted decision file, and have the preamble say how to look up an entry, where
// it does not, or asks readers to scan the index. They remove nothing else, and what is
// removed is printed.
//
// --unsafe-fixes also guesses: the new title of a renamed heading, and an entry for a
// heading that has none. --diff prints what either would change. Fixing twice is the
// same as fixing once.
//
// A file with conflict markers is reported, and neither fixed nor committed.
//
// # Git
//
// "install-git-hook" has git run "memory-validate --stage" at each commit: it
// makes the safe fixes in what is about to be committed and in the worktree.
// Unstaged changes stay unstaged. A commit that is stopped ends with the command
// to run next. A rebase that continues after a conflict is stopped for conflict
// markers only, and git am runs no hook. For hook managers, see docs/git-hooks.md.
//
// A commit that takes the last mention of a name out of the code, while a decision
// has it in backquotes, gets a note; it stops nothing. "--since REV" prints those of
// all that is staged or committed since REV, as CI needs it.
//
// With --merge-driver, two branches that each add a decision do not conflict: where
// both only add entries, or headings with their text, git keeps both. It writes
// merge.whence into the settings of the clone and lines into .git/info/attributes.
// A merge that would move text below another heading is left in conflict.
//
// # Agents
//
// "hook EVENT" answers one event as memory-hooks does: it reports findings when a
// session begins, and after Bash and edits those that have come since the last event.
// It keeps the agent from stopping, once, for findings that the agent brought in: by a
// file that it edited, or that changed during one of its calls.
//
// # The memory
//
// The repository is the nearest folder upwards that holds .whence.yaml, .git or
// the index, unless --repo names it. The index is agents/memory-index.md and the
// decision files are agents/decisions/*.md, unless set otherwise: by --index and
// --decisions, WHENCE_INDEX and WHENCE_DECISIONS, .claude/whence.local.md,
// .whence.yaml, or settings.yaml beside the store, in this order. Paths are
// relative to the repository; nothing outside it is read. In a git hook, or under
// pre-commit, a repository without a memory passes: exit status 0.
package validate
