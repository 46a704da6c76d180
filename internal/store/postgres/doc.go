// Package postgres stores the learnings and turns of a team on a PostgreSQL server, version 15 or later.
//
// [Init] creates the schema whence in a database, and two roles: whence, which owns it, and
// whence_member, with the rights of members. [Admit] makes a login a member of a team. [Open] opens
// the store as that login sees it.
//
// # Who sees what
//
// Every row belongs to a team and to the login that wrote it. Row-level security shows a login the
// rows of its own team, except those that are personal to others: learnings marked so, and turns
// unless they are shared. What is known of sessions is shown to their own login alone. A team has
// three roles: a reader reads; a member also writes, and changes the learnings of colleagues, as
// reinforcing them does; an admin also deletes these, and everything that a login has stored (the
// function whence.erase).
//
// A login in several teams names one in its URL: ?team=ferry.
//
// # Search
//
// Rows have their stems, which the store makes, as tsvector under a GIN index. A table counts the rows
// with each stem, for each team and for what is personal to each member, so that BM25 gives the same
// scores in both engines.
//
// Computing the scores takes most of the time. So a search of one repository scores no rows of
// others. A search of all scores about 3,000 rows with the rarest words of the question, and rows
// with two of its other words.
//
// Embeddings need no extension. With pgvector they have an HNSW index for each model.
//
// # Writing
//
// One transaction at a time writes the learnings of a team, and one the turns of a login, by advisory
// locks. Therefore revisions rise in the order of commits. Statements without a result are sent with
// the next query, and the locks are free before the disk has the transaction; the program then waits
// for the disk.
package postgres
