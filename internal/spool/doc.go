// Package spool keeps jobs that a short-lived process has no time for until a worker has
// done them.
//
// A job is a file of its own in a private folder. [Add] puts it there whole or not at all,
// and returns in less than a millisecond; from then on the job stays until it has been done,
// whichever process is killed. [Start] starts a worker and does not wait for it; the worker
// calls [Drain]. What is done is done at least once, since a worker may be killed between
// the end of a job and its removal: doing one twice has to come to the same.
//
// # Order
//
// Jobs are done one at a time, in the order in which they were added, by one worker. One
// that fails is tried again at the next drain, and meanwhile holds back the later ones of
// its session, and no others.
//
// # No job waits for nothing
//
// A worker holds the lock of the folder. Whoever adds a job, and finds the lock taken,
// need do no more: the worker looks once more after it has given the lock back.
//
// # What cannot be done
//
// A job that has failed [MaxFailures] times, one that has been begun [MaxBegun] times (the
// worker died of it), one that is refused for good ([ErrRefused]), and one whose text is not
// what was added goes into the folder failed, with the reason in a file beside it. It is kept
// there, and [Retry] puts it back. What would befall every job, such as a disk without room,
// is no failure of one: [ErrNotNow].
//
// # Limits
//
// A job has at most [LongestJob] bytes, and a spool holds at most [MaxJobs] jobs and
// [MaxBytes] bytes. One more is refused: what was accepted is never dropped for it. Of the
// jobs that cannot be done a tenth as many are put aside; more of them stay where they are,
// untried, and count for the limits.
//
// # Loss of power
//
// Add does not wait for the disk, which takes milliseconds: the jobs of the last seconds
// before a loss of power may be lost, and one that is torn is recognised. [AddSynced] waits.
package spool
