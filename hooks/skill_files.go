package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"path/filepath"
	"strings"

	"whence/internal/agent"
	"whence/internal/home"
	"whence/skills"
)

// Skills are installed with the hooks, into the agent's folder for the user. The last line of each has a hash of its
// text, so that a skill that the user has changed is recognized and kept.
const (
	skillMarkBegin = "<!-- memory-hooks install wrote this; once you change it, it stays as it is: "
	skillMarkEnd   = " -->\n"
)

// stamped returns the text of a skill with that last line.
func stamped(text string) string {
	sum := sha256.Sum256([]byte(text))
	return text + skillMarkBegin + hex.EncodeToString(sum[:8]) + skillMarkEnd
}

// isUnchangedSkill reports whether a file is unchanged since an installation, of any version, wrote it.
func isUnchangedSkill(src string) bool {
	at := strings.LastIndex(src, skillMarkBegin)
	return at >= 0 && src == stamped(src[:at])
}

// editSkills returns the edits that write or remove the skills of an agent. Only the user scope has any.
func (o *registerOptions) editSkills(c agent.Client, remove bool) (edits []editFunc) {
	if o.scope != agent.User {
		return nil
	}
	for _, name := range skills.Names() {
		edits = append(edits, func() (change, error) {
			after := stamped(skills.Text(name))
			if remove || o.hasPlugin(c) { // the plugin has the skills
				after = ""
			}
			return o.editSkill(c, name, after)
		})
	}
	return edits
}

func (o *registerOptions) editSkill(c agent.Client, name, after string) (change, error) {
	folder, below, err := c.SkillsFolder(home.UserFolder(o.env.Getenv), o.env.Getenv)
	if err != nil {
		return change{}, err
	}
	f := newAgentFile(folder, path.Join(below, name, skills.FileName))
	if err := f.read(); err != nil {
		return change{}, err
	}
	e := change{file: &f, after: []byte(after), what: c.Title() + ", skill"}
	if f.exists && !isUnchangedSkill(string(f.src)) {
		e.after, e.outcome = f.src, "left as it is: this file is yours"
	}
	return e, nil
}

// hasPlugin reports whether our plugin is switched on in the settings of an agent.
func (o *registerOptions) hasPlugin(c agent.Client) bool {
	f, err := openSettings(o.env, c, o.scope, project(o.env, o.dir))
	return err == nil && f.plugin != ""
}

// skillsLine returns a line that says where the skills of an agent are; "" if none were installed.
func (o *registerOptions) skillsLine(c agent.Client) string {
	folder, below, err := c.SkillsFolder(home.UserFolder(o.env.Getenv), o.env.Getenv)
	if err != nil || o.scope != agent.User || o.hasPlugin(c) {
		return ""
	}
	return c.Title() + ", skills: /" + strings.Join(skills.Names(), ", /") + " in " + filepath.Join(folder, filepath.FromSlash(below))
}
