package migrate

import (
	"path"
	"slices"
	"strings"

	"whence/internal/decision"
	"whence/internal/worktree"
)

// isInstructions reports whether agents load a file in every session.
func isInstructions(name string) bool {
	return name == ".github/copilot-instructions.md" ||
		slices.Contains([]string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules"}, path.Base(name))
}

// bytesPerToken is the usual ratio for English prose in Markdown.
const bytesPerToken = 4

// instructions leaves a file to the agents.
func (s *adoptSearch) instructions(name string) {
	if !s.isRegular(name) {
		return
	}
	src, _ := worktree.ReadText(s.tree, name)
	tokens := (len(src) + bytesPerToken - 1) / bytesPerToken
	s.add(asTheyAre, globOf(name), 1, "agents load it in every session, about %d tokens", tokens)
}

// ruleFolder is a folder of rules for one agent.
type ruleFolder struct {
	path, agent string
	// load returns when the agent loads a rule with this front matter; "" for always.
	load func(front map[string]string) string
}

var ruleFolders = []ruleFolder{
	{".claude/rules", "Claude Code", func(front map[string]string) string { return matching(front["paths"]) }},
	{".cursor/rules", "Cursor", func(front map[string]string) string {
		switch {
		case front["alwaysapply"] == "true":
			return ""
		case front["globs"] != "":
			return matching(front["globs"])
		case front["description"] != "":
			return "where its description fits"
		}
		return "if it is named"
	}},
	{".windsurf/rules", "Windsurf", func(front map[string]string) string {
		switch front["trigger"] {
		case "glob":
			return matching(front["globs"])
		case "model_decision":
			return "where its description fits"
		case "manual":
			return "if it is named"
		}
		return ""
	}},
	{".github/instructions", "Copilot", func(front map[string]string) string {
		if front["applyto"] == "" {
			return "if it is named"
		}
		return matching(front["applyto"])
	}},
}

// matching returns when a rule for some files is loaded; "" if these are all.
func matching(globs string) string {
	if globs == "" || slices.Contains([]string{"*", "**", "**/*"}, globs) {
		return ""
	}
	return "for " + globs
}

// ruleFolderOf returns the kind of rules in a folder, or nil.
func ruleFolderOf(folder string) *ruleFolder {
	for i, r := range ruleFolders {
		if strings.Contains("/"+folder+"/", "/"+r.path+"/") {
			return &ruleFolders[i]
		}
	}
	return nil
}

// rules plans the use of a folder of rules: those that the agent loads always are left to it, the
// others are documents.
func (s *adoptSearch) rules(folder string, kind *ruleFolder) {
	globs := map[string]int{}
	var always adoptPlan
	for _, name := range s.files[folder] {
		if !isUsable(name) || !s.isRegular(name) {
			always = append(always, adoptRow{asTheyAre, globOf(name), 1, "it is a link, or its name cannot be that of a decision file"})
			continue
		}
		src, _ := worktree.ReadText(s.tree, name)
		glob := path.Join(globOf(folder), "*"+path.Ext(name))
		if kind.load(decision.FrontMatter(src)) == "" {
			always = append(always, adoptRow{asTheyAre, globOf(name), 1, kind.agent + " loads it in every session"})
		} else {
			globs[glob]++
		}
	}
	for glob, n := range globs {
		s.add(asDocuments, glob, n, "only %s loads them, and only at times", kind.agent)
	}
	s.plan = append(s.plan, always...)
}
