package rank

// Written by make eval-fit.

var withLatent = coefficients{
	of: Features{
		2.168,  // score
		0.070,  // grams lead
		0.644,  // grams share
		-0.021, // grams by words
		3.629,  // phrase share
		1.980,  // coverage
		2.176,  // similarity share
		2.491,  // similarity lead
		-0.339, // best evidence
		0.134,  // body
		0.297,  // documents
		0.712,  // no situations
		2.497,  // words
		-0.589, // words squared
	},
	constant: -14.666,
}

var withoutLatent = coefficients{
	of: Features{
		4.070,  // score
		0.076,  // grams lead
		2.064,  // grams share
		-0.030, // grams by words
		4.005,  // phrase share
		3.426,  // coverage
		0.000,  // similarity share
		0.000,  // similarity lead
		-0.788, // best evidence
		-0.115, // body
		0.171,  // documents
		1.026,  // no situations
		2.161,  // words
		-0.607, // words squared
	},
	constant: -13.958,
}
