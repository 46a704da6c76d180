package rank

// Written by make eval-fit.

var fitted = coefficients{
	perFeature: [featureCount]float64{
		3.542,  // score
		0.170,  // grams lead
		-0.319, // grams share
		-0.031, // grams by words
		4.089,  // phrase share
		3.733,  // coverage
		-0.779, // best evidence
		-0.187, // body
		-0.020, // documents
		1.372,  // no situations
		2.530,  // not English
		2.581,  // words
		-0.686, // words squared
	},
	constant: -11.417,
}
