// memory-migrate converts a memory index from an old format into the current one.
//
//	memory-migrate [--write]            print the change as a patch; or make it
//	memory-migrate plan > FILE          print the plan, a table to edit
//	memory-migrate apply --plan FILE    change the index by the plan
//	memory-migrate adopt [--write]      use the records of a repository
//
// The current format is a line "/when <trigger> | <header title> |
// <description>" for each decision. "adopt" writes such lines for the decision
// records that a repository has.
//
// Exit status: 0 nothing to do, or done; 1 the index needs a migration, or
// there are findings; 3 wrong flags, settings or plan; 4 a file cannot be used.
// More: "memory-migrate COMMAND --help"; "memory-migrate help manual".
//
// # Formats
//
// There are two old formats. The index is read line by line, so they may be mixed:
//
//	Mock patching pattern — patch where used, not defined
//	/when writing mock tests | mock patch, test doubles
//
// # The plan
//
// The plan has a row for each entry: its heading, a trigger, the description, and
// why. Headings are matched by title, or else by words, with a confidence below 1:
// check those. Triggers are derived by the rules of docs/migrate.md. Edit the plan
// in a spreadsheet or a text editor; a row with an empty header is skipped.
//
// Derived triggers are drafts. "--write" and "adopt --write" say how many they
// wrote; have your agent run "memory-remember entry drafts", which prints them with
// the rules, and "entry set", which takes the wording.
//
// No entry is lost. An entry without a known heading stays in the index as it is.
// The two sections of the oldest format, "Behavioral Rules" and "Technical
// Decisions", are removed: their entries move to the sections of their decision
// files, and entries without a heading are printed and kept in the plan, which
// --write then saves beside the index.
//
// # Adopting
//
// "adopt" looks for folders of decision records, one decision a file (docs/adr
// and the like, and any folder in which half of the files have headings such as
// Context and Decision); for files with a section for each decision, such as
// DECISIONS.md; and for rules that one agent loads only at times. It prints how
// it would use them, and why. With --write it adds globs to documents and
// decisions in .whence.yaml, and a drafted entry for each decision to the index.
// No other file is changed. Files that git ignores, links, and folders such as
// node_modules, vendor, testdata and fixtures are not looked at.
//
// Files that cannot be used (empty, not UTF-8, or a finding of memory-validate)
// are left out one by one, with the reason. So are templates and READMEs, and
// files that agents load in every session, such as CLAUDE.md.
//
// To decide otherwise, edit .whence.yaml: add a glob to documents or decisions, or
// one that begins with "!" to leave files out. Run adopt again after that, and when
// there are new records: it adds their entries and changes no other.
//
// # Safety
//
// An index that memory-validate would reject is written only with --partial, files
// with uncommitted changes only with --force. A second run has nothing to do.
package migrate
