// Package hook answers the events of coding agents: it reads an event, opens the project
// that it is about, has it answered by whatever a program does at it, and writes one
// reply.
//
// What a program does at an event is an [Handler]. It says which events it wants: of one that
// nobody wants no file is opened. It works out what could be told, and returns a [RenderFunc],
// which tells it once the state of the session is known: nothing else changes that
// meanwhile, and what it notes there is written down if, and only if, the reply is given.
// All that a program tells at one event goes into one reply, and what is recalled has the
// room that the rest leaves.
//
// What must not be lost is kept before the project is opened, by an Answer's Keep, within
// [MaxCaptureTime]. An agent never waits longer than the [Deadline] for the reply that follows, and
// no fault blocks it: a fault is a line in the log ([FaultLogName], in the folder of package
// home), with the stack of a panic below it, and there is no reply.
package dispatch
