package decision

// Status is the status of a decision, as its document states it.
type Status struct {
	Kind StatusKind
	Text string // as written, on one line: "Superseded by [ADR-0005](0005-use-bun.md)"
	// Successors are the records that replace this one, as written: paths of links, without anchor, as
	// seen from the folder of the document, or numbers.
	Successors []string
}

// StatusKind is the kind of a status.
type StatusKind int

const (
	NoStatus   StatusKind = iota // none is stated, or none that is known: the decision holds
	Accepted                     // also approved, decided, implemented …
	Proposed                     // also draft, pending, in review
	Rejected                     // also declined, withdrawn
	Deprecated                   // also obsolete, retired
	Superseded                   // also replaced, amended as a whole
)

// Holds reports whether a decision may be pointed to as one to follow.
func (s Status) Holds() bool { return s.Kind < Rejected }

func readStatus(f *File) Status { return Status{} }
