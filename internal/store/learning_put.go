package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whence/internal/learning"
	"whence/internal/text"
)

// Observation is the moment in which something is learned.
type Observation struct {
	At      time.Time // zero: now
	Session string    // of the agent; "" if there is none
	Revive  bool      // a learning that was said to no longer apply applies again
	Vetted  bool      // the user has approved of it: see learning.Vet
	Allowed *Projects // that may change what holds in others; nil: all may
}

// Projects are projects by name.
type Projects []string

// allows reports whether what a project has learned may hold in others. What belongs to none
// does already.
func (o Observation) allows(project string) bool {
	return project == "" || o.Allowed == nil || slices.Contains(*o.Allowed, project)
}

// Outcome is the result of storing a learning.
type Outcome struct {
	learning.Learning          // as it is stored now
	Reinforced        bool     // it was known
	Near              bool     // in other words
	Revived           string   // why it was retired until now
	Shared            bool     // it was personal until now
	Apart             bool     // another project has it for itself alone; nothing was stored
	Contradicts       []string // ids of learnings that say the opposite; all are kept
}

// Put stores a learning, or reinforces the one that says the same: the same words except
// for case, spaces and punctuation, or nearly the same (learning.Similar). A
// known learning keeps its name, description, category and source; its reasoning is
// kept if it has one, its keywords and references are joined; observations raise its confidence
// (learning.Reinforce, learning.Vet). In a second project it
// becomes global if the user has allowed both; else it stays as it is ([Outcome.Apart]). A
// personal one becomes shared when it is learned for all in the same words.
//
// Texts are stored as text.Clean has them. A learning without name or description,
// or of a category, confidence or source that there is not, is refused with a
// *learning.FieldError; what else is asked of a learning, Validate tells.
func (s *Store) Put(ctx context.Context, l learning.Learning, o Observation) (out Outcome, err error) {
	err = s.write(ctx, Learnings, func(tx Conn) error {
		out, err = put(ctx, tx, l, o, o.Revive)
		return err
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("store the learning: %w", err)
	}
	return out, nil
}

// put stores a learning. Share is that one which was personal no longer is.
func put(ctx context.Context, tx Conn, l learning.Learning, o Observation, share bool) (Outcome, error) {
	l, err := storable(l)
	if err != nil {
		return Outcome{}, err
	}
	o = o.stored()
	known, near, opposites, err := related(ctx, tx, l)
	if err != nil {
		return Outcome{}, err
	}
	if known != 0 {
		out, err := reinforce(ctx, tx, known, l, o, share)
		out.Near = near
		return out, err
	}
	out := Outcome{Learning: l}
	seq, err := insert(ctx, tx, &out.Learning, o)
	if err != nil {
		return Outcome{}, err
	}
	for _, other := range opposites {
		if _, err := tx.ExecContext(ctx, `INSERT INTO links (entry, contradicts, at) VALUES ($1, $2, $3)`, seq, other.seq, timeText(o.At)); err != nil {
			return Outcome{}, err
		}
		out.Contradicts = append(out.Contradicts, other.id)
	}
	return out, nil
}

// Same is the id under which a learning is known that says the same, as for Put; "" if none
// does.
func (s *Store) Same(ctx context.Context, l learning.Learning) (id string, err error) {
	if l, err = storable(l); err != nil {
		return "", err
	}
	seq, _, _, err := related(ctx, s.conn, l)
	if err != nil || seq == 0 {
		return "", s.explained(err)
	}
	err = s.conn.QueryRowContext(ctx, `SELECT id FROM entries WHERE seq = $1`, seq).Scan(&id)
	return id, s.explained(err)
}

// storable is a learning with the texts and times that a row can have, and its id.
func storable(l learning.Learning) (learning.Learning, error) {
	for _, s := range []*string{&l.Name, &l.Description, &l.Reasoning, &l.Retired} {
		*s = text.Clean(*s)
	}
	l.Keywords, l.References = cleanList(l.Keywords), cleanList(l.References)
	for _, at := range []*time.Time{&l.Created, &l.Updated, &l.LastRecalled, &l.LastUsed} {
		*at = at.UTC().Truncate(time.Second)
	}
	l.ID = learning.ID(l.Description)
	switch {
	case l.Name == "":
		return l, &learning.FieldError{Field: "name"}
	case l.Description == "":
		return l, &learning.FieldError{Field: "description"}
	}
	_, category := learning.ParseCategory(string(l.Category))
	_, confidence := learning.ParseConfidence(string(l.Confidence))
	_, source := learning.ParseSource(string(l.Source))
	return l, cmp.Or(category, confidence, source)
}

// cleanList is a list of clean texts, nil if there is none.
func cleanList(list []string) (clean []string) {
	for _, s := range list {
		if s = text.Clean(s); s != "" {
			clean = append(clean, s)
		}
	}
	return clean
}

// stored is an observation as it is kept.
func (o Observation) stored() Observation {
	o.At, o.Session = moment(o.At), text.Clean(o.Session)
	return o
}

// moment is a time as it is kept; the zero time is now.
func moment(at time.Time) time.Time {
	if at.IsZero() {
		at = time.Now()
	}
	return at.UTC().Truncate(time.Second)
}

// later is the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// maxAlike is how many learnings are compared with a new one, out of about so many rows:
// what says the same, or the opposite, has nearly all of its words, the rare ones too.
const (
	maxAlike  = 6
	rowsAlike = 200
)

// opposite is a learning that contradicts another.
type opposite struct {
	seq int64
	id  string
}

// related finds the learning that says the same as l, 0 if there is none, and those that
// say the opposite.
func related(ctx context.Context, tx Conn, l learning.Learning) (known int64, near bool, opposites []opposite, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq FROM entries WHERE id = $1 OR folded = $2 ORDER BY personal, id <> $3 LIMIT 1`, l.ID, folded(l.Description), l.ID).Scan(&known)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return known, false, nil, err
	}
	hits, err := reader{tx}.search(ctx, Query{Text: longestTerms(l.Description), Project: l.Project, Retired: true, Evidence: MinEvidence, Most: maxAlike}, rowsAlike, 0)
	if err != nil {
		return 0, false, nil, err
	}
	statement := learning.Read(l.Description)
	for _, h := range hits {
		switch learning.Read(h.Description).Compare(statement) {
		case learning.NearDuplicate:
			if h.Personal && !l.Personal {
				continue // a similar text does not make a personal learning public
			}
			return h.seq, true, nil, nil
		case learning.Contradiction:
			if h.Retired == "" {
				opposites = append(opposites, opposite{h.seq, h.ID})
			}
		}
	}
	return 0, false, opposites, nil
}

// termsAlike is how many words of a new learning are searched for, to find those that say
// the same or the opposite.
const termsAlike = 10

// longestTerms returns the longest words of a text: a text that says the same, or the opposite,
// has most of them too, and long words occur in few rows.
func longestTerms(s string) string {
	all := text.Terms(s)
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	all = slices.Compact(all)
	return strings.Join(all[:min(len(all), termsAlike)], " ")
}

// insert adds a row, with what a new learning has.
func insert(ctx context.Context, tx Conn, l *learning.Learning, o Observation) (seq int64, err error) {
	l.Observations = max(l.Observations, 1)
	if l.Created.IsZero() {
		l.Created = o.At
	}
	if l.Updated.IsZero() {
		l.Updated = o.At
	}
	if len(l.Keywords) == 0 {
		l.Keywords = learning.Keywords(l.Name, l.Description, l.Reasoning)
	}
	if seq, err = insertRow(ctx, tx, l); err != nil {
		return 0, err
	}
	return seq, observe(ctx, tx, seq, o)
}

// insertRow adds a row as it is, with its words.
func insertRow(ctx context.Context, tx Conn, l *learning.Learning) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `INSERT INTO entries (revision, personal, id, name, description, reasoning, category, keywords, source, source_project, "references",
		observation_count, confidence, recall_count, last_recalled_at, influence_count, last_used_at, retired, folded, created_at, updated_at)
		VALUES (`+tx.engine.NextRevision()+`, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) RETURNING seq`,
		l.Personal, l.ID, l.Name, l.Description, l.Reasoning, string(l.Category), listText(l.Keywords), string(l.Source), nullable(l.Project), listText(l.References),
		l.Observations, string(l.Confidence), l.Recalls, timeText(l.LastRecalled), l.Influence, timeText(l.LastUsed), nullable(l.Retired), folded(l.Description),
		timeText(l.Created), timeText(l.Updated)).Scan(&seq)
	if err != nil {
		return 0, err
	}
	*tx.late = append(*tx.late, seq)
	return seq, nil
}

func observe(ctx context.Context, tx Conn, seq int64, o Observation) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO observations (entry, session, at) VALUES ($1, $2, $3)`, seq, o.Session, timeText(o.At))
	return err
}

