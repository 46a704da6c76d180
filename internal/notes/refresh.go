package notes

// count counts a tool call, and with each n-th one of an agent tells the notes again, if
// they say anything that it was not told last. Errors count as well.
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

// compact has an agent forget what it was told, since its conversation is made shorter.
func compact(v *eventRun) (string, error) {
	v.session.counter(v.Subagent).Shown = ""
	return "", nil
}
