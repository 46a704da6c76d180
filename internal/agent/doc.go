// Package agent knows the coding agents: what they send and understand, where they keep their files, and what they write
// that is not the user's.
//
//	client.go, profile.go                 the agents, and what differs between them
//	event.go, output.go, tool_result.go   an event on standard input, and what a tool has printed
//	reply.go                              the reply to it
//	our_text.go, user_words.go            the texts that whence injects, and the user's own words in a message
//	registrations.go, allow_list.go       hooks and permissions in settings files
//	settings_file_edit.go                 edits of these files that keep every other byte
//	opencode.go                           the plugin, in place of settings
//	cursor.go                             how Cursor differs
//	whence_tools.go                       the tools of our own server
//
// What agents record of their sessions is read by package transcript below it.
package agent
