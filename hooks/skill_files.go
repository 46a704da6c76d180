package hooks

import (
	"bytes"
	"fmt"
	"strings"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/home"
	"whence/skills"
)

// skillFile is the file of one of our skills among those of an agent.
type skillFile struct {
	agentFile
	skill     string
	text      []byte // as install writes it
	marked    bool   // install has written the file
	unchanged bool   // and it is as it was written
}

// openSkills reads the files of our skills among those of an agent.
func openSkills(env cli.Env, c agent.Client, scope agent.Scope, project string) (all []*skillFile, err error) {
	folder, name := c.SkillsFolder(scope, home.UserFolder(env.Getenv), project, env.Getenv)
	if name == "" {
		return nil, nil
	}
	for _, s := range skills.All() {
		f := &skillFile{agentFile: newAgentFile(folder, name+"/"+s.Name+"/SKILL.md"), skill: s.Name, text: agent.MarkSkill(s.Text)}
		f.ownFolders = 2 // that of the skill and that of all
		if scope != agent.User {
			f.ownFolders = strings.Count(f.name, "/")
		}
		if err := f.read(); err != nil {
			return nil, err
		}
		f.marked, f.unchanged = agent.SkillMark(f.src)
		all = append(all, f)
	}
	return all, nil
}

// installSkills writes our skills for an agent.
func (o *registerOptions) installSkills(c agent.Client) error {
	if !o.skills {
		return nil
	}
	all, err := openSkills(o.env, c, o.scope, project(o.env, o.dir))
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintf(o.env.Stdout, "  %-18s  not written: %s gets them by the plugin\n", "skills", c.Title())
	}
	for _, f := range all {
		outcome, after := o.done("written"), f.text
		switch {
		case f.unchanged && bytes.Equal(bytes.ReplaceAll(f.src, []byte("\r\n"), []byte("\n")), f.text):
			outcome, after = "already written", f.src
		case f.unchanged:
			outcome = o.done("written again")
		case f.exists:
			outcome, after = "left as it is: this file is yours, or has been changed", f.src
		}
		if err := o.writeOwn(&f.agentFile, after, skillLine(f.skill, outcome)); err != nil {
			return err
		}
	}
	return nil
}

// uninstallSkills removes our skills from those of an agent, except those that somebody has changed.
func (o *registerOptions) uninstallSkills(c agent.Client) error {
	all, err := openSkills(o.env, c, o.scope, project(o.env, o.dir))
	if err != nil {
		return err
	}
	for _, f := range all {
		switch {
		case f.unchanged:
			err = o.writeOwn(&f.agentFile, nil, skillLine(f.skill, o.done("removed")))
		case f.marked:
			err = o.writeOwn(&f.agentFile, f.src, skillLine(f.skill, "left as it is: this file has been changed"))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hasSkills reports whether an agent has one of our skills.
func hasSkills(env cli.Env, c agent.Client, scope agent.Scope, project string) bool {
	all, _ := openSkills(env, c, scope, project)
	for _, f := range all {
		if f.unchanged {
			return true
		}
	}
	return false
}

func skillLine(name, outcome string) string {
	return fmt.Sprintf("%-25s  %s", "skill "+name, outcome)
}
