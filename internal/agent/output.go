package agent

import "strings"

// output returns what a command has printed, without what the agent adds.
func (in *wireEvent) output(client Client) string {
	switch client {
	case Copilot:
		text := strings.TrimSpace(in.Result.Text)
		if at := strings.LastIndexByte(text, '<'); at >= 0 && strings.HasSuffix(text, " completed with exit code 0>") {
			text = strings.TrimSpace(text[:at])
		}
		return text
	case Gemini:
		text := strings.TrimPrefix(strings.TrimPrefix(in.Response.Text, "<untrusted_context>\n"), "Output: ")
		for _, after := range []string{"\n</untrusted_context>", "\nProcess Group PGID: ", "\nBackground PIDs: "} {
			if at := strings.LastIndex(text, after); at >= 0 {
				text = text[:at]
			}
		}
		return strings.TrimPrefix(text, "(empty)")
	case OpenCode:
		return in.Response.Metadata.Output
	}
	if in.Response.Stderr == "" {
		return in.Response.Stdout
	}
	return strings.TrimPrefix(in.Response.Stdout+"\n"+in.Response.Stderr, "\n")
}
