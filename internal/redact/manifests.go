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

	// manifestData matches what such a manifest has between braces, or in lines that are indented further.
	manifestData = lazyregexp.New(`(?m)\\?["']?\b(?:data|stringData)\\?["']?: *(?:\{[^{}]*\}|\r?\n(?:[ \t>+]+[^\n]*(?:\n|\z)|[ \t]*\n)+)`)

	// manifestValue matches a key of it, and its value: what is quoted, or a word.
	manifestValue = lazyregexp.New(`(?m)((?:^|[{,])[ \t>+\r\n]*\\?["']?[\w.-]+\\?["']?: *)(\\?"(?:\\[^"]|[^"\\\n])*\\?"|'[^'\n]*'|[^\s"',{}\\|][^\n,{}"\\]*)`)

	// blockStart matches the end of a line whose value is in the lines below that are indented further.
	blockStart = lazyregexp.New(`: *[|>][+-]?\d?[ \t\r]*\n$`)
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

// cleanData replaces the values of a mapping behind its own key.
func cleanData(data string, note func(kind string)) string {
	begin := strings.IndexAny(data, "{\n")
	return data[:begin] + manifestValue().ReplaceAllStringFunc(withoutBlocks(data[begin:], note), func(pair string) string {
		groups := manifestValue().FindStringSubmatch(pair)
		value := strings.TrimRight(groups[2], " \t\r\n")
		secret := strings.Trim(value, `\"'`)
		if len(secret) < minGivenBytes || isHarmless(secret) {
			return pair
		}
		note("secret")
		return groups[1] + strings.Replace(groups[2], secret, markBegin+"secret"+markEnd, 1)
	})
}

// withoutBlocks replaces the blocks of lines of a mapping.
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
			note("secret")
			line = line[:place[0]] + ": " + markBegin + "secret" + markEnd + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}
