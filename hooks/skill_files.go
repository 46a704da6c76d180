package hooks

import (
	"bytes"
	"fmt"
	"strings"

	"whence/internal/agent"
	"whence/internal/home"
	"whence/skills"
)

// openSkill reads the file of one of our skills among those of an agent; nil if install writes none for it.
func (o *registerOptions) openSkill(c agent.Client, skill string) (*agentFile, error) {
	folder, name := c.SkillsFolder(o.scope, home.UserFolder(o.env.Getenv), project(o.env, o.dir), o.env.Getenv)
	if name == "" {
		return nil, nil
	}
	f := newAgentFile(folder, name+"/"+skill+"/SKILL.md")
	f.ownFolders = 2 // that of the skill and that of all
	if o.scope != agent.User {
		f.ownFolders = strings.Count(f.name, "/")
	}
	return &f, f.read()
}

// addSkill returns the file of one of our skills for an agent.
func (o *registerOptions) addSkill(c agent.Client, s skills.Text) (change, error) {
	f, err := o.openSkill(c, s.Name)
	if err != nil || f == nil {
		return change{}, err
	}
	text := agent.MarkSkill(s.Text)
	_, unchanged := agent.SkillMark(f.src)
	if f.exists && !unchanged {
		return f.whole(f.src, skillLine(s, "left as it is: this file is yours, or has been changed")), nil
	}
	if bytes.Equal(bytes.ReplaceAll(f.src, []byte("\r\n"), []byte("\n")), text) {
		return f.whole(f.src, skillLine(s, "already written")), nil
	}
	if f.exists {
		return f.whole(text, skillLine(s, o.done("written again"))), nil
	}
	return f.whole(text, skillLine(s, o.done("written"))), nil
}

// removeSkill returns the file of one of our skills without it, unless it has been edited.
func (o *registerOptions) removeSkill(c agent.Client, s skills.Text) (change, error) {
	f, err := o.openSkill(c, s.Name)
	if err != nil || f == nil {
		return change{}, err
	}
	marked, unchanged := agent.SkillMark(f.src)
	if unchanged {
		return f.whole(nil, skillLine(s, o.done("removed"))), nil
	}
	if marked {
		return f.whole(f.src, skillLine(s, leftAsItIs)), nil
	}
	return change{file: f, after: f.src}, nil
}

func skillLine(s skills.Text, outcome string) string {
	return fmt.Sprintf("%-25s  %s", "skill "+s.Name, outcome)
}
