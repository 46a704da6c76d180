package dispatch

// DeadlineOf returns the deadline of an environment.
var DeadlineOf = deadlineOf
