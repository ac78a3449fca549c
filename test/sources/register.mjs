// Has Node load src/ as it is, without what Vite makes of a module: its imports are looked up at each use, which takes a third of the
// time of hot loops. vitest.config.ts gives this to each process of the tests.

import { register } from 'node:module';

register(new URL('./hooks.mjs', import.meta.url));
