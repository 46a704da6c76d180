// Package dispatch answers the events of coding agents: it reads an event, opens its project, calls
// the handlers of the event, and writes one reply.
//
// A [Handler] says which requests it wants; if none does, neither memory nor store is opened. It computes its part of
// the reply, and returns a [RenderFunc] that renders it once the state of the session is locked.
// Changes to that state are saved if and only if the reply is given. All parts go into one reply;
// each kind of recalled items has its own room in it.
//
// What must not be lost is saved before the project is opened, by Handler.Record, within
// maxRecordTime. After that an agent waits no longer than [Deadline] for the reply, and as long again for
// work that belongs to it. No fault blocks it: a fault
// is a line in the log ([FaultLog], in the folder of package home). An error of a handler costs at most
// its part of the reply, a panic all of it; the stack follows in the log.
package dispatch
