// Package capture stores what matters in agent sessions. The transcripts that agents write are the
// queue: an event registers the transcript of its session ([Register]), starts a worker ([Start]), and
// is done. The worker ([Work]) continues to read all registered transcripts, except those that were read
// after the end of their session. It removes secrets, and stores the turns that a filter makes of the
// records: prompts, answers, failures and their fixes.
//
// Each turn is stored once, even if processes are killed: how far a transcript was read is stored in one
// transaction with its turns, and a turn is identified by the UUID of its record, which forked and resumed
// sessions keep. What a killed worker or a full disk left unread is read after the next event.
//
// # What is never stored
//
// Nothing is captured without the user's consent, which is a row of the store. What was said while capture was off is
// never stored, nor are copies of it in forked sessions: each event notes in the watch of its transcript whether
// capture was on in its folder, and how long the transcript was. On means that the settings say so, the consent covers
// the project, and the length is known.
//
// The following is noted for each folder separately (off_ranges.go). An event's end is where the transcript ended at
// the event; last is the previous event in the folder.
//
//	event                           what is noted                        what counts as off by it
//	the first in a transcript:
//	  Begin or prompt               Begin: its end                       nothing; what comes before is not read
//	  mid-turn or end               the time                             nothing, unless it is under off
//	  any, with consent again       Begin, and a range, to its end       all before its end
//	  a subagent's                  the session's last events, at 0,     the subagent's whole transcript, if the
//	                                and open ranges where those          session's last event was under off
//	                                were under off
//	on, last on                     its end and time                     nothing
//	off, last on                    an open range from last's end        all from last on, the answer to what was said
//	                                                                     under on included
//	off, no last                    an open range from 0                 all from the beginning
//	off, last off                   the time, in the open range          the same, and what has a time up to then
//	on, last off:
//	  Begin or prompt               the range ends at its end            all up to its end
//	  mid-turn or end, of a         the same                             the same: the words before may have been said
//	  session with prompt events                                         under off, as the prompt tells
//	  mid-turn or end, of another   the range ends at last's end         nothing from last on
//	first in a folder in another    the other's last event and range,    as in the other
//	under off                       then as above
//	consent withdrawn               off in each folder, as of last       all from last on
//	off, the store is locked        a line beside the store, which       as above, once it is recorded
//	                                the next process records
//	none since the watch of the     nothing                              all
//	transcript cannot be read
//
// A past session that the user wants captured ([FindPast]) has no event. All of it may be a copy, so its records are
// looked up in the ranges of other transcripts and in the times without consent.
//
// Begin is SessionStart and prompt is UserPromptSubmit; all other events are mid-turn or end. An event notes the same
// for the folder of its settings, for the folders between that and the agent's, and for records that name no folder
// (nowhere). For all folders together (everywhere), it notes whether there is any consent. An event that names a
// subagent's transcript is noted there and in the session's.
//
// The worker checks each record (worker_consent.go). The record is off if a range of its folder covers
//
//	its place                       from the beginning of a range to its end; in a rewritten transcript, from 0
//	its time                        from the last event under on to the last one under off: agents write late
//	the time of a copy              in a range of any transcript of the agent, to when it ended, or in a time without
//	                                consent. A copy is from before the first event, or in a subagent's transcript
//
// It is also off if the current settings say off, and it comes after all events of its folder or is in a rewritten
// transcript; or if its UUID was off or pruned before. Records before Begin, or in a project that no consent covers,
// are skipped.
//
// # Filter
//
// The rules are in turn_words.go, turn_tool.go and turn_fix.go. A filter is a fold with a small state. A transcript
// that is fed to it in pieces, with the state saved as JSON in between, gives the same turns as the whole transcript.
// Turns and state contain parts of the records, so these are redacted first. When turns are deleted or the session
// ends, what was said is removed from the state, too ([WithoutText]).
//
// # Transcripts
//
//	OpenTranscript  opens one by its name: a path, with the session if the file is OpenCode's database
//	TranscriptsIn   finds all in a folder
package capture
