// Package team answers which store a folder's learnings and turns belong to ([ScopeOf]), and
// keeps a team's store in step with its replica on this machine.
//
// Hooks never wait for a network: they work on the replica, and a worker syncs it ([Sync]).
// A repository's file may name a store ([config.Config]), which counts only if the user has
// allowed that very URL ([Allow]); what the environment names is the user's own word.
//
// What changes a store is an [Operation]: data, so that it can be done now or later, here or
// elsewhere ([Apply]). A command asks the server, within a deadline ([Server]); where it
// cannot be reached the operation is done on the copy and put into the outbox ([Write]), and
// a hook does nothing else. A worker brings the outbox to the server and reads what has
// changed there ([Sync]).
//
// # What is acknowledged
//
// An operation has a key, under which a server does it once, however often it is sent: an
// answer that was lost is asked for again under the same key. What was put into the outbox
// stays there until the server has done it, in the order in which it was done here; it is on
// the disk, and outlives a loss of power. (The copy may lose the last changes by that, which come
// back from the server.) What the server refuses for good is put aside, with the reason, and the
// copy becomes what the server has: it holds up nothing. All errors of the server are for good
// but those of [UnavailableError]: that is waited for, unless the server gives up the same operation again
// and again while it answers others.
//
// # Whose it is
//
// A copy follows one team, from the first time that the server is asked. If the login is in
// another team later, the outbox is put aside as a whole ([SetAside]): nothing goes to another team
// unless the user says so ([Resend], [Discard]).
//
// Turns and counts may come in any order, and are no reason for others to wait: they have an
// outbox of their own. Counts are not written through to the disk: hooks make them.
//
// # The copy
//
// It holds the learnings of the repositories that were worked in on this machine, and the
// global ones, with the counts of the last change; and the turns that were said on this
// machine. [Refresh] asks for what has changed since the last time, by a cursor for each
// repository. Where what is still in the outbox contradicts what the server has, the copy
// shows the one or the other until both are together.
package team
