// Package report measures whether memory reaches agents, from the transcripts of sessions and the
// log of answered events.
//
// Scan reads a transcript record by record, and can be saved and resumed; Compute derives the
// figures from scans, log, and entries of a memory; Text prints them for a terminal, HTML as a page.
//
// Transcripts and log record the same events from two sides. No figure mixes both: those of
// [Transcripts] come from transcripts, those of [Log] from the log. Only entries count as recalled
// by either.
//
// docs/report.md defines each figure. item_use.go holds the rules for what counts as use, which
// miss a use rather than invent one.
package report
