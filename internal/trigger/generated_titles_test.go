package trigger

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/index"
)

// TestTriggersOfGeneratedTitles requires what is true of every good trigger for a thousand titles
// of all shapes.
func TestTriggersOfGeneratedTitles(t *testing.T) {
	random := rand.New(rand.NewPCG(20, 6))
	faults := map[string]int{}
	for i := range 1_000 {
		g := &titleGenerator{Rand: random, gerunds: map[string]bool{}}
		title := g.title(i)
		d := Derive(Section{Title: title})
		require.Equal(t, d, Derive(Section{Title: title}), title)
		if fault := g.fault(title, d); fault != "" {
			faults[fault]++
			t.Errorf("%s: %q gives %q", fault, title, d.Operator+" "+strings.Join(d.Words, " "))
		}
	}
	if len(faults) > 0 {
		t.Log(faults)
	}
}

// Words that a trigger must neither begin nor end with: articles, prepositions, conjunctions,
// auxiliaries and pronouns. Particles other than prepositions, as in "rolling back" and "logging
// out", are not among them; "opting in" may not end a trigger, because it reads as if cut.
var (
	noEnd = set(`a an the of for in on with from via during to by before after at over into onto than as per under
		without against between across within about through inside outside until unless and or but nor so if because
		since while when where whether that which whose who what how why is are was were be been am must should shall
		can cannot may might will would could do does did has have had it they we you i he she them us its their our
		your my this these those`)
	noLast = set("not no never vs versus every each both any only also very too don't isn't")
)

var triggerWord = regexp.MustCompile(`^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}'/._-]+$`)

// fault returns the class of fault of a trigger, or "" if it is good.
func (g *titleGenerator) fault(title string, d Derivation) string {
	trigger := strings.Join(d.Words, " ")
	own := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	if len(d.Words) == 0 && !slices.ContainsFunc(own, func(w string) bool { return utf8.RuneCountInString(w) > 1 && !noEnd()[w] && !noLast()[w] }) {
		return "" // the title has no word: Set.Unique takes one of the file's name
	}
	if len(d.Words) < 2 || len(d.Words) > 6 {
		return fmt.Sprintf("%d words", len(d.Words))
	}
	if trigger != index.NormalizeTrigger(trigger) || slices.ContainsFunc(d.Words, func(w string) bool { return !triggerWord.MatchString(w) }) {
		return "not in the format of a trigger"
	}
	first, last := d.Words[0], d.Words[len(d.Words)-1]
	if noEnd()[first] {
		return "stop word at the beginning"
	}
	if noEnd()[last] || noLast()[last] {
		return "stop word at the end"
	}
	for i, w := range d.Words {
		letters := strings.ContainsFunc(w, unicode.IsLetter)
		switch {
		case !letters && !strings.ContainsFunc(w, unicode.IsDigit):
			return "word without letters"
		case utf8.RuneCountInString(w) < 2:
			return "word of one letter"
		case i > 0 && w == d.Words[i-1]:
			return "doubled word"
		}
		verb := w[strings.LastIndexByte(w, '-')+1:]
		if strings.HasSuffix(w, "ing") && !slices.Contains(own, verb) && !g.gerunds[verb] && !addedGerunds()[w] {
			return "verb that is none"
		}
	}
	return ""
}

// addedGerunds are the verbs that rules put before the words of a title, those of the shapes below,
// and another spelling of one.
var addedGerunds = set("working choosing deciding considering avoiding preferring queuing treating placing")

// titleGenerator composes titles. It notes which words are verbs, in the form that a trigger may have.
type titleGenerator struct {
	*rand.Rand
	gerunds map[string]bool
}

