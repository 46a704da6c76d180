// Memory-validate checks that a memory index is true: that every entry leads to
// a heading of a decision file, that every such heading has one entry, and that
// both are written so that they can be found. It repairs what can be repaired
// without guessing.
//
// Usage:
//
//	memory-validate [flags]
//	memory-validate install-git-hook [--merge-driver [--no-hook]] | uninstall-git-hook
//	memory-validate merge-driver BASE OURS THEIRS PATH
//	memory-validate hook EVENT
//
// Without flags it checks and prints a line for each finding:
//
//	agents/decisions/api.md:41:1: no entry for heading "Paging" (H3): add … [missing-entry]
//
// Every finding is an error; there are no warnings. A clean memory prints
// nothing. The rules, each with its reason and an example, are printed by
// --explain RULE and stand in docs/checks.md.
//
// --fix makes the safe fixes: it moves entries to their place, puts triggers into
// lower case, removes lines that repeat another byte for byte, gives the section of a
// renamed decision file its new name, removes the empty section of one that is gone, and
// replaces the sentence of a preamble that tells to scan the index. Nothing else is ever
// removed, and what is removed is printed. --unsafe-fixes also makes the fixes that guess: the new title for a
// heading that was renamed, a drafted entry for a heading that has none. --diff
// shows what either would change, as a patch, and writes nothing. Fixing twice is
// the same as fixing once.
//
// A file in which a merge has left a conflict is reported and neither fixed nor committed.
// --fix --merged keeps both sides of the conflicts in which both only added entries or sections.
//
// --staged checks what is about to be committed instead of the worktree. --stage
// makes the safe fixes there and, beside whatever is unstaged, in the worktree.
// "memory-validate install-git-hook" has git do that at each commit, and
// uninstall-git-hook takes it back; docs/git-hooks.md describes hook managers. A commit
// that is stopped ends with the command to run next. A rebase or git am that goes on after a
// conflict is stopped only for conflict markers.
//
// --only RULE reports what one rule finds, also one that is off by default, and changes nothing.
//
// "memory-validate install-git-hook --merge-driver" also has git merge the index entry by entry and
// decision files heading by heading: two branches that each add a decision do not conflict. It
// writes merge.whence into the settings of the clone, and lines into .gitattributes. Git then runs
// merge-driver, which ends with status 1 if conflicts are left.
//
// "memory-validate hook EVENT" answers an event of a coding agent, as memory-hooks does: it
// tells what is wrong when a session begins and after each change of the memory, and keeps
// the agent from stopping, once, while a memory that it has broken is not mended.
//
// The repository is the nearest folder upwards that holds .whence.yaml, .git or
// the index, unless --repo names it. The index is agents/memory-index.md and the
// decision files are agents/decisions/*.md, unless flags, WHENCE_INDEX and
// WHENCE_DECISIONS, .claude/whence.local.md or .whence.yaml say otherwise. Paths
// are relative to the repository, and nothing that lies outside of it is read.
//
// Exit status: 0 nothing to report, or everything was fixed; 1 findings are left,
// or --diff has something to show; 3 wrong flags or settings; 4 there is no memory,
// or a file could not be read or written. In a git hook, or under pre-commit, a
// repository without a memory has nothing to check: 0.
package validate
