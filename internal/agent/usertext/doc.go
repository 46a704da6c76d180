// Package usertext separates the words of a user from what an agent's machinery puts beside them
// or in their place: reminders, texts of hooks, output of commands, marks of an interrupt. It
// also knows the beginnings of the texts that whence injects, so that they are not taken for
// words of the user.
//
//	Read      one text in the user's name: words, slash command, interrupt
//	Spoken    the words of the user in a prompt
//	Refused   the user's refusal of a tool, with the reason
//	IsMisuse  a failure that the agent caused
//	Output    the output of a failed tool
//
// It is pure, compiles nothing, and takes time linear in the length of a text.
package usertext
