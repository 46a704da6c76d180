// memory-migrate converts a memory index from an old format into the current one:
//
//	/when <trigger> | <header title> | <description>
//
// Usage:
//
//	memory-migrate                        print what would change, as a patch
//	memory-migrate --write                change the index
//	memory-migrate plan > plan.tsv        print the plan, a table to edit
//	memory-migrate apply --plan plan.tsv  change the index by the edited plan
//	memory-migrate hook SessionStart      answer an agent: report an old index
//
// Flags:
//
//	--partial        write even if memory-validate would reject the result
//	--force          write even if the index has uncommitted changes
//	--format FORMAT  print as text or json
//	--repo DIR       work in the repository at DIR
//
// Exit status: 0 nothing to do, or done; 1 the index needs a migration, or it was
// refused or leaves findings; 3 wrong flags, settings or plan; 4 a file cannot be
// read or written.
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
// No entry is lost. An entry without a known heading stays in the index as it is.
// The two sections of the oldest format, "Behavioral Rules" and "Technical
// Decisions", are removed: their entries move to the sections of their decision
// files, and entries without a heading are printed and kept in the plan. Without
// --plan, --write then saves the plan beside the index.
//
// An index that memory-validate would reject is written only with --partial, one
// with uncommitted changes only with --force. A second run has nothing to do.
package migrate
