package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"whence/internal/learning"
	"whence/internal/text"
)

// Observation says when and by whom something is learned.
type Observation struct {
	At      time.Time // zero: now
	Session string    // of the agent, or ""
	Revive  bool      // a retired learning applies again, and a personal one may become shared
	Vetted  bool      // the user has approved of it: see learning.Vet
	Allowed *Projects // whose learnings may change what applies in other projects; nil: all
}

// Projects are names of projects.
type Projects []string

// allows reports whether a learning of a project may apply in others. Global ones do already.
func (o Observation) allows(project string) bool {
	return project == "" || o.Allowed == nil || slices.Contains(*o.Allowed, project)
}

// Outcome is the result of storing a learning.
type Outcome struct {
	learning.Learning        // as it is stored now
	Reinforced        bool   // it was known
	Revived           string // why it was retired until now
	Shared            bool   // it was personal until now
	Apart             bool   // another project keeps it to itself; nothing was stored
}

// Put stores a learning, or reinforces a known one that is equal (learning.Folded).
//
// A known learning keeps its name, description, category, source, and its reasoning if it has
// one. Keywords and references are merged; confidence rises (learning.Reinforce, learning.Vet).
// A learning of a second project becomes global if the user has allowed both projects;
// otherwise nothing changes ([Outcome.Apart]). A personal one becomes shared when it is
// learned for the team in the same words.
//
// Texts are stored as text.Clean returns them. A missing name or description, or an unknown
// category, confidence or source, is a *learning.FieldError; Validate checks the rest.
func (s *Store) Put(ctx context.Context, l learning.Learning, o Observation) (out Outcome, err error) {
	err = s.write(ctx, LearningsLock, func(tx Conn) error {
		out, err = put(ctx, tx, l, o, o.Revive)
		return err
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("store the learning: %w", err)
	}
	return out, nil
}

// put stores or reinforces a learning; share allows a personal one to become shared.
func put(ctx context.Context, tx Conn, l learning.Learning, o Observation, share bool) (Outcome, error) {
	l, err := storable(l)
	if err != nil {
		return Outcome{}, err
	}
	o = o.stored()
	known, err := tx.sameSeq(ctx, l.ID, folded(l.Description), sharedFirst)
	if err != nil {
		return Outcome{}, err
	}
	if known != 0 {
		return reinforce(ctx, tx, known, l, o, share)
	}
	out := Outcome{Learning: l}
	if _, err := insert(ctx, tx, &out.Learning, o); err != nil {
		return Outcome{}, err
	}
	return out, nil
}

// Same returns the id of the learning that Put would reinforce, or "".
func (s *Store) Same(ctx context.Context, l learning.Learning) (id string, err error) {
	if l, err = storable(l); err != nil {
		return "", err
	}
	_, err = s.conn.get(ctx, `SELECT id FROM entries WHERE id = $1 OR folded = $2 ORDER BY `+sharedFirst+` LIMIT 1`, []any{l.ID, folded(l.Description)}, &id)
	return id, s.explained(err)
}

// storable returns a learning with clean texts, times in UTC, and its id.
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

// cleanList drops the items that are empty when they are clean.
func cleanList(list []string) (clean []string) {
	for _, s := range list {
		if s = text.Clean(s); s != "" {
			clean = append(clean, s)
		}
	}
	return clean
}

// stored returns the observation with its time and a clean session.
func (o Observation) stored() Observation {
	o.At, o.Session = storedTime(o.At), text.Clean(o.Session)
	return o
}

// sameSeq returns the row of a learning with an id or a folded description, 0 if there is none.
// Order says which of several: order by id or shared first.
func (c Conn) sameSeq(ctx context.Context, id, folded, order string) (seq int64, err error) {
	_, err = c.get(ctx, `SELECT seq FROM entries WHERE id = $1 OR folded = $2 ORDER BY `+order+` LIMIT 1`, []any{id, folded}, &seq)
	return seq, err
}

// Orders of sameSeq.
const (
	idFirst     = `id <> $1`
	sharedFirst = `personal, id <> $1`
)

// insert adds a new learning, completes its fields, and records its first observation.
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
	if seq, err = insertRow(ctx, tx, *l); err != nil {
		return 0, err
	}
	return seq, observe(ctx, tx, seq, o)
}

func insertRow(ctx context.Context, tx Conn, l learning.Learning) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `INSERT INTO entries (revision, personal, id, name, description, reasoning, category, keywords, source, source_project, "references",
		observation_count, confidence, recall_count, last_recalled_at, last_used_at, retired, folded, created_at, updated_at)
		VALUES (`+tx.engine.NextRevision()+`, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) RETURNING seq`,
		l.Personal, l.ID, l.Name, l.Description, l.Reasoning, string(l.Category), listText(l.Keywords), string(l.Source), nullable(l.Project), listText(l.References),
		l.Observations, string(l.Confidence), l.Recalls, timeText(l.LastRecalled), timeText(l.LastUsed), nullable(l.Retired), folded(l.Description),
		timeText(l.Created), timeText(l.Updated)).Scan(&seq)
	if err != nil {
		return 0, err
	}
	tx.changed.add(Text{Seq: seq, Stems: entriesTable.stems(text.Stemmer{}, []string{l.Name, listText(l.Keywords), l.Description, l.Reasoning})})
	return seq, nil
}

