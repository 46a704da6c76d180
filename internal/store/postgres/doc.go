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
// Rows keep their stems, which the store makes, as tsvector under a GIN index. A table counts in
// how many rows each stem is, for each team and for what is personal to each member, so that BM25
// gives the same scores in both engines.
//
// Embeddings need no extension; with pgvector they have an HNSW index for each model.
//
// # Writing
//
// Learnings of a team are written by one transaction at a time, the turns of a login too, by
// advisory locks. Numbers of changes therefore rise in the order of their commits.
package postgres
