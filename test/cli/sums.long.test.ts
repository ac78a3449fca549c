// The kinds of call of sums.test.ts that take longer.

import { isSlow, sumsSuite, withSources } from './sumsSuite.ts';

withSources();
sumsSuite(isSlow);
