// Memory-migrate brings a memory index of an old format into the one that
// memory-validate checks and memory-when reads:
//
//	/when <trigger> | <header title> | <description>
//
// It knows two old formats, and takes an index line by line, so they may be mixed:
//
//	Mock patching pattern — patch where used, not defined
//	/when writing mock tests | mock patch, test doubles
//
// Usage:
//
//	memory-migrate [flags]                    show what would change, as a patch
//	memory-migrate --write [flags]            change it
//	memory-migrate plan [flags] > plan.tsv    write the plan as a table, to edit
//	memory-migrate apply --plan plan.tsv      change the index by the edited table
//	memory-migrate hook SessionStart          for agents: tells that the index is in an old format
//
// The plan has a row for each entry: the heading that it leads to, a trigger, the
// description, and why. Headings are matched by their title, else by words, with a
// confidence below 1: look at those. Triggers are derived by the rules of
// docs/migrate.md. Edit what you like in a spreadsheet or a text editor; a row with an
// empty header becomes no entry.
//
// No entry is lost. One whose heading is not known stays in the index as it is. The
// two sections of the oldest format, "Behavioral Rules" and "Technical Decisions",
// go: their entries are filed under their headings, and those that have none are
// printed and kept in the plan. Without --plan, --write puts it beside the index if
// it holds such rows.
//
// An index that memory-validate would reject is not written, unless with --partial.
// An index with changes that are not committed is not touched, unless with --force.
// A second run has nothing to do.
//
// Exit status: 0 nothing to do, or all done; 1 a migration is due, was refused, or
// leaves findings; 3 wrong flags, settings or plan; 4 a file could not be read or
// written.
package migrate
