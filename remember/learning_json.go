package remember

import (
	"cmp"
	"io"
	"time"

	"whence/internal/learning"
	"whence/internal/text"
)

// LearningJSON is a learning as it is exported, imported and printed for programs. Its fields are
// those of learning.Learning, so that the two convert into each other.
type LearningJSON struct {
	ID           string              `json:"id,omitempty"`
	Name         string              `json:"name,omitempty"`
	Description  string              `json:"description"`
	Reasoning    string              `json:"reasoning,omitempty"`
	Category     learning.Category   `json:"category,omitempty"`
	Confidence   learning.Confidence `json:"confidence,omitempty"`
	Source       learning.Source     `json:"source,omitempty"`
	Keywords     []string            `json:"keywords,omitempty"`
	References   []string            `json:"references,omitempty"`
	Project      string              `json:"project,omitempty"`
	Observations int                 `json:"observations,omitempty"`
	Recalls      int                 `json:"recalls,omitempty"`
	LastRecalled time.Time           `json:"last_recalled,omitzero"`
	LastUsed     time.Time           `json:"last_used,omitzero"`
	Created      time.Time           `json:"created,omitzero"`
	Updated      time.Time           `json:"updated,omitzero"`
}

// Learning returns the learning. Its id follows from the description; the default confidence is
// medium, the default source import.
func (r LearningJSON) Learning() learning.Learning {
	l := learning.Learning(r)
	l.ID = learning.ID(r.Description)
	l.Confidence, l.Source = cmp.Or(l.Confidence, learning.Medium), cmp.Or(l.Source, learning.Import)
	return l
}

func writeLearnings(w io.Writer, all []learning.Learning) error {
	for _, l := range all {
		if err := text.WriteJSONLine(w, LearningJSON(l)); err != nil {
			return err
		}
	}
	return nil
}
