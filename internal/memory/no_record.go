package memory

import (
	"path"
	"slices"
	"strings"
)

// A folder of records also holds templates, indexes and descriptions. They are left out unless a glob without wildcards
// names them. Their names consist only of words in these tables, so "0002-template-engine.md" and
// "0008-search-index.md" are records.
var (
	templateWords = strings.Fields("template templates adrtemplate tmpl example sample skeleton vorlage plantilla modelo modele modèle")
	listWords     = strings.Fields("readme index toc contents changelog summary overview sidebar glossary roadmap license contributing guide guidelines")
	recordWords   = strings.Fields("adr adrs madr rfc architecture architectural decision decisions record records draft title")
	otherWords    = strings.Fields("of and for table list how to howto bare minimal short long full simple basic nygard alexandrian planguage")
	languages     = strings.Fields("de en es fr it ja ko nl no pl pt ru sv uk zh")
)

// instructionNames are the names of files that agents load in every session.
var instructionNames = []string{"claude.md", "claude.local.md", "agents.md", "gemini.md"}

// IsInstructions reports whether a file has the name of one that agents load in every session.
func IsInstructions(name string) bool {
	return slices.Contains(instructionNames, strings.ToLower(path.Base(name)))
}

// isNoRecord reports whether a file has the name of a template, an index, a description or instructions.
func isNoRecord(name string) bool {
	if IsInstructions(name) {
		return true
	}
	base := strings.ToLower(path.Base(name))
	words := strings.FieldsFunc(strings.TrimSuffix(base, path.Ext(base)), func(r rune) bool { return strings.ContainsRune("-_. ", r) })
	about := 0 // the words before the first one that is not about records
	for about < len(words) && slices.Contains(recordWords, words[about]) {
		about++
	}
	rest := words[about:]
	switch {
	case len(rest) == 0:
		return false
	case isPlaceholder(rest[0]) && strings.Trim(rest[0], "nxymd") == "":
		return true // NNNN-title, ADR-XXX-title, YYYY-MM-DD-title
	case about > 0 && rest[0] == "template":
		return true // decision-record-template-by-michael-nygard
	case strings.Trim(rest[0], "0") == "" && len(rest) > 1 && rest[1] == "title":
		return true
	case len(rest) == 1 && strings.HasSuffix(words[0], "adr") && (rest[0] == "log" || rest[0] == "list"):
		return true
	}
	isSaid := false
	for i, word := range rest {
		switch {
		case slices.Contains(templateWords, word) || slices.Contains(listWords, word):
			isSaid = true
		case isPlaceholder(word) || slices.Contains(recordWords, word) || slices.Contains(otherWords, word):
		case i == len(rest)-1 && slices.Contains(languages, word):
		default:
			return false
		}
	}
	return isSaid
}

// isPlaceholder reports whether a word is a number, or a placeholder for one.
func isPlaceholder(word string) bool {
	return strings.Trim(word, "0123456789") == "" || strings.Trim(word, "n") == "" || strings.Trim(word, "x") == "" ||
		strings.ContainsRune(word, 'y') && strings.Trim(word, "ymd") == "" || word == "mm" || word == "dd"
}
