package finding

import (
	"io"
	"net/url"
	"slices"

	"whence/internal/text"
)

// The parts of SARIF 2.1.0 that a report fills. Source: OASIS Standard,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Version string     `json:"version"`
		Schema  string     `json:"$schema"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
		FullDescription  sarifText `json:"fullDescription"`
		Help             sarifText `json:"help"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// writeSARIF prints a SARIF 2.1.0 log with one run. Paths are relative to
// %SRCROOT%, as code scanning services expect.
func writeSARIF(w io.Writer, r Report) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: r.Tool, Version: r.Version, Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints",
		Results:    []sarifResult{},
	}
	for _, rule := range r.Rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID:               rule.Name,
			ShortDescription: sarifText{rule.Summary},
			FullDescription:  sarifText{rule.Summary},
			Help:             sarifText{r.Tool + " --explain " + rule.Name + " tells more"},
		})
	}
	for _, f := range r.Findings {
		uri := url.URL{Path: f.Path}
		run.Results = append(run.Results, sarifResult{
			RuleID:    f.Rule,
			RuleIndex: slices.IndexFunc(r.Rules, func(rule Rule) bool { return rule.Name == f.Rule }),
			Level:     "error",
			Message:   sarifText{f.Message},
			Locations: []sarifLocation{{sarifPhysical{
				ArtifactLocation: sarifArtifact{uri.String(), "%SRCROOT%"},
				Region:           sarifRegion{f.Line, f.Column, f.Line, f.Column + 1},
			}}},
		})
	}
	return text.WriteJSON(w, sarifLog{
		Version: "2.1.0",
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Runs:    []sarifRun{run},
	})
}
