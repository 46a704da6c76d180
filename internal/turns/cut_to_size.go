package turns

import "whence/internal/shell"

// Bounds of the state of a Filter: less than 64 KB of JSON in all. What exceeds them is
// forgotten, the oldest first: a failure then misses its command, or its fix.
const (
	maxUses     = 16
	maxFailures = 8
	maxMessages = 8
	maxSteps    = 6 // after each failure
	maxChanges  = 5

	maxIDBytes       = 80 // in JSON
	maxNameBytes     = 60
	maxActionBytes   = 600
	maxKeyBytes      = 200
	maxWordsBytes    = 400
	maxDirBytes      = 150
	maxSumBytes      = 16
	maxExcerptBytes  = 600
	maxStepBytes     = 100
	maxMessagesBytes = 16 << 10 // of all together
)

// jsonBytes returns the length of a character in JSON.
func jsonBytes(r rune) int {
	switch {
	case r == '"' || r == '\\' || r == '\n' || r == '\t' || r == '\r':
		return 2
	case r < ' ' || r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029' || r == 0x7f || r == '\ufffd':
		return 6
	case r < 0x80:
		return 1
	case r < 0x800:
		return 2
	case r < 0x10000:
		return 3
	}
	return 4
}

// cutJSON returns the beginning of a text that fits into maxBytes of JSON.
func cutJSON(text string, maxBytes int) string {
	if 6*len(text) <= maxBytes {
		return text
	}
	for i, r := range text {
		if maxBytes -= jsonBytes(r); maxBytes < 0 {
			return text[:i]
		}
	}
	return text
}

// last returns the last n elements of a list.
func last[T any](list []T, n int) []T {
	return list[max(0, len(list)-n):]
}

func boundRun(r *shell.Run) {
	r.Words, r.Dir, r.Sum = cutJSON(r.Words, maxWordsBytes), cutJSON(r.Dir, maxDirBytes), cutJSON(r.Sum, maxSumBytes)
	r.Rest = cutJSON(r.Rest, maxSumBytes)
}

func (u *toolUse) bound() {
	boundRun(&u.Run)
	u.Tool, u.Name = cutJSON(u.Tool, maxIDBytes), cutJSON(u.Name, maxNameBytes)
	u.Action, u.Key = cutJSON(u.Action, maxActionBytes), cutJSON(u.Key, maxKeyBytes)
}

func (e *openFailure) bound() {
	boundRun(&e.Run)
	e.Action, e.Key, e.Excerpt = cutJSON(e.Action, maxActionBytes), cutJSON(e.Key, maxKeyBytes), cutJSON(e.Excerpt, maxExcerptBytes)
	e.Steps = last(e.Steps, maxSteps)
	for i := range e.Steps {
		e.Steps[i] = cutJSON(e.Steps[i], maxStepBytes)
	}
}

// bound drops what exceeds the bounds.
func (s *state) bound() {
	s.Uses, s.Failures, s.Changes = last(s.Uses, maxUses), last(s.Failures, maxFailures), last(s.Changes, maxChanges)
	for i := range s.Uses {
		s.Uses[i].bound()
	}
	for i := range s.Failures {
		s.Failures[i].bound()
	}
	for i := range s.Changes {
		s.Changes[i] = cutJSON(s.Changes[i], maxNameBytes)
	}
	s.boundMessages()
}

// boundMessages keeps the last messages that fit together, and always the last one, which is
// cut to MaxTextChars.
func (s *state) boundMessages() {
	s.Messages = last(s.Messages, maxMessages)
	left := maxMessagesBytes
	for i := len(s.Messages) - 1; i >= 0; i-- {
		m := &s.Messages[i]
		if m.jsonBytes == 0 {
			m.ID, m.First, m.Text = cutJSON(m.ID, maxIDBytes), cutJSON(m.First, maxIDBytes), cutJSON(cut(m.Text, MaxTextChars), maxMessagesBytes)
			for _, r := range m.Text {
				m.jsonBytes += jsonBytes(r)
			}
		}
		if left -= m.jsonBytes; left < 0 && i < len(s.Messages)-1 {
			s.Messages = s.Messages[i+1:]
			return
		}
	}
}
