// memory-remember stores what you learn, finds it, and edits the memory index.
//
//	memory-remember TEXT                store a learning; - reads it from stdin
//	memory-remember search TEXT...      find learnings and past sessions
//	memory-remember list | show NAME    print learnings; everything about one
//	memory-remember edit | forget NAME  change a learning; delete it
//	memory-remember session ID|WORDS    print what was said; list sessions
//	memory-remember prune               delete captured turns
//	memory-remember export | import     JSON lines; import reads Markdown, too
//	memory-remember decide TITLE        write a decision, with its entry
//	memory-remember entry COMMAND       edit the entries of the memory index
//
// Exit status: 0 done; 1 refused, or no answer; 3 wrong flags or settings, or
// the text is too short; 4 a file or the store cannot be read or written.
// More: "memory-remember COMMAND --help"; "memory-remember help manual".
//
// # Learnings
//
// A learning is one fact of at least 20 characters, in the words by which you will
// search for it. Without flags its name is the beginning of the text, and its
// category follows from its words. The same text again reinforces the stored one,
// whatever its case, spaces and final full stop or exclamation mark. Any other text,
// even one word apart, is a learning of its own.
//
// TEXT is one argument: put it in quotes, or pass it on standard input with "-",
// where no shell changes it.
//
// A learning belongs to the repository in which it was stored, identified by its
// git directory: worktrees share it, two clones are two repositories. It is global, and
// applies in all repositories, if it was stored with --global or outside any
// repository. NAME is the name of a learning, its id, or at least the first four
// characters of the id.
//
// "search" needs neither network nor model. It finds what matches enough of the
// query, or else says so and prints the nearest with a rare word of it. Past sessions
// that have any of its words follow the learnings, the nearest first, each with its best
// turn, then commits of the repository; --sessions 0 prints neither.
//
// # Captured turns
//
// Turns are captured when an agent stops, if the user has consented to it (memory-hooks
// install) and the settings allow it (memory_turn_capture), and kept for memory_turn_days: 180 by default, 0 forever.
// "prune --older-than 180d" and "prune --session ID" delete turns permanently:
// reading the transcripts again does not bring them back.
//
// # Privacy
//
// Text that looks like a key, token or password is removed before anything is
// written, as is all text between <private> and </private>; the kind of secret is
// reported. Nothing leaves your machine, except to a server for embeddings that you
// set up yourself (memory_embedding_url and memory_embedding_model in your own
// settings; its key is in WHENCE_EMBEDDING_KEY). Storing never waits for that
// server; a search waits briefly, and then uses words alone.
//
// # Stores
//
// The store is the file memory.db in ~/.local/share/whence, or in a folder outside
// of any work tree that WHENCE_HOME, XDG_DATA_HOME or another HOME names; it is
// readable only by its owner. "export" and "import" move learnings between your own
// machines. What a team should know is a decision, and comes with the repository.
//
// # Agents
//
// Settings in .claude/whence.local.md limit what an agent may store without
// asking: memory_model_capture_mode is ask-first (the default), silent or off, and
// memory_silent_capture_budget is the number of silent captures per session. The
// command "store" follows them: in ask-first mode it prints a proposal, and stores
// it only when the agent repeats the call with --approved; --rejected drops it.
//
// # Decisions
//
// "decide" writes a decision: a heading with --text below it, its entry, and each
// --situation. The first one begins the memory. In a folder of records it is the
// next record: with the number, name, front matter and chapters of the others, and
// the text in the chapter that says what was decided. Else it is a section at the end
// of the decision file; in a log, where each title begins with a day, with that of
// today. If there are several places, --file names the file or the folder.
//
// --supersedes names the decision that it replaces, by title, trigger or path: a
// record gets that status; a section goes if git has its text, and leaves its trigger
// and situations to the new one. --from takes the text of a learning, of a turn of a
// session, SESSION/TURN, or of a commit.
//
// # Index entries
//
// "entry add" adds an entry to the section of its decision file, in the order of
// the headings, and creates the section if needed; --header is the title of a
// heading that exists. "entry rm" removes an entry and prints it, "entry rename"
// changes its fields. "entry draft --write" adds an entry for each heading without
// one, made from its title and text.
//
// Drafts are for your agent to word, with the skill "wording-entries" or without.
// "entry draft" prints what to word: what --write would add, the entries whose trigger
// is derived and whose heading has no situations, then those that only lack situations.
// --format json prints each with its section, the triggers beside it and the rules of a
// good entry. "entry set --stdin" reads the wording, one JSON object per line:
//
//	{"entry": "/when mock patching", "trigger": "writing mock tests", …}
//
// What is absent stays, situations are added. Each line is accepted or refused by
// itself; the reasons say what to do.
//
// Situations are phrases under a heading: what a developer types, does or sees
// when its decision applies, in other words than the trigger's. Recall searches
// them. "entry add --situation" writes them with the entry, "entry set" adds more.
//
// "entry draft --staged --write" is for pre-commit hooks. It drafts an entry in the
// index of the worktree for each staged heading that is new and has none, and fails,
// so that someone rewords and stages it.
//
// An edit that memory-validate would reject is not written: the findings that it
// would cause are printed, and all files stay as they are. Only drafts are written
// with their findings. Several files are changed together or not at all. --dry-run
// prints what would be done. Adding an entry that exists changes nothing, and is not
// an error.
//
// "memory-validate help manual" describes how repository, index and decision files
// are found.
package remember
