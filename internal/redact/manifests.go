package redact

import (
	"strings"

	"whence/internal/lazyregexp"
)

// Secrets of Kubernetes: in YAML or JSON that says kind: Secret, each value of data and of stringData.

var (
	// manifestStart matches the beginning of a manifest among others.
	manifestStart = lazyregexp.New(`(?m)^[ \t>+]*---|^[ \t>+]*- apiVersion:|\{\s*\\?"apiVersion`)

	secretKind = lazyregexp.New(`kind\\?["']?: {0,4}\\?["']?Secret(?:[^\w-]|$)`)

	// manifestData matches data or stringData of such a manifest: between braces, or in lines that are indented
	// further.
	manifestData = lazyregexp.New(`(?m)\\?["']?\b(?:data|stringData)\\?["']?: *(?:\{(?:\\"(?:\\\\.|[^"\\])*\\"|"(?:\\.|[^"\\])*"|[^{}"\\])*\}|\r?\n(?:[ \t>+]+[^\n]*(?:\n|\z)|[ \t]*\n)+)`)

	// These match a key in that data and its value: in quotes, or else up to the end of the line or, between braces, a
	// comma.
	lineValue  = lazyregexp.New(`(?m)(^` + manifestKey + `)(` + manifestQuoted + `|[^\s"'|][^\n]*)`)
	braceValue = lazyregexp.New(`(?m)((?:^|[{,])` + manifestKey + `)(` + manifestQuoted + `|[^\s"',{}\\|][^\n,{}"\\]*)`)

	// blockStart matches the end of a line whose value is in the lines below that are indented further.
	blockStart = lazyregexp.New(`: *[|>][+-]?\d?[ \t\r]*\n$`)
)

const (
	manifestKind   = "secret"
	manifestKey    = `[ \t>+\r\n]*\\?["']?[\w.-]+\\?["']?: *`
	manifestQuoted = `\\?"(?:\\[^"]|[^"\\\n])*\\?"|'[^'\n]*'`
)

// cleanManifests replaces the values of the Secrets of Kubernetes in a text.
func cleanManifests(text string, note func(kind string)) string {
	if !secretKind().MatchString(text) {
		return text
	}
	var out strings.Builder
	starts := append(manifestStart().FindAllStringIndex(text, -1), []int{len(text)})
	from := 0
	for _, start := range starts {
		manifest := text[from:start[0]]
		from = start[0]
		if secretKind().MatchString(manifest) {
			manifest = manifestData().ReplaceAllStringFunc(manifest, func(data string) string { return cleanData(data, note) })
		}
		out.WriteString(manifest)
	}
	return out.String()
}

// cleanData replaces the values of a mapping that follows its own key.
func cleanData(data string, note func(kind string)) string {
	begin, values := strings.IndexAny(data, "{\n"), lineValue()
	if data[begin] == '{' {
		values = braceValue()
	}
	return data[:begin] + values.ReplaceAllStringFunc(withoutBlocks(data[begin:], note), func(pair string) string {
		groups := values.FindStringSubmatch(pair)
		value := strings.TrimRight(groups[2], " \t\r\n")
		secret := strings.Trim(value, `\"'`)
		if len(secret) < minGivenBytes || isHarmless(secret) {
			return pair
		}
		note(manifestKind)
		return groups[1] + strings.Replace(groups[2], secret, markBegin+manifestKind+markEnd, 1)
	})
}

// withoutBlocks replaces the values of a mapping that are blocks of lines.
func withoutBlocks(data string, note func(kind string)) string {
	var out strings.Builder
	block := -1 // the indent of the key of the block
	for line := range strings.Lines(data) {
		indent := len(line) - len(strings.TrimLeft(line, " \t>+"))
		if block >= 0 && (indent > block || strings.TrimSpace(line) == "") {
			continue
		}
		block = -1
		if place := blockStart().FindStringIndex(line); place != nil {
			block = indent
			note(manifestKind)
			line = line[:place[0]] + ": " + markBegin + manifestKind + markEnd + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}
