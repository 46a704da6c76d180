package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/memory"
	"whence/internal/store"
	"whence/internal/worktree"
	"whence/migrate"
	"whence/validate"
)

// initCommand sets everything up, with a question before each step. It skips steps that are already done.
func initCommand(env cli.Env) *urfave.Command {
	i := initialization{asking: asking{env: env}}
	return &urfave.Command{
		Name: "init", Usage: "set up agents, capture and this repository, a question at each step",
		Flags: []urfave.Flag{
			repoFlag(&i.dir),
			boolFlag("yes", "answer each question with yes", &i.yes),
			boolFlag("dry-run", "print the questions, do nothing", &i.dryRun),
		},
		Action: func(cmd *urfave.Context) error { return i.run(cmd.Context) },
	}
}

// initialization is one run of init.
type initialization struct {
	asking
	dir string // --repo
}

func (i *initialization) run(ctx context.Context) error {
	folder, err := i.begin("init", i.dir)
	if err != nil {
		return err
	}
	tree, err := worktree.Open(cli.Root(folder))
	if err != nil {
		return err
	}
	defer tree.Close()
	present := i.presentAgents()
	if len(present) == 0 {
		i.say("agents: none was found on this machine (%s); run this again once there is one", names(agent.Clients))
	}
	for _, step := range []func(context.Context, []agent.Client) error{i.register, i.consent, i.readPast} {
		if err := step(ctx, present); err != nil {
			return err
		}
	}
	if err := i.setUpRepository(ctx, tree); err != nil {
		return err
	}
	if i.dryRun {
		return nil
	}
	i.say("")
	d := &doctor{ctx: ctx, env: i.env, project: project(i.env, i.dir), repo: cli.Typed(i.env, i.dir).Repo}
	d.examine()
	if err := d.print(i.env.Stdout); err != nil {
		return err
	}
	if len(present) > 0 {
		i.say("Next: begin a new session of %s in a project of yours", titles(present))
	}
	return nil
}

func titles(clients []agent.Client) string {
	var all []string
	for _, c := range clients {
		all = append(all, c.Title())
	}
	return strings.Join(all, ", ")
}

// presentAgents returns the agents on this machine for which install can edit user settings.
func (i *initialization) presentAgents() (present []agent.Client) {
	o := registerOptions{env: i.env, scope: agent.User, dir: i.dir}
	for _, c := range agent.Clients {
		if o.isPresent(c) && o.hasSettings(c) {
			present = append(present, c)
		}
	}
	return present
}

// register makes the agents run this program that do not run it yet.
func (i *initialization) register(ctx context.Context, present []agent.Client) error {
	var missing []agent.Client
	var flags []string
	for _, c := range present {
		f, err := openSettings(i.env, c, agent.User, project(i.env, i.dir))
		if err != nil || len(f.ours) == 0 {
			missing, flags = append(missing, c), append(flags, string(c))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if !i.agrees("Have %s run memory-hooks at the events of a session, so that what applies is shown?", titles(missing)) {
		return nil
	}
	o := registerOptions{env: i.env, scopeName: string(agent.User), dir: i.dir, yes: true, noCapture: true}
	return o.install(ctx, flags)
}

// consent asks for the capture of the sessions of those agents for which the user has not agreed to it.
func (i *initialization) consent(ctx context.Context, present []agent.Client) error {
	given, err := i.consents(ctx)
	if err != nil {
		return err
	}
	o := registerOptions{env: i.env, scopeName: string(agent.User), scope: agent.User, dir: i.dir}
	for _, c := range present {
		if c.HasTranscripts() && !store.AnyCovers(given, string(c), "") {
			o.clients = append(o.clients, c)
		}
	}
	if len(o.clients) == 0 || !o.showCapture() || !i.agrees("Capture the sessions of %s?", titles(o.clients)) {
		return nil
	}
	return o.giveConsent(ctx)
}

// consents returns the consents that the user has given.
func (i *initialization) consents(ctx context.Context) ([]store.Consent, error) {
	dir, err := i.env.Home()
	if err != nil {
		return nil, nil // nothing is stored there
	}
	return capture.Consents(ctx, dir)
}

// readPast offers to capture past sessions of the agents whose capture the user has agreed to. A dry run assumes
// agreement for all.
func (i *initialization) readPast(ctx context.Context, present []agent.Client) error {
	given, err := i.consents(ctx)
	if err != nil || agent.InShellTool(i.env.Getenv) {
		return err
	}
	for _, c := range present {
		if i.dryRun && !store.AnyCovers(given, string(c), "") {
			given = append(given, store.Consent{Agent: string(c)})
		}
	}
	if len(given) == 0 {
		return nil
	}
	dir, err := i.env.Home()
	if err != nil {
		return err
	}
	now := time.Now()
	found, failed := capture.FindPast(ctx, dir, given, i.env.Getenv, now)
	for _, err := range failed {
		fmt.Fprintf(i.env.Stderr, "%s: skipped: %v\n", programName, err)
	}
	if len(found.Transcripts) == 0 {
		return nil
	}
	i.say("%s", found.Text())
	if !i.agrees("Read them, so that what was decided there is found?") {
		return nil
	}
	if err := capture.RegisterPast(ctx, dir, found); err != nil {
		return err
	}
	done, err := capture.Work(ctx, dir, i.env.Getenv, cli.Progress(i.env, "reading sessions"))
	i.say("%s read in %s", cli.Count(done.Turns, "turn", "turns"), time.Since(now).Round(100*time.Millisecond))
	return err
}

// setUpRepository offers to adopt the records of this repository, and to check its memory at each commit, even if it
// has none yet.
func (i *initialization) setUpRepository(ctx context.Context, tree *worktree.Tree) error {
	c, err := config.Load(tree, i.env.Getenv)
	if err != nil {
		return cli.SettingsError(err)
	}
	entries, err := migrate.Adoptable(i.env, tree, c)
	if err != nil {
		return err
	}
	if entries > 0 && i.agrees("Use the decisions that are recorded in %s, where they are (%s)?", tree.Dir, cli.Count(entries, "entry", "entries")) {
		if err := i.runProgram(ctx, "memory-migrate", "adopt", "--write", "--repo", tree.Dir); err != nil {
			return err
		}
	}
	lack, install, err := validate.GitLacks(i.env, tree.Dir)
	if err != nil {
		return err
	}
	if lack == validate.LacksNothing || !i.agrees("Check the memory at each commit here, and keep what two branches add to it?") {
		return nil
	}
	if err := i.runProgram(ctx, "memory-validate", append(install, "--repo", tree.Dir)...); err != nil {
		return err
	}
	if hasMemory, err := i.hasMemory(tree); err != nil || !hasMemory {
		return err
	}
	if readme, err := worktree.ReadText(tree.FS(), "README.md"); err == nil && bytes.Contains(readme, []byte(forColleagues)) {
		return nil
	}
	i.say("For colleagues, a line for README.md: %s", forColleagues)
	return nil
}

// forColleagues is a line for the README of a repository with a memory.
const forColleagues = `Decisions reach coding agents through whence; after cloning, install it and run "memory-hooks init".`

// hasMemory reports whether a tree has a memory, by its current settings. It returns false if the memory cannot be
// opened; doctor reports why.
func (i *initialization) hasMemory(tree *worktree.Tree) (bool, error) {
	c, err := config.Load(tree, i.env.Getenv)
	if err != nil {
		return false, cli.SettingsError(err)
	}
	source, err := cli.Memory(i.env, tree, c)
	if err != nil {
		return false, nil
	}
	_, err = validate.Load(source, c)
	return !errors.Is(err, memory.ErrNoMemory), nil
}
