// Every name in a depfile, as make takes it.

import { expectMakeToTake, NAMES } from './takenByMake.ts';

expectMakeToTake(NAMES);
