// Loaded before the command line: counts the syncs of its main thread and prints their number in the end.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

let syncs = 0;
for (const name of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync']) {
  const call = fs[name];
  fs[name] = (...args) => {
    syncs++;
    return call(...args);
  };
}
syncBuiltinESMExports();
if (isMainThread) process.on('exit', () => process.stderr.write(String(syncs)));