// reinforce counts one more observation of a known learning.
func reinforce(ctx context.Context, tx Conn, seq int64, again learning.Learning, o Observation, share bool) (Outcome, error) {
	_, l, err := scan(tx.QueryRowContext(ctx, `SELECT `+Columns+` FROM entries e WHERE seq = $1`, seq))
	if err != nil {
		return Outcome{}, err
	}
	// An observation is evidence once a session: what one session says twice is one
	// thing. Those without a session count each, and so do those that were imported as a
	// number.
	var noted, before, same int
	if err := tx.QueryRowContext(ctx, `SELECT count(*), count(DISTINCT nullif(session, '')) + count(CASE WHEN session = '' THEN 1 END), count(CASE WHEN session = $1 AND session <> '' THEN 1 END) FROM observations WHERE entry = $2`,
		o.Session, seq).Scan(&noted, &before, &same); err != nil {
		return Outcome{}, err
	}
	if l.Project != "" && l.Project != again.Project && again.Project != "" && !(o.allows(l.Project) && o.allows(again.Project)) {
		again.ID = l.ID
		return Outcome{Learning: again, Apart: true}, nil // and nothing of that project is shown
	}
	before += max(l.Observations-noted, 0)
	text := embeddedText(l)
	out := Outcome{Reinforced: true}
	evidence := l
	evidence.Observations = before
	l.Confidence = learning.Reinforce(evidence, same == 0)
	l.Observations++
	if again.Personal && !l.Personal { // of what one keeps for oneself the team sees that it holds
		again, o.Session = l, ""
	}
	if l.Project == "" && !o.allows(again.Project) { // its words hold in other projects
		again.Keywords, again.References, again.Reasoning = nil, nil, ""
	}
	if l.Project != "" && again.Project == "" && !o.allows(l.Project) { // and so must not be that project's
		l.Name, l.Reasoning, l.Category = again.Name, again.Reasoning, again.Category
		l.Keywords, l.References = again.Keywords, again.References
	}
	l.Updated = later(l.Updated, o.At)
	l.Keywords = joined(l.Keywords, again.Keywords)
	l.References = joined(l.References, again.References)
	if strings.TrimSpace(l.Reasoning) == "" {
		l.Reasoning = again.Reasoning
	}
	if o.Vetted || l.Project != "" && again.Project != "" && l.Project != again.Project {
		l.Confidence = learning.Vet(l)
	}
	if l.Project != again.Project {
		l.Project = ""
	}
	out.Shared = l.Personal && !again.Personal && share
	l.Personal = l.Personal && !out.Shared
	if o.Revive && l.Retired != "" {
		out.Revived, l.Retired = l.Retired, ""
	}
	out.Learning = l
	if err := update(ctx, tx, seq, l, text); err != nil {
		return Outcome{}, err
	}
	return out, observe(ctx, tx, seq, o)
}

