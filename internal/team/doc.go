// Package team exchanges the learnings of repositories with the PostgreSQL server of a team, version 15
// or later.
//
// The store of each machine stays complete: package store notes each change of a shared learning in its
// outbox, in the same transaction. [Sync] pushes the outbox in order, and pulls what others have changed.
// Nothing but the worker and commands that a user types waits for a server.
//
// # Push
//
// A batch of operations is one transaction on the server. It records their ids, so that one whose
// acknowledgement was lost is applied once. Reinforcements are counted there. An edit names the revision
// that it changes. If another store has changed the text since, the edit becomes a learning of its own
// beside the other, so that no text is lost. What was forgotten stays as a row without text. Adding
// revives it, reinforcing does not.
//
// # Pull
//
// Each change draws a revision under a lock of the team, so that revisions rise in the order of commits.
// A store applies what is newer than what it has, in a transaction that finds its outbox empty.
//
// # Turns
//
// Captured turns are pushed, if the user shares them, and never pulled: [Search] asks the server.
//
// # Rights
//
// A team is a role of the server, its members are logins with that role. Grants and row-level security
// decide what they read and write; see schema.sql. A client connects as its URL says: variables such as
// PGHOST do not count, since agents let a repository set them.
package team
