package team

// SendWithin is Deliver with a time for each operation.
var SendWithin = sendAll
