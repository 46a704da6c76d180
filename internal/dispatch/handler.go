package dispatch

import (
	"context"

	"whence/internal/agent"
)

// Handler is the part of a program that answers one kind of event.
type Handler struct {
	// Wants reports whether there is anything to do, judging by the event alone: the project is
	// not open yet. Nil wants every event. The working folder is set.
	Wants func(agent.Event) bool
	// Record writes down what must not be lost of an event, within maxRecordTime, before the project is
	// opened: the Request has no tree and no settings yet. Nil records nothing.
	Record func(*Request) error
	// Off replaces Record under WHENCE_DISABLE=1, when nothing else is called.
	Off func(*Request) error
	// Run computes the handler's part of the reply; a nil RenderFunc adds nothing to it. A RenderFunc
	// is used even if an error is returned with it. Nil has no part.
	Run func(context.Context, *Request) (RenderFunc, error)
	// After does what must not hold up the reply, once that is written. It must use neither the tree nor the settings:
	// after a late reply, they may still be being read. Nil does nothing.
	After func(*Request) error
}

// RenderFunc renders a part of the reply and updates the session. It registers with Session.After what is
// to be done only if the reply is given.
type RenderFunc func(*Session) agent.Reply

// Handlers maps the names of events to their handlers.
type Handlers map[string][]Handler

// Combine returns the handlers of several programs, in their order.
func Combine(all ...Handlers) Handlers {
	joined := Handlers{}
	for _, handlers := range all {
		for name, list := range handlers {
			joined[name] = append(joined[name], list...)
		}
	}
	return joined
}

// wanting returns the handlers that want an event.
func (h Handlers) wanting(e agent.Event) (wanting []Handler) {
	for _, handler := range h[e.Name] {
		if handler.Wants == nil || handler.Wants(e) {
			wanting = append(wanting, handler)
		}
	}
	return wanting
}
