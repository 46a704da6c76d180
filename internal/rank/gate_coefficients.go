package rank

// Written by make eval-fit.

var fitted = coefficients{
	of: Features{
		3.515,  // score
		0.169,  // grams lead
		-0.405, // grams share
		-0.030, // grams by words
		4.131,  // phrase share
		3.739,  // coverage
		-0.776, // best evidence
		-0.184, // body
		-0.017, // documents
		1.387,  // no situations
		2.916,  // not English
		2.451,  // words
		-0.670, // words squared
	},
	constant: -11.163,
}