var (
	// verbs with their gerund and third person.
	someVerbs = listOf(`add adding adds,use using uses,keep keeping keeps,cache caching caches,log logging logs,
		commit committing commits,debug debugging debugs,prefer preferring prefers,split splitting splits,
		run running runs,rewrite rewriting rewrites,tie tying ties,copy copying copies,fix fixing fixes,
		validate validating validates,map mapping maps,queue queueing queues,retry retrying retries,
		emit emitting emits,wrap wrapping wraps,agree agreeing agrees,see seeing sees,edit editing edits,
		override overriding overrides,defer deferring defers,trust trusting trusts,write writing writes,
		ping pinging pings,bring bringing brings,synchronise synchronising synchronises,free freeing frees`)
	someSubjects = listOf(`handlers,the scheduler,our linter,every migration,each worker,SQLite,the CI,a retry,tests,
		a stale cache,GitHub Actions,the API's clients,readers,Grüße,日本語,no consumer,The importer,nobody`)
	someNouns = listOf(`batch size,log levels,merge queue,release notes,load balancer,lock file,read replicas,write access,
		open questions,call sites,build cache,string interning,spring configuration,ring buffer,morning report,ceiling,
		test data,design review,record layout,plan files,cover page,process table,start time,set of flags,order of keys,
		retry policy,error codes,the user's session,users' sessions,naïve dates,prompt,report,status,analysis,index,
		indices,criteria,news,access,HTTP/2,TCP/IP,C API,X axis,Plan B,I/O,the log log,ids,CI/CD pipelines,
		copy protection,import cycles,mock clocks,trigger words,function,exit code 3,UTF-8,Größe,naïveté,данные,設計`)
	someCode = listOf("`foo()`,`--flag`,`__init__.py`,`a.b.c`,`*.go`,`x`,`git push --force`,`A<T>`,`null`,`os.Getenv(\"HOME\")`,`|`," +
		"`SessionStart`,`snake_case`,`i++`,`C:\\dir`,`$PATH`")
	someTails = listOf(`in tests,for the clients,during a deploy,before a merge,of the,on Windows,because it is slow,when it
		fails,as a fallback,so that nobody waits,without a lock,per tenant,that we own,with,and,to,via Kafka,unless asked,if,
		until 2025,at all,by default,which the vendor renames,from A to B,within 5 s,not,back,out`)
)

// listOf splits a list at its commas.
func listOf(list string) []string { return regexp.MustCompile(`,\s*`).Split(list, -1) }

func (g *titleGenerator) pick(list []string) string { return list[g.IntN(len(list))] }

// verb returns a verb in its base form, its gerund or its third person.
func (g *titleGenerator) verb(form int) string {
	forms := strings.Fields(g.pick(someVerbs))
	g.gerunds[forms[1]] = true
	return forms[form]
}

// thing returns a noun phrase or code.
func (g *titleGenerator) thing() string {
	if g.IntN(5) == 0 {
		return g.pick(someCode)
	}
	return g.pick(someNouns)
}

// maybe returns one of the list, after a space, in one case of three.
func (g *titleGenerator) maybe(list []string) string {
	if g.IntN(3) > 0 {
		return ""
	}
	return " " + g.pick(list)
}

