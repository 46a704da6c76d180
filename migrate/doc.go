// Memory-migrate converts a memory index from an old format into today's:
//
//	/when <trigger> | <header title> | <description>
//
// Usage:
//
//	memory-migrate                            show what would change, as a patch
//	memory-migrate --write                    change the index
//	memory-migrate plan > plan.tsv            write the plan as a table, to edit
//	memory-migrate apply --plan plan.tsv      change the index by the edited table
//	memory-migrate hook SessionStart          for agents: report an old index
//
// Flags:
//
//	--partial        write even if memory-validate would reject the result
//	--force          write even if the index has uncommitted changes
//	--plan FILE      the table; - is standard input
//	--format FORMAT  print as text or json
//	--repo DIR       work in the repository at DIR
//
// Exit status: 0 nothing to do, or all done; 1 a migration is due, was refused or
// leaves findings; 3 wrong flags, settings or plan; 4 a file failed.
// More: "memory-migrate COMMAND --help"; "memory-migrate help manual".
//
// # Formats
//
// Memory-migrate knows two old formats. It reads an index line by line, so they may be mixed:
//
//	Mock patching pattern — patch where used, not defined
//	/when writing mock tests | mock patch, test doubles
//
// # The plan
//
// The plan has a row for each entry: its heading, a trigger, the description, and why. Headings
// are matched by title, else by words, with a confidence below 1: check those. Triggers are
// derived by the rules of docs/migrate.md. Edit the table in a spreadsheet or a text editor; a
// row with an empty header is skipped.
//
// No entry is lost. An entry without a known heading stays in the index as it is. The two
// sections of the oldest format, "Behavioral Rules" and "Technical Decisions", are removed:
// entries move to their headings, and those that have none are printed and kept in the plan.
// Without --plan, --write then saves the plan beside the index.
//
// An index that memory-validate would reject is written only with --partial, one with
// uncommitted changes only with --force. A second run has nothing to do.
package migrate
