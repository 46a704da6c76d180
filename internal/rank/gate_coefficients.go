package rank

// Written by make eval-fit.

var fitted = coefficients{
	of: Features{
		3.048,  // score
		0.258,  // grams lead
		-1.295, // grams share
		-0.017, // grams by words
		3.664,  // phrase share
		3.731,  // coverage
		-0.782, // best evidence
		-0.151, // body
		-0.169, // documents
		1.397,  // no situations
		2.389,  // not English
		2.438,  // words
		-0.693, // words squared
	},
	constant: -9.363,
}
