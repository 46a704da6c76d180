// Package dispatch answers the events of coding agents: it reads an event, opens its project, calls
// the handlers of the event, and writes one reply.
//
// A [Handler] says which events it wants; if no handler wants an event, neither memory nor store is opened.
// A handler computes its part of the reply, and returns a [RenderFunc] that renders the part once the state of
// the session is locked. Changes to that state are saved only if the reply is given. All parts go into one
// reply, in which each kind of recalled items has its own room.
//
// What must not be lost of an event is saved before the project is opened, by Handler.Record, within
// maxRecordTime. After that, the agent waits no longer than [Deadline] for the reply, and as long again for
// work that belongs to it. Faults never block the agent: each becomes a line in the log ([FaultLog], in the
// folder of package home). An error of a handler costs at most its part of the reply, a panic the whole reply;
// its stack follows in the log.
package dispatch
