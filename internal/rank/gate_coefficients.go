package rank

// Written by make eval-fit.

var fitted = coefficients{
	of: Features{
		4.065,  // score
		0.076,  // grams lead
		2.058,  // grams share
		-0.030, // grams by words
		3.987,  // phrase share
		3.413,  // coverage
		-0.786, // best evidence
		-0.121, // body
		0.171,  // documents
		1.034,  // no situations
		2.167,  // words
		-0.608, // words squared
	},
	constant: -13.919,
}
