// Package agent knows the coding agents: the events they send, the replies they understand, where they keep their
// files, and which parts of a message are not the user's words.
//
//	client.go, profile.go                 the agents, and what differs between them
//	event.go, output.go, tool_result.go   an event on standard input, and the output of a tool
//	reply.go                              the reply to an event
//	our_text.go, user_words.go            the texts that whence injects, and the user's own words in a message
//	registrations.go, allow_list.go       hooks and permissions in settings files
//	settings_file_edit.go                 edits of these files that keep every other byte
//	opencode.go                           the plugin that replaces settings in OpenCode
//	cursor.go                             how Cursor's events differ
//	whence_tools.go                       the tools of our own server
//
// Package transcript, in a folder below, reads what agents record of their sessions.
package agent
