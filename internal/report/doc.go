// Package report measures whether memory reaches agents, from the transcripts of their sessions.
//
// Scan reads a transcript record by record; Compute adds up scans; Text prints the figures for a
// terminal, HTML as a page. docs/hooks.md defines each figure.
package report
