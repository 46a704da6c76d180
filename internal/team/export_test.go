package team

// DeliverWithin is Deliver with a time for each operation.
var DeliverWithin = deliverAll
