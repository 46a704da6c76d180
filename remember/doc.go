// Memory-remember writes into the memory, so that what was learned and decided is found
// again: learnings, which are short texts in a store of the user's, and the entries of
// the memory index, which lead to the decisions of a project.
//
// Usage:
//
//	memory-remember TEXT...                 remember a learning ("-": it is on standard input)
//	memory-remember search TEXT...          find learnings, and turns, by a question, an error, a command
//	memory-remember list | show NAME        print learnings; all about one
//	memory-remember edit NAME FLAGS...      change one
//	memory-remember feedback NAME helped | wrong | outdated
//	memory-remember forget NAME             delete one
//	memory-remember stats                   how much is stored, and how much of it is of use
//	memory-remember prune FLAGS...          delete captured turns: old ones, those of a session
//	memory-remember capture                 store what events have left to be stored; they start it
//	memory-remember export | import FILE... JSON lines, Markdown knowledge banks, a plugin's memory.db
//	memory-remember store copy | check      copy a store into another one; what is wrong with one
//	memory-remember store outbox            what a team's store does not have yet, or refused
//	memory-remember store FLAGS...          for agents: as far as the settings allow it
//	memory-remember store allow [URL]       allow repositories to name that store of a team
//	memory-remember serve                   for agents: the same tools by MCP
//	memory-remember hook EVENT              for agents: learnings, when they apply
//	memory-remember write FLAGS...          for callers of an earlier tool
//	memory-remember embed                   ask for the embeddings that are missing
//
//	memory-remember entry add --header TITLE --trigger WORDS --description WORDS
//	memory-remember entry rm TRIGGER
//	memory-remember entry rename TRIGGER [--trigger WORDS] [--header TITLE [--file FILE]] [--description WORDS]
//	memory-remember entry draft [--write]
//	memory-remember entry situations [--format json]
//	memory-remember entry situations add TRIGGER PHRASE... | --stdin
//	memory-remember draft-staged            for a pre-commit hook
//
// "memory-remember COMMAND --help" lists the flags of a command.
//
// # Learnings
//
// A learning is one fact in 20 characters or more, in the words by which it will be looked
// for. Name, category (anti-patterns, patterns, heuristics) and reason are inferred where
// no flag gives them. The same text again, in nearly the same words too, reinforces what is
// there; one that says the opposite is kept beside it, and said to be. Put the text in
// quotes, or behind "-" on standard input, where no shell reads it: a text without quotes
// that begins with the name of a command is that command, and one that begins with nearly
// such a name is refused, unless "--" precedes it.
//
// Each learning belongs to the repository in which it was made, that is to its git
// directory: worktrees share it, other clones do not see it. With --global, outside of any
// repository, and when a second repository learns it too, it holds everywhere. NAME is the
// name of a learning, its id, or the first four or more characters of the id.
//
// "search" needs neither network nor model. It answers only where a learning holds enough
// of what was asked; nothing is an answer too. Behind the learnings it prints captured
// turns of past sessions, where there are any: --turns 0, or --exclude-tags raw, leaves
// them out. "prune --older-than 180d", or "--session ID", deletes turns for good; reading
// their transcripts again does not bring them back. "feedback" is how the store gets better:
// what helped goes first, what is wrong or outdated is kept with the reason and no longer
// shown, until somebody remembers it again.
//
// Turns are captured when an agent stops, if the settings allow it (memory_turn_capture), and
// kept for memory_turn_days, which is 180; 0 is for ever.
//
// What looks like a key, token or password is taken out before anything is written, and so
// is all between <private> and </private>; the kind of it is told. Nothing is sent
// anywhere, unless the environment names an endpoint for embeddings (WHENCE_EMBEDDING_URL,
// WHENCE_EMBEDDING_MODEL, WHENCE_EMBEDDING_KEY); nothing ever waits for it.
//
// The store is the file memory.db in $WHENCE_HOME, $XDG_DATA_HOME/whence or
// ~/.local/share/whence, readable by its owner alone. Another one counts where WHENCE_STORE
// or the setting memory_store names it, by its URL, postgres://user@host:port/database, and
// "store allow" has allowed it to the files of repositories: then the repository is known by
// its remote, or as memory_repository says, in all clones alike. A password has no place in
// the URL: PGPASSWORD, ~/.pgpass or the file that PGPASSFILE names hold it.
//
// What an agent may store of its own accord is a setting in .claude/whence.local.md:
// memory_model_capture_mode is ask-first (the default), silent or off, and
// memory_silent_capture_budget is how many silent captures a session may have.
// "store" keeps to it: what is to be asked first is printed, not stored, until it comes
// with --approved or --rejected.
//
// # Index entries
//
// "entry add" puts an entry where it belongs: into the section of its decision file,
// which is made where it is lacking, in the order of the headings. The decision has to
// be written first; the header is the title of its heading. "entry rm" takes an entry
// out and prints it, "entry rename" changes its fields. "entry draft" prints an entry
// for each heading without one, made of its title and text, and puts them in with
// --write; a draft is a beginning, to be reworded by who knows the decision.
//
// A good trigger is what an agent is doing when the decision applies: two to five words
// in lower case that begin with an activity, "writing mock tests" rather than "mocks".
// The description is the words that one would look for. The three fields together have
// 8 to 20 words.
//
// Situations are phrases under a heading that say what one types, does or sees when its
// decision applies, in other words than the trigger's; recall finds by them. "entry
// situations" lists the entries that have none, with --format json together with all
// that is needed to write them; 16 each are wanted. "entry situations add" writes them
// into the decision file. With --stdin it reads a JSON object a line:
//
//	{"trigger": "writing mock tests", "situations": ["the mock is ignored", "…"]}
//
// "draft-staged" is for a pre-commit hook. It looks for headings that are new in what is
// about to be committed and have no entry there, puts a draft for each into the index of
// the worktree, and fails, so that a person looks at it, rewords it and adds it.
//
// Nothing is written that memory-validate would reject: the findings are printed, and all
// files stay as they are. A draft is written all the same, with its findings: it is there
// to be looked at. Faults that are there already stop nothing. What is written is
// whole or not at all, also where several files change and where others write at once;
// line ends, a byte-order mark and a missing final newline stay. --dry-run says what would
// be done, --diff shows it as a patch; neither writes. To add what is there already is no
// error: it is said, and nothing is written.
//
// Which repository, index and decision files are meant is told as in memory-validate.
//
// # Exit status
//
// 0 done, or there was nothing to do; 1 refused, no answer, no such learning, entry or
// heading, or draft-staged has found new headings; 3 wrong flags or settings, or a text
// that is too short; 4 a file or the store could not be read or written.
package remember
