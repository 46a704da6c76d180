package hook

import (
	"regexp"
	"strings"
	"sync"
)

// harnessText matches what an agent's own machinery puts between the words of a user:
// reminders, what hooks have said, the output of its commands, the names of slash commands.
// What was typed behind a slash command stays.
var harnessText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)<(system-reminder|ide_opened_file|ide_selection|local-command-[a-z]+|command-name|command-message|bash-stdout|bash-stderr|task-notification|hook_context)>.*?(?:</(?:system-reminder|ide_opened_file|ide_selection|local-command-[a-z]+|command-name|command-message|bash-stdout|bash-stderr|task-notification|hook_context)>|\z)|</?(?:command-args|bash-input)>|\[Request interrupted by user[^\]]*\]`)
})

// Broken is how the reason begins why an agent must not stop yet.
const Broken = "The memory index was changed in this session and is not true any more."

// Spoken are the words of the user in a prompt. Some agents take the reason why they must
// not stop for a prompt.
func Spoken(prompt string) string {
	if strings.HasPrefix(prompt, Broken) {
		return ""
	}
	if !strings.ContainsAny(prompt, "<[") {
		return prompt
	}
	return strings.TrimSpace(harnessText().ReplaceAllString(prompt, " "))
}

// fromHarness tells whether a failure is the agent's own doing: a tool that was used
// wrongly, a permission that is lacking. Nothing was learned from the like of it.
func fromHarness(failure string) bool {
	for _, begin := range []string{"<tool_use_error>", "Claude requested permissions", "This Bash command contains multiple operations", "The user doesn't want to"} {
		if strings.HasPrefix(failure, begin) {
			return true
		}
	}
	return strings.Contains(failure, "requires approval")
}
