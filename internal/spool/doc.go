// Package spool stores jobs that a short-lived process has no time for until a worker has
// done them.
//
// Each job is a file in a private folder. [Add] writes it whole or not at all, in less than
// a millisecond; from then on the job stays until it has been done, whichever process is
// killed. [Start] starts a worker and does not wait for it; the worker calls [Drain]. Each
// job is done at least once, as a worker may be killed before it removes a job that it has
// done: jobs must be idempotent.
//
// # Order
//
// One worker does the jobs one at a time, in the order in which they were added. A failed
// job is tried again at the next drain, and until then holds back the later ones of its
// session, and no others.
//
// # No job is missed
//
// A worker holds the lock of the folder. A process that adds a job and finds the lock taken
// is done: the worker checks for jobs again after it has released the lock.
//
// # Failed jobs
//
// A job is moved to the folder failed, with a file for the reason, if it has failed
// [MaxFailures] times, was begun [MaxBegun] times (the worker died of it), was refused for
// good ([ErrRefused]), or if its text is damaged. [RequeueFailed] puts it back. A condition that
// would fail every job, such as a full disk, is not counted as a failure: [ErrNotNow]. Nor is a job
// of a newer version, which stays until that version is installed again: [ErrNewer].
//
// # Limits
//
// A job has at most [MaxJobBytes] bytes, and a spool holds at most [MaxJobs] jobs and
// [MaxBytes] bytes. More are refused; no accepted job is ever dropped. The folder failed
// holds a tenth of that; further failed jobs stay in the spool, are not tried again, and
// count for its limits.
//
// # Loss of power
//
// Add does not wait for the disk, which takes milliseconds: a loss of power may lose the
// jobs of the last seconds, and a torn one is detected. [AddSynced] waits.
package spool
