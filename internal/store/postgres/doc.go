// Package postgres keeps the store of a team on a PostgreSQL server, version 15 or later.
//
// [Init] makes the schema whence in a database, and two roles: whence, which owns it, and
// whence_member, with the rights of members. [Admit] makes a login a member of a team;
// [Open] is the store as that login sees it.
//
// # Who sees what
//
// Every row belongs to a team and to the login that wrote it. Row-level security shows a
// login the rows of its own team, but those that are personal to others: learnings that
// were said to be, and turns unless they are shared. What is known of a person's sessions is
// that person's alone. Three roles within a team: a reader reads; a member writes too, and
// changes the learnings of colleagues, as reinforcing them does; an admin also deletes those,
// and all that one person has said (the function whence.erase).
//
// A login that is in several teams names one in its URL: ?team=ferry.
//
// # Search
//
// Texts are cut into words and stems here, as SQLite's full-text index does it, and are kept
// as tsvector under a GIN index; how often stems stand in rows is counted in a table of its
// own, a count for each team, and one for what is personal. So BM25 comes to the same
// figures in both engines.
//
// Embeddings need no extension; with pgvector they have an HNSW index for each model.
//
// # Writing
//
// Learnings of a team are written by one transaction at a time, the turns of a login too, by
// advisory locks. Numbers of changes therefore rise in the order of their commits.
package postgres
