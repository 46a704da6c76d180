// Package usertext separates the words of a user from what an agent adds to them or writes in
// their place: reminders, texts of hooks, output of commands, marks of an interrupt. It also
// defines how the texts begin that whence injects, and removes these.
//
//	Read      one text in the user's name: words, slash command, interrupt
//	Spoken    the words of the user in a prompt
//	Refused   the user's refusal of a tool, with the reason
//	IsMisuse  a failure that the agent caused
//	Output    the output of a failed tool
//
// It is pure, and takes time linear in the length of a text.
package usertext
