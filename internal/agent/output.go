package agent

import (
	"fmt"
	"strings"

	"whence/internal/lazyregexp"
)

// outputReader reads a PostToolUse event. It returns the output of the command without what the agent adds or, if the
// tool has failed although the event does not say so, the failure.
type outputReader func(in fields, isCommand bool) (output, failure string)

func claudeOutput(in fields, _ bool) (output, failure string) {
	response := in.object("tool_response")
	return strings.TrimSpace(response.text("stdout") + "\n" + response.text("stderr")), ""
}

func codexOutput(in fields, _ bool) (output, failure string) { return in.text("tool_response"), "" }

func copilotOutput(in fields, isCommand bool) (output, failure string) {
	if text := in.text("tool_response"); text != "" { // VS Code
		if m := vscodeExit().FindStringSubmatchIndex(text); m != nil && isCommand {
			return "", "Exit code " + text[m[2]:m[3]] + "\n" + text[:m[0]]
		}
		return strings.TrimSpace(text), ""
	}
	result := in.object("tool_result")
	whole := result.text("text_result_for_llm")
	output, status := CopilotOutput(whole)
	if result.text("result_type") == "failure" || isCommand && status != "0" {
		return "", whole
	}
	return strings.TrimSpace(output), ""
}

func geminiOutput(in fields, isCommand bool) (output, failure string) {
	whole := in.object("tool_response").text("llmContent")
	output, status := GeminiOutput(whole)
	if isCommand && status != "0" {
		return "", whole
	}
	return strings.TrimSpace(output), ""
}

func opencodeOutput(in fields, isCommand bool) (output, failure string) {
	metadata := in.object("tool_response").object("metadata")
	output = metadata.text("output")
	if code, _ := metadata["exit"].(float64); code != 0 && isCommand {
		return "", fmt.Sprintf("Exit code %v\n%s", code, output)
	}
	return strings.TrimSpace(output), ""
}

func cursorOutput(in fields, isCommand bool) (output, failure string) {
	response := in.object("tool_response")
	output = response.text("output")
	if code, _ := response["exitCode"].(float64); code != 0 && isCommand {
		return "", fmt.Sprintf("Exit code %v\n%s", code, output)
	}
	return strings.TrimSpace(output), ""
}

var (
	copilotExit = lazyregexp.New(`\n?<[^<>\n]* completed with exit code (-?\d+)>\s*\z`)
	vscodeExit  = lazyregexp.New(`(?m)^Command exited with code (-?\d+)\s*\z`)
	geminiExit  = lazyregexp.New(`(?m)^Exit Code: (-?\d+)$`)
	geminiFrame = lazyregexp.New(`(?m)^(Exit Code|Process Group PGID|Background PIDs|Signal): .*$`)
)

// CopilotOutput returns the output of a command without the line that Copilot CLI adds at its end, and the exit status
// in that line; "0" without it.
func CopilotOutput(text string) (output, status string) {
	if m := copilotExit().FindStringSubmatchIndex(text); m != nil {
		return text[:m[0]], text[m[2]:m[3]]
	}
	return text, "0"
}

// GeminiOutput returns the output of a command without what Gemini CLI writes around it, and the exit status. Gemini
// CLI names the status only if the command has failed; otherwise it is "0".
func GeminiOutput(text string) (output, status string) {
	status = "0"
	if m := geminiExit().FindStringSubmatch(text); m != nil {
		status = m[1]
	}
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<untrusted_context>"), "</untrusted_context>")
	text = strings.TrimSpace(geminiFrame().ReplaceAllString(text, ""))
	return strings.TrimPrefix(strings.TrimPrefix(text, "Output: "), "(empty)"), status
}