func observe(ctx context.Context, tx Conn, seq int64, o Observation) error {
	return tx.exec(ctx, `INSERT INTO observations (entry, session, at) VALUES ($1, $2, $3)`, seq, o.Session, timeText(o.At))
}

// countEvidence returns how many observations of a learning there are, from how many sources, and how
// many of one session. Each session is one source, as is each observation without.
func countEvidence(ctx context.Context, tx Conn, seq int64, session string) (rows, sources, same int, err error) {
	_, err = tx.get(ctx, `SELECT count(*), count(DISTINCT nullif(session, '')) + count(CASE WHEN session = '' THEN 1 END), count(CASE WHEN session = $1 AND session <> '' THEN 1 END)
		FROM observations WHERE entry = $2`, []any{session, seq}, &rows, &sources, &same)
	return rows, sources, same, err
}

// reinforce records one more observation of a known learning.
func reinforce(ctx context.Context, tx Conn, seq int64, again learning.Learning, o Observation, share bool) (Outcome, error) {
	row, err := tx.learning(ctx, seq)
	if err != nil {
		return Outcome{}, err
	}
	l := row.Learning
	if l.Project != "" && l.Project != again.Project && again.Project != "" && !(o.allows(l.Project) && o.allows(again.Project)) {
		again.ID = l.ID
		return Outcome{Learning: again, Apart: true}, nil // and nothing of that project is shown
	}
	rows, sources, same, err := countEvidence(ctx, tx, seq, o.Session)
	if err != nil {
		return Outcome{}, err
	}
	text := embeddedText(l)
	out := Outcome{Reinforced: true}
	evidence := l
	evidence.Observations = sources + max(l.Observations-rows, 0) // imported ones have no rows
	l.Confidence = learning.Reinforce(evidence, same == 0)
	l.Observations++
	if again.Personal && !l.Personal { // the team learns only that it was observed again
		again, o.Session = l, ""
	}
	if l.Project == "" && !o.allows(again.Project) { // its words would apply in other projects
		again.Keywords, again.References, again.Reasoning = nil, nil, ""
	}
	if l.Project != "" && again.Project == "" && !o.allows(l.Project) { // now global, without that project's words
		l.Name, l.Reasoning, l.Category = again.Name, again.Reasoning, again.Category
		l.Keywords, l.References = again.Keywords, again.References
	}
	l.Updated = later(l.Updated, o.At)
	l.Keywords = union(l.Keywords, again.Keywords)
	l.References = union(l.References, again.References)
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

// update writes a row, except its source, creation time and recalls. The embedding is deleted if
// its text has changed.
func update(ctx context.Context, tx Conn, seq int64, l learning.Learning, embedded string) error {
	if embeddedText(l) != embedded {
		if err := tx.exec(ctx, tx.engine.Unembed(), seq); err != nil {
			return err
		}
	}
	tx.changed.add(Text{Seq: seq})
	return updateRow(ctx, tx, seq, l)
}

// updateRow is update for a row that keeps its words.
func updateRow(ctx context.Context, tx Conn, seq int64, l learning.Learning) error {
	changed, err := tx.execCount(ctx, `UPDATE entries SET revision = `+tx.engine.NextRevision()+`, personal = $1, id = $2, name = $3, description = $4, reasoning = $5, category = $6, keywords = $7, source_project = $8,
		"references" = $9, observation_count = $10, confidence = $11, last_used_at = $12, retired = $13, folded = $14, updated_at = $15 WHERE seq = $16`,
		l.Personal, l.ID, l.Name, l.Description, l.Reasoning, string(l.Category), listText(l.Keywords), nullable(l.Project),
		listText(l.References), l.Observations, string(l.Confidence), timeText(l.LastUsed), nullable(l.Retired), folded(l.Description), timeText(l.Updated), seq)
	if err == nil && changed == 0 { // row-level security hides the row from this login's writes
		err = ErrForbidden
	}
	return err
}

// updateAll writes a row with everything that update leaves out: in PostgreSQL, others may be
// counting recalls meanwhile.
func updateAll(ctx context.Context, tx Conn, seq int64, l learning.Learning, embedded string) error {
	if err := update(ctx, tx, seq, l, embedded); err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE entries SET source = $1, recall_count = $2, last_recalled_at = $3, created_at = $4 WHERE seq = $5`,
		string(l.Source), l.Recalls, timeText(l.LastRecalled), timeText(storedTime(l.Created)), seq)
}

// union returns the items of a and b, without those of b that a has.
func union(a, b []string) []string {
	a = slices.Clip(a)
	for _, item := range b {
		if !slices.Contains(a, item) {
			a = append(a, item)
		}
	}
	return a
}

// folded returns the hash by which equal descriptions are found.
func folded(description string) string {
	return learning.SourceHash(learning.Folded(description))
}
