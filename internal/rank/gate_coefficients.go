package rank

// Written by make eval-fit.

var fitted = coefficients{
	of: Features{
		4.033,  // score
		0.098,  // grams lead
		1.318,  // grams share
		-0.034, // grams by words
		4.045,  // phrase share
		3.487,  // coverage
		-0.812, // best evidence
		-0.137, // body
		0.153,  // documents
		1.030,  // no situations
		2.694,  // not English
		2.156,  // words
		-0.590, // words squared
	},
	constant: -13.299,
}
