// Waiting for a process of a test blocks the process of the tests. Before each test the runner gets its turn, or a file with
// many of them is taken for dead after a minute.

import { beforeEach } from 'vitest';

beforeEach(() => new Promise((resolve) => setImmediate(resolve)));
