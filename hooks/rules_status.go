package hooks

import (
	"fmt"
	"os/exec"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/text"
)

// rulesFiles are the files of a project in which status and doctor look for our block.
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
		line += " " + cli.Word(r.path)
	}
	return line
}

// printRules prints which rules files have our block.
func printRules(env cli.Env, all []installedRules) {
	if len(all) > 0 {
		fmt.Fprintln(env.Stdout, "Agents without hooks")
	}
	for _, r := range all {
		state := "asks agents to query the memory"
		switch {
		case r.err != nil:
			state = "cannot be used: " + r.err.Error()
		case !isCurrentBlock(r.src):
			state += ", with a block of another version, or an edited one; to replace it: " + r.command("install")
		}
		fmt.Fprintf(env.Stdout, "  %s: %s\n", text.Printable(r.path), text.Printable(state))
	}
}

// checkRules reports what is wrong with our block in rules files.
func (d *doctor) checkRules() {
	for _, r := range d.rules {
		switch {
		case r.err != nil:
			d.found("rules", "do what that says, then run "+r.command("install"), "%v", r.err)
		case !isCurrentBlock(r.src):
			d.found("rules", r.command("install"), "%s: the block that asks agents to query the memory is of another version, or edited", r.path)
		default:
			d.ok("rules", "%s asks agents to query the memory", r.path)
		}
	}
	if _, err := exec.LookPath(agent.ReadingProgram); err != nil && len(d.rules) > 0 {
		d.found("rules", "add the folder that holds it to the PATH", "%s asks agents to run %s, which is not on the PATH", d.rules[0].path, agent.ReadingProgram)
	}
}
