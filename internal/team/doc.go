// Package team decides which store the learnings and turns of a folder belong to ([ScopeOf]), and
// keeps the replica of a team's store on this machine in step with its server.
//
// A [Scope] is the one door: what is applied to it, read from it or pruned in it reaches the user's
// own store or the team's. A repository's file may name a store ([config.Config]), which counts
// only if the user has allowed that URL ([Allow]); the environment counts unasked.
//
// Hooks never wait for a network: they work on the replica, and a worker syncs it ([Sync]). A
// command asks the server, within a deadline ([Server]); if it cannot be reached, the operation
// is done on the replica and put into the outbox.
//
// # Guarantees
//
// An operation has a key, under which a server does it once, however often it is sent. What is in
// the outbox stays there until the server has done it, in order, and is on the disk: it outlives
// a loss of power. (The replica may lose its last changes then; they come back from the server.)
// What the server refuses for good is kept with the reason and holds up nothing; the replica
// then follows the server. All errors are for good except [UnavailableError], which is waited
// for, unless the server gives up the same operation again and again while it answers others.
//
// A replica follows one team, from the first contact with the server. If the login is in
// another team later, the whole outbox is set aside ([SetAside]): nothing goes to another team
// unless the user says so ([Replica.Resend], [Replica.Discard]).
//
// Turns and counts may be sent in any order and hold up nothing: they have an outbox of their
// own. Counts are not synced to the disk, because hooks make them.
//
// # The replica
//
// It holds the learnings of the repositories that were worked in on this machine, and the global
// ones, with the counts of their last change; and the turns captured on this machine. A refresh
// asks for changes since the last one, by a cursor for each repository. While an operation in
// the outbox contradicts the server, the replica may show either.
package team
