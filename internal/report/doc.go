// Package report works out whether memory reaches agents: from the transcripts of sessions
// and from the log of events that were answered.
//
//	Scan      what one transcript tells, record by record; it can be put down and taken up
//	Of        figures of many scans, of the log, and of the entries of a memory
//	Text      figures for a terminal, HTML as one page, both without any state
//
// Transcripts and log see the same moments from two sides. No figure is made of both: those
// of [Transcripts] come from what stands in transcripts, those of [Log] from the log. Only an
// entry counts as recalled by either.
//
// docs/report.md defines each figure. What counts as use is in evidence.go, a rule a kind:
// it would rather miss one than make one up.
package report
