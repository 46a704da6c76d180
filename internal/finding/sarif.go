package finding

import (
	"io"
	"net/url"
	"slices"

	"whence/internal/inert"
)

// object is a JSON object.
type object map[string]any

// writeSARIF prints a log of SARIF 2.1.0 with one run. Paths are relative to %SRCROOT%, as code scanning
// services expect. Source: OASIS Standard, https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
func writeSARIF(w io.Writer, r Report) error {
	rules, results := []object{}, []object{}
	for _, rule := range r.Rules {
		rules = append(rules, object{
			"id":               rule.Name,
			"shortDescription": object{"text": rule.Summary},
			"fullDescription":  object{"text": rule.Summary},
			"help":             object{"text": r.Tool + " --explain " + rule.Name + " explains it"},
		})
	}
	for _, f := range r.Findings {
		uri := url.URL{Path: f.Path}
		place := object{
			"artifactLocation": object{"uri": uri.String(), "uriBaseId": "%SRCROOT%"},
			"region":           object{"startLine": f.Line, "startColumn": f.Column, "endLine": f.Line, "endColumn": f.Column + 1},
		}
		results = append(results, object{
			"ruleId":    f.Rule,
			"ruleIndex": slices.IndexFunc(r.Rules, func(rule Rule) bool { return rule.Name == f.Rule }),
			"level":     "error",
			"message":   object{"text": f.Message},
			"locations": []object{{"physicalLocation": place}},
		})
	}
	return inert.WriteJSON(w, object{
		"version": "2.1.0",
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"runs": []object{{
			"tool":       object{"driver": object{"name": r.Tool, "version": r.Version, "rules": rules}},
			"columnKind": "unicodeCodePoints",
			"results":    results,
		}},
	})
}
