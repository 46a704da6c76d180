// Package transcripts finds and opens the transcripts that agents have written on this machine. What
// is in them is read by package transcript.
//
//	Open       a transcript by its name: a path, for OpenCode's database with the session
//	Siblings   the transcripts of the same agent beside one
//	In         all transcripts of an agent
//	Subagents  those of the subagents of a session of Gemini CLI
package transcripts
