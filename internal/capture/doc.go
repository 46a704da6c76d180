// Package capture stores what matters of agent sessions. The transcripts that agents write are the
// queue: an event registers the transcript of its session ([Register]), starts a worker ([Start]), and
// is done. The worker ([Work]) reads on in all registered transcripts, except those that were read after the
// end of their session, removes secrets, and stores the turns that a filter makes of them: prompts, answers, failures and their fixes.
//
// Each turn is stored once, whatever is killed: how far a transcript was read is stored in one
// transaction with its turns, and a turn is known by the UUID of its record, which forked and resumed
// sessions keep. What a killed worker or a full disk has left is read after the next event.
//
// # What is never stored
//
// Nothing is captured without the user's consent, a row of the store. What was said while capture was off is never
// stored, nor is its copy in a fork: each event notes in the watch of its transcript whether capture was on in its
// folder, and how long the transcript was. On means: the settings say so, the consent covers the project, and the length
// is known.
//
// This is noted, for each folder by itself (off_ranges.go). Its end is where the transcript ends at the event; last is the
// event before it in the folder.
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
// A past session, which the user has captured ([FindPast]), has no event: all of it may be a copy, and is looked for
// in the ranges of other transcripts and in the times without consent.
//
// Begin is SessionStart, prompt UserPromptSubmit; mid-turn and end are all others. An event notes the same for the folder
// of its settings, for those between it and the agent's folder, for records that name no folder (nowhere), and, with
// whether there is any consent, for all (everywhere). One that names a subagent's transcript notes it there and in the
// session's.
//
// The worker asks for each record (worker_consent.go). It is off if a range of its folder covers
//
//	its place                       from the beginning of a range to its end; in a rewritten transcript, from 0
//	its time                        from the last event under on to the last one under off: agents write late
//	the time of a copy              in a range of any transcript of the agent, to when it ended, or in a time without
//	                                consent. A copy is from before the first event, or in a subagent's transcript
//
// or if the settings, as they are now, say off, and the record comes after all events of its folder, or in a rewritten
// transcript; or if its UUID was off or pruned before. What comes before Begin, or was said in a project that no consent
// covers, is skipped.
//
// # Filter
//
// The rules are in turn_words.go and turn_tool.go. A filter is a fold: its state is small, goes into JSON and back, and
// feeding it a transcript in pieces, with the state saved in between, gives the same turns as feeding it
// whole. Turns and state contain parts of the records, so these are redacted first.
// When turns are deleted or the session ends, what was said is removed from the state, too ([WithoutText]).
//
// # Transcripts
//
//	OpenTranscript  opens one by its name: a path, for OpenCode's database with the session
//	TranscriptsIn   finds those in a folder
package capture
