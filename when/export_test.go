package when

// Fitting is fitting, and MaxAnswersChars its bound.
var Fitting = fitting

const MaxAnswersChars = maxAnswersChars
