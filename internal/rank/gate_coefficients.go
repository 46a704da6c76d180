package rank

// Written by make eval-fit.

var withLatent = coefficients{
	of: Features{
		2.062,  // score
		0.408,  // grams lead
		-0.503, // grams ratio
		-0.058, // grams by words
		3.294,  // phrase share
		1.120,  // coverage
		2.347,  // similarity share
		1.962,  // similarity lead
		-0.234, // best evidence
		0.249,  // body
		0.566,  // documents
		0.444,  // no situations
		1.781,  // words
		-0.432, // words squared
	},
	constant: -14.586,
}

var withoutLatent = coefficients{
	of: Features{
		3.982,  // score
		0.481,  // grams lead
		-0.476, // grams ratio
		-0.080, // grams by words
		3.537,  // phrase share
		2.043,  // coverage
		0.000,  // similarity share
		0.000,  // similarity lead
		-0.608, // best evidence
		0.018,  // body
		0.484,  // documents
		0.618,  // no situations
		1.284,  // words
		-0.403, // words squared
	},
	constant: -13.107,
}
