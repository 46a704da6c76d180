// memory-migrate converts a memory index from an old format into the current one.
//
//	memory-migrate [--write]          print the change as a patch; or make it
//	memory-migrate adopt [--write]    use the records of a repository
//
// The current format is a line "/when <trigger> | <header title> |
// <description>" for each decision. "adopt" writes such lines for the decision
// records that a repository has.
//
// Exit status: 0 nothing to do, or done; 1 the index needs a migration, or
// there are findings; 3 wrong flags or settings; 4 a file cannot be used.
// More: "memory-migrate COMMAND --help"; "memory-migrate help manual".
//
// # Formats
//
// There are two old formats. The index is read line by line, so they may be mixed:
//
//	Mock patching pattern — patch where used, not defined
//	/when writing mock tests | mock patch, test doubles
//
// # Migrating
//
// Headings are matched by title, or else by words: those are printed, to be checked.
// Review the result with "git diff", and edit the index where it should say something
// else.
//
// Derived triggers are drafts. "--write" and "adopt --write" say how many they
// wrote; have your agent run "memory-remember entry draft", which prints them with
// the rules, and "entry set", which takes the wording.
//
// What goes in comes out: a line that leads to no heading, or to one that only groups
// others, leaves the index, and is printed with its number, the reason, and what to do;
// git has it. What memory-validate finds in the result is printed, too.
//
// # Adopting
//
// "adopt" looks for folders of decision records, for files with a section for each
// decision, and for rules that an agent does not load in every session;
// docs/adopt.md lists them. It prints how it would use them, and why. With --write
// it adds globs to documents and decisions in .whence.yaml, and a drafted entry for
// each decision to the index. No other file is changed. Files that cannot be used
// get no entry, and are printed with the reason.
//
// To decide otherwise, edit .whence.yaml: add a glob to documents or decisions, or
// one that begins with "!" to leave files out. Run adopt again after that, and when
// there are new records or some have moved: it adds entries, and has those of records
// that moved follow them. The others stay.
//
// # Safety
//
// An index with uncommitted changes is not migrated, and lines are removed only from
// one that git has: "git add" is enough. "adopt" removes no entry. A second run has
// nothing to do.
package migrate
