// Package team exchanges the learnings of repositories with a team's server: PostgreSQL 15 or later.
//
// The store of each machine stays complete: package store notes each change of a shared learning in its
// outbox, in the same transaction. [Sync] pushes the outbox in order, and pulls what others have changed.
// Nothing but the worker and commands that a user types waits for a server.
//
// A push is a transaction of operations, whose ids the server keeps: one whose acknowledgement was lost is
// applied once. Reinforcements are counted there. An edit names the revision that it changes: if another
// store has changed the text since, it becomes a learning of its own beside the other, so that no text is
// lost. What was forgotten stays as a row without text, which adding revives and reinforcing does not.
//
// Each change draws a revision under a lock of the team, so that revisions rise in the order of commits. A
// pull applies what is newer than what the store has, in a transaction that finds the outbox empty.
//
// Captured turns are pushed, if the user shares them, and never pulled: [Search] asks the server.
//
// Grants, roles and row-level security of PostgreSQL decide who may do what; see schema.sql.
package team
