package team

// SendWithin is Send with a time limit for each operation.
var SendWithin = sendAll
