package hooks

import "whence/internal/shell"

// rulesFiles are the files of a project in which doctor looks for our block.
var rulesFiles = []string{
	defaultRulesFile, ".cursor/rules/whence.mdc", ".cursorrules", ".windsurf/rules/whence.md", ".windsurfrules", ".clinerules", ".rules",
	"CONVENTIONS.md", ".github/copilot-instructions.md", "CLAUDE.md", "GEMINI.md",
}

// installedRules is a rules file with our block.
type installedRules struct {
	*agentFile
	err error // why the block cannot be used
}

// findRules returns the rules files of a project that have our block. A file that cannot be read does
// not count: it may be another program's.
func findRules(root string) (all []installedRules) {
	for _, name := range rulesFiles {
		f, err := openRules(root, name)
		if err != nil {
			continue
		}
		if start, end, err := findBlock(f.src); err != nil || start < end {
			all = append(all, installedRules{f, f.wrap(err)})
		}
	}
	return all
}

// command returns the command line that adds the block, or removes it.
func (r *installedRules) command(verb string) string {
	line := programName + " " + verb + " --agents-md"
	if r.name != defaultRulesFile {
		line += " " + shell.Word(r.path)
	}
	return line
}

// checkRules reports what is wrong with our block in a rules file.
func (d *doctor) checkRules(r installedRules) {
	switch {
	case r.err != nil:
		d.found("settings", "do what that says, then run "+r.command("install")+d.repo, "%v", r.err)
	case !isCurrentBlock(r.src):
		d.found("settings", r.command("install")+d.repo, "%s: the block that asks agents to query the memory is of another version, or edited", r.path)
	default:
		d.ok("settings", "%s asks agents to query the memory", r.path)
	}
}
