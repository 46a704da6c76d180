// memory-hooks shows decisions and learnings to coding agents, at their events.
//
//	memory-hooks init          set up agents, capture and this repository, step by step
//	memory-hooks install       have an agent run memory-hooks at its events
//	memory-hooks uninstall     remove what install registered
//	memory-hooks doctor        check that it works, and print how to fix faults
//	memory-hooks last          print what the newest session was shown, and when
//	memory-hooks report        report whether memory reaches the agent
//	memory-hooks EVENT         answer one event; agents run this
//
// To begin: memory-hooks init, then a new session.
//
// Exit status: 0 done, and for every event; 1 doctor has findings, nothing is registered, or
// nothing was shown; 3 wrong flags or settings; 4 a file cannot be read or written.
// More: "memory-hooks COMMAND --help"; "memory-hooks help manual".
//
// # Events
//
// An event is read as JSON from standard input, up to the end of its object, and the
// reply goes to standard output. It takes at most 1 s, or less if
// WHENCE_HOOK_DEADLINE (such as 500ms) says so. Faults are logged in hooks.log, in the
// folder of the store.
//
// docs/hooks.md lists what is injected at each event, and what is captured. Unknown events are
// ignored.
//
// The answer to a typed /when has up to 10,000 characters, and names the decisions for
// which it has no room. WHENCE_DISABLE=1 switches everything off;
// "memory_injection_enabled: false" in .whence.yaml switches off everything injected
// except answers to /when and /how, and what is wrong with the memory.
//
// # Installing
//
// "install" registers the program for one user (--scope user), for everyone who
// works on a project (project), or for one user in one project (local). User
// settings name the program by its path, project settings by its name, so everyone
// needs it on the PATH. --agent all is for the agents whose program is on the PATH,
// or whose folder exists.
//
// "install" prints what will be captured, where it is stored and how to switch it
// off, and asks; without a terminal it needs --yes. That is the consent without which
// nothing is captured, whatever registers the events; in an agent's shell it cannot be
// given. "uninstall" withdraws it; with --everything it also deletes what is stored,
// and asks at each step. Settings files are edited in
// place: all other bytes stay, and "uninstall" restores the file. Nothing is written
// through a link that leads out of the home folder or the project. Everything is
// checked before anything is written.
//
// # Checking
//
// "doctor" checks the programs, what is registered with agents, the store, the
// memory, and what is captured. For each fault it prints how to fix it.
//
// The first time in a session that an agent is shown something, its user sees a line,
// too, except in Copilot and Cursor. "last" prints which decisions, past sessions,
// commits and learnings the newest session of this repository was shown, at which
// events, and how to read them. That is known for two weeks, and of the last 300 items of a session;
// an item that was changed or deleted since is counted alone.
//
// "report" counts the pointers that agents were shown, read, and followed by a
// change. docs/hooks.md defines each figure.
//
// # Notes
//
// Notes are files in .memory/ about what is worked on, found, decided and failed.
// "memory_notes_enabled: true" in .claude/whence.local.md, or for all projects in
// settings.yaml beside the store, switches them on.
package hooks