// update writes what may change of a row. Its embedding goes where the text that it was
// made of has changed.
func update(ctx context.Context, tx Conn, seq int64, l learning.Learning, embedded string) error {
	if embeddedText(l) != embedded {
		if err := tx.engine.Unembed(ctx, tx, seq); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `UPDATE entries SET revision = `+tx.engine.NextRevision()+`, personal = $1, id = $2, name = $3, description = $4, reasoning = $5, category = $6, keywords = $7, source_project = $8,
		"references" = $9, observation_count = $10, confidence = $11, influence_count = $12, last_used_at = $13, retired = $14, folded = $15, updated_at = $16 WHERE seq = $17`,
		l.Personal, l.ID, l.Name, l.Description, l.Reasoning, string(l.Category), listText(l.Keywords), nullable(l.Project),
		listText(l.References), l.Observations, string(l.Confidence), l.Influence, timeText(l.LastUsed), nullable(l.Retired), folded(l.Description), timeText(l.Updated), seq)
	*tx.late = append(*tx.late, seq)
	return err
}

// joined are the items of both lists, each once, in order.
func joined(a, b []string) []string {
	for _, item := range b {
		if !slices.Contains(a, item) {
			a = append(a, item)
		}
	}
	return a
}

// folded is the hash by which equal learnings are found.
func folded(description string) string {
	return learning.SourceHash(learning.Folded(description))
}
