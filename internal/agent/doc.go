// Package agent speaks with coding agents that run programs at events: the event comes in
// as JSON on standard input, the reply goes out as JSON on standard output.
package agent
