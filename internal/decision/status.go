package decision

// Status is what a document says of its own standing.
type Status struct {
	Kind StatusKind
	Text string // as written, on one line: "Superseded by [ADR-0005](0005-use-bun.md)"
	// Successors are the records that replace this one, as written: paths of links, without anchor, as
	// seen from the folder of the document, or numbers.
	Successors []string
}

// StatusKind is the standing of a decision.
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
