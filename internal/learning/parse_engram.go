package learning

import (
	"encoding/json"
	"errors"
	"strings"

	"whence/internal/redact"
	"whence/internal/text"
)

// EngramExport holds the learnings in the output of "engram export", and counts the rest.
type EngramExport struct {
	Observations []EngramObservation
	Deleted      int // observations that were deleted
	Summaries    int // observations that describe a whole session
	Unreadable   int
	Redacted     []string // kinds of secrets that were removed, some perhaps more than once
}

// EngramObservation is a learning from engram.
type EngramObservation struct {
	Learning
	EngramProject string // engram's name of the repository, in lower case; may be empty
	Key           string // names the observation in all exports
	Source        string // names it for people
}

// ParseEngram reads an export of engram. Type and topic become keywords; a line "**Why**: …" is
// the reason. Observations without a project have that of their session. An observation of an unknown shape
// is counted; the error is about the whole.
func ParseEngram(src []byte) (e EngramExport, err error) {
	var all struct {
		Sessions []struct {
			ID, Project string
		}
		Observations []json.RawMessage
	}
	if err := json.Unmarshal(src, &all); err != nil {
		return e, err
	}
	if all.Observations == nil {
		return e, errors.New("it has no observations")
	}
	projects := map[string]string{}
	for _, s := range all.Sessions {
		projects[s.ID] = s.Project
	}
	for _, raw := range all.Observations {
		var o engramObservation
		switch err := json.Unmarshal(raw, &o); {
		case err != nil:
			e.Unreadable++
		case o.DeletedAt != "":
			e.Deleted++
		case o.Type == "session_summary":
			e.Summaries++
		default:
			if o.Project == "" {
				o.Project = projects[o.SessionID]
			}
			read, redacted := o.learning()
			e.Observations, e.Redacted = append(e.Observations, read), append(e.Redacted, redacted...)
		}
	}
	return e, nil
}

// engramObservation is an observation as engram writes it.
type engramObservation struct {
	ID             json.RawMessage
	SyncID         string `json:"sync_id"`
	SessionID      string `json:"session_id"`
	Type           string
	Title          string
	Content        string
	Project        string
	Scope          string
	TopicKey       string `json:"topic_key"`
	DuplicateCount int    `json:"duplicate_count"`
	CreatedAt      string `json:"created_at"`
	UpdatedAt      string `json:"updated_at"`
	DeletedAt      string `json:"deleted_at"`
}

func (o engramObservation) learning() (read EngramObservation, redacted []string) {
	clean := func(s string) string {
		s, kinds := redact.Text(text.Clean(s))
		redacted = append(redacted, kinds...)
		return s
	}
	id, topic := strings.Trim(string(o.ID), `"`), clean(o.TopicKey)
	read.EngramProject = strings.ToLower(strings.TrimSpace(o.Project))
	read.Key = o.SyncID
	if read.Key == "" {
		read.Key = "engram " + id
	}
	read.Source = "engram: observation " + id
	if topic != "" {
		read.Source += " (" + spaced(topic) + ")"
	}
	description, why := SplitReason(clean(o.Content))
	read.Learning = Learning{
		ID: ID(description), Name: spaced(clean(o.Title)), Description: description, Reasoning: why,
		Confidence: Medium, Source: Import, Observations: max(1, o.DuplicateCount), Personal: o.Scope == "personal",
		Created: parseDate(o.CreatedAt), Updated: parseDate(o.UpdatedAt),
	}
	for _, word := range append([]string{o.Type}, strings.FieldsFunc(topic, func(r rune) bool { return r == '/' || r == '_' || text.IsBlank(r) })...) {
		if word = strings.ToLower(word); ValidKeyword(word) {
			read.Keywords = append(read.Keywords, word)
		}
	}
	return read, redacted
}
