package remember

import (
	"io"
	"time"

	"whence/internal/learning"
	"whence/internal/text"
)

// Record is a learning as JSON: what is exported, imported and printed for machines.
type Record struct {
	ID           string     `json:"id,omitempty"`
	Name         string     `json:"name,omitempty"`
	Description  string     `json:"description"`
	Reasoning    string     `json:"reasoning,omitempty"`
	Category     string     `json:"category,omitempty"`
	Keywords     []string   `json:"keywords,omitempty"`
	References   []string   `json:"references,omitempty"`
	Source       string     `json:"source,omitempty"`
	Project      string     `json:"project,omitempty"`
	Personal     bool       `json:"personal,omitempty"`
	Observations int        `json:"observations,omitempty"`
	Confidence   string     `json:"confidence,omitempty"`
	Recalls      int        `json:"recalls,omitempty"`
	Influence    int        `json:"influence,omitempty"`
	LastRecalled *time.Time `json:"last_recalled,omitempty"`
	LastUsed     *time.Time `json:"last_used,omitempty"`
	Created      *time.Time `json:"created,omitempty"`
	Updated      *time.Time `json:"updated,omitempty"`
	Retired      string     `json:"retired,omitempty"`
}

// RecordOf makes a record of a learning.
func RecordOf(l learning.Learning) Record {
	return Record{
		ID: l.ID, Name: l.Name, Description: l.Description, Reasoning: l.Reasoning, Category: string(l.Category),
		Keywords: l.Keywords, References: l.References, Source: string(l.Source), Project: l.Project, Personal: l.Personal,
		Observations: l.Observations, Confidence: string(l.Confidence), Recalls: l.Recalls, Influence: l.Influence,
		LastRecalled: moment(l.LastRecalled), LastUsed: moment(l.LastUsed), Created: moment(l.Created), Updated: moment(l.Updated),
		Retired: l.Retired,
	}
}

// Learning is the learning of a record. Its id follows from the description; a confidence
// or source that is not given is medium and import.
func (r Record) Learning() learning.Learning {
	l := learning.Learning{
		ID: learning.ID(r.Description), Name: r.Name, Description: r.Description, Reasoning: r.Reasoning, Category: learning.Category(r.Category),
		Keywords: r.Keywords, References: r.References, Source: learning.Source(r.Source), Project: r.Project, Personal: r.Personal,
		Observations: r.Observations, Confidence: learning.Confidence(r.Confidence), Recalls: r.Recalls, Influence: r.Influence,
		LastRecalled: at(r.LastRecalled), LastUsed: at(r.LastUsed), Created: at(r.Created), Updated: at(r.Updated),
		Retired: r.Retired,
	}
	if l.Confidence == "" {
		l.Confidence = learning.Medium
	}
	if l.Source == "" {
		l.Source = learning.Import
	}
	return l
}

func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func at(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// WriteRecords writes learnings as JSON lines.
func WriteRecords(w io.Writer, all []learning.Learning) error {
	for _, l := range all {
		if err := text.WriteJSONLine(w, RecordOf(l)); err != nil {
			return err
		}
	}
	return nil
}
