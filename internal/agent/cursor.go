package agent

import "encoding/json"

// fromCursor gives the fields of a Cursor event the names and forms that they have in Claude Code. It removes the paths
// of transcripts; see HasTranscripts.
func (f fields) fromCursor() {
	delete(f, "transcript_path")
	delete(f, "agent_transcript_path")
	if roots, _ := f["workspace_roots"].([]any); f.text("cwd") == "" && len(roots) > 0 {
		f["cwd"] = roots[0]
	}
	f["duration_ms"], f["error"] = f["duration"], f["error_message"]
	if f.text("failure_type") == "permission_denied" { // the tool was not run
		f["is_interrupt"] = true
	}
	// True if Cursor goes on because of a hook, or if its work is not completed: then it ignores the reply.
	loops, _ := f["loop_count"].(float64)
	status := f.text("status")
	f["stop_hook_active"] = loops > 0 || status != "" && status != "completed"
	var response map[string]any
	if json.Unmarshal([]byte(f.text("tool_output")), &response) == nil {
		f["tool_response"] = response
	}
}
