// Package agent reads the events of coding agents, writes replies to them, and edits their settings
// files.
package agent
