package rank

// Written by make eval-fit.

var withLatent = coefficients{
	of: Features{
		2.167,  // score
		0.066,  // grams lead
		0.797,  // grams share
		-0.020, // grams by words
		3.559,  // phrase share
		1.893,  // coverage
		2.187,  // similarity share
		2.463,  // similarity lead
		-0.330, // best evidence
		0.133,  // body
		0.304,  // documents
		0.716,  // no situations
		2.517,  // words
		-0.597, // words squared
	},
	constant: -14.777,
}

var withoutLatent = coefficients{
	of: Features{
		4.067,  // score
		0.072,  // grams lead
		2.147,  // grams share
		-0.029, // grams by words
		3.961,  // phrase share
		3.346,  // coverage
		0.000,  // similarity share
		0.000,  // similarity lead
		-0.783, // best evidence
		-0.114, // body
		0.174,  // documents
		1.029,  // no situations
		2.177,  // words
		-0.617, // words squared
	},
	constant: -13.993,
}
