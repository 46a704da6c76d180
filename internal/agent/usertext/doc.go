// Package harness tells the words of a user from what an agent's machinery puts beside
// them or in their place: reminders, what hooks have said, the output of commands, marks
// of an interrupt. It knows as well how the texts begin that this program itself puts
// before an agent, so that nothing of it is taken for something a user has said.
//
//	Read         one text in the user's name: words, slash command, interrupt
//	Spoken       the words of the user in a prompt
//	Refused      a result that is the user's refusal, with the reason
//	IsMisuse     a failure that is the agent's own doing
//	Output       what a tool that has failed has said
//
// It is pure, compiles nothing, and takes time linear in the length of a text.
package usertext
