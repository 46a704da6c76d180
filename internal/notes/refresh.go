package notes

// count counts a tool call, also a failed one. With each n-th call of an agent it returns the
// notes to inject again, if they have changed.
func (v *eventRun) count() (string, error) {
	v.book.ToolCalls++
	v.session.ToolCalls++
	if v.Session == "" {
		return "", nil
	}
	c := v.session.counter(v.Subagent)
	c.Calls++
	if v.config.NotesRefresh == 0 || c.Calls < v.config.NotesRefresh {
		return "", nil
	}
	c.Calls = 0
	text, err := v.folder.injection()
	return v.show(text, false), err
}

// compact makes the notes due again, as compaction may drop them from the conversation.
func compact(v *eventRun) (string, error) {
	v.session.counter(v.Subagent).Shown = ""
	return "", nil
}