// title composes the i-th title: the shapes follow each other.
func (g *titleGenerator) title(i int) string {
	shapes := []func() string{
		func() string { return "Why do we " + g.verb(0) + " " + g.thing() + g.maybe(someTails) + "?" },
		func() string { return "Why " + g.pick(someSubjects) + " " + g.verb(2) + " " + g.thing() },
		func() string {
			return g.pick([]string{"Should", "May", "Can", "Must"}) + " " + g.pick(someSubjects) + " " + g.verb(0) + " " + g.thing() + "?"
		},
		func() string {
			return g.pick([]string{"Should we", "How do I", "When do we", "Do we"}) + " " + g.verb(0) + " " + g.thing() + "?"
		},
		func() string {
			return g.pick([]string{"What", "Which", "Where", "Who"}) + " " + g.verb(2) + " " + g.thing() + "?"
		},
		func() string { return "What is " + g.pick([]string{"a ", "the ", ""}) + g.thing() + "?" },
		func() string { return g.thing() + g.pick([]string{" vs ", " vs. ", " versus ", " VS "}) + g.thing() },
		func() string { return g.verb(1) + " vs " + g.verb(1) },
		func() string {
			return g.thing() + g.pick([]string{" over ", " instead of ", " rather than ", ", not ", " and not "}) + g.thing()
		},
		func() string {
			return g.pick([]string{"Never", "Don't", "Don’t", "Do not", "DO NOT", "Always"}) + " " + g.verb(0) + " " + g.thing() + g.maybe(someTails)
		},
		func() string {
			return g.pick([]string{"No", "Avoid", "Only", "Without", "Not"}) + " " + g.thing() + g.maybe(someTails)
		},
		func() string { return "Avoid " + g.verb(1) + " " + g.thing() + g.maybe(someTails) },
		func() string {
			return g.verb(0) + " " + g.pick([]string{"the", "every", "all", "only one", "a"}) + " " + g.thing() + g.maybe(someTails)
		},
		func() string { return g.verb(0) + " and " + g.verb(0) + " " + g.thing() + g.maybe(someTails) },
		func() string { return g.pick(someSubjects) + " " + g.verb(2) + " " + g.thing() + g.maybe(someTails) },
		func() string {
			return g.pick(someSubjects) + g.pick([]string{" must ", " should never ", " can't ", " will "}) + g.verb(0) + " " + g.thing() + g.maybe(someTails)
		},
		func() string {
			return g.thing() + g.pick([]string{" is ", " are ", " requires ", " isn't ", " has "}) + g.pick([]string{"slow", "a", "required", "debt", "not"}) + g.maybe(someTails)
		},
		func() string { return "How to " + g.verb(0) + " " + g.thing() + g.maybe(someTails) },
		func() string {
			return g.pick([]string{"When ", "If ", "While ", "Before ", "During ", "After "}) + g.verb(1) + " " + g.thing() + g.maybe(someTails)
		},
		func() string {
			return "When " + g.pick(someSubjects) + " " + g.verb(2) + " " + g.thing() + g.maybe(someTails)
		},
		func() string {
			return g.thing() + g.pick([]string{" → ", " -> ", " => ", "→", " <-> "}) + g.thing()
		},
		func() string { return g.thing() + g.pick([]string{" + ", " & ", "/", " / ", " | ", "+"}) + g.thing() },
		func() string {
			return g.thing() + " (" + g.thing() + g.pick([]string{")", "", " and", "))"}) + g.maybe(someTails)
		},
		func() string {
			return g.thing() + g.pick([]string{": ", " — ", " – ", " - ", "; ", ", "}) + g.thing() + g.maybe(someTails)
		},
		func() string { return strings.Fields(g.pick(someNouns))[0] },
		func() string { return g.pick(someCode) },
		func() string { return g.pick(someNouns) + g.maybe(someTails) },
		func() string { return g.verb(1) + " " + g.thing() + g.maybe(someTails) },
		func() string { return g.verb(1) + g.pick([]string{" back", " out", " up", " in", " on", ""}) },
		func() string {
			return g.pick(someSubjects) + " " + g.verb(2) + " " + g.thing() + " and " + g.thing() + " " + g.pick(someTails) + " " + g.thing() + " " + g.pick(someTails) + " " + g.thing() + " " + g.pick(someTails) + " " + g.thing()
		},
		func() string {
			return g.pick(someNouns) + " " + g.pick(someNouns) + " " + g.pick(someNouns) + " " + g.pick(someNouns) + " " + g.pick(someNouns) + " " + g.pick(someNouns)
		},
		func() string {
			return "Prefer" + g.pick([]string{"", "ring", "ence for"}) + " " + g.thing() + g.maybe(someTails)
		},
	}
	title := shapes[i%len(shapes)]()
	switch g.IntN(16) {
	case 0:
		title = g.pick([]string{"ADR-0007: ", "7. ", "[ADR-12] ", "2024-01-05: ", "3) ", "§ 4 ", "✅ ", "🚀", "D7 — ", "RFC 12 - "}) + title
	case 1:
		title += g.pick([]string{" (2024-01-05)", " 2", " v2.1", " …", "...", "!", " 🚀", " #12", " :", " -", " the"})
	case 2:
		title = strings.ToUpper(title)
	case 3:
		title = `"` + title + `"`
	case 4: // a doubled word
		words := strings.Fields(title)
		at := g.IntN(len(words))
		title = strings.Join(slices.Insert(words, at, words[at]), " ")
	case 5:
		title = "**" + title + "**"
	case 6:
		title = g.pick([]string{"the ", "of ", "and ", "is ", "to ", "A ", "Our ", "I "}) + title
	case 7:
		title = strings.ReplaceAll(title, " ", g.pick([]string{"\u00a0", "  ", "\t", "\u200b ", " \x1b"}))
	case 8, 9, 10, 11:
		first := []rune(title)
		first[0] = unicode.ToUpper(first[0])
		title = string(first)
	}
	return title
}
