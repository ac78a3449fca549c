// Loaded before everything else, in each thread: counts the calls of node:fs of one kind in all threads of the process
// together, in their synchronous, callback and promise forms, and refuses those of given numbers as a full disk does.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/** What a full disk refuses, by kind. A file that is only read is not opened for that. */
const KINDS = {
  open: ['open', 'mkdir', 'link', 'copyFile', 'writeFile'],
  write: ['write', 'writev', 'writeFile', 'appendFile'],
  rename: ['rename'],
  sync: ['fsync', 'fdatasync'],
};
const NAMES = Object.keys(KINDS);
const OF_HANDLES = {
  write: 'write',
  writev: 'writev',
  writeFile: 'writeFile',
  appendFile: 'appendFile',
  sync: 'fsync',
  datasync: 'fdatasync',
};

const KEY = 'failing calls';
if (isMainThread) setEnvironmentData(KEY, new SharedArrayBuffer(16));
/** How many calls were counted, the kind from 1 on, and the first and last number that is refused. */
const state = new Int32Array(getEnvironmentData(KEY));
const [COUNT, KIND, FIRST, LAST] = [0, 1, 2, 3];

/** What one call does to do its work is not counted. */
let isInside = false;

function reads(name, [, flags]) {
  return name === 'open' && (flags === undefined || flags === 'r' || (flags & fs.constants.O_ACCMODE) === 0);
}

function refusal(name, args) {
  const kind = NAMES[state[KIND] - 1];
  const isStream = typeof args[0] === 'number' && args[0] <= 2;
  if (isInside || kind === undefined || !KINDS[kind].includes(name) || isStream || reads(name, args)) return null;
  const number = Atomics.add(state, COUNT, 1) + 1;
  if (number < state[FIRST] || number > state[LAST]) return null;
  const fields = { code: 'ENOSPC', errno: -28, syscall: name };
  return Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), fields);
}

for (const name of new Set(Object.values(KINDS).flat())) {
  const { [`${name}Sync`]: sync, [name]: withCallback } = fs;
  const promised = fs.promises[name];
  fs[`${name}Sync`] = (...args) => {
    const error = refusal(name, args);
    if (error) throw error;
    const wasInside = isInside;
    isInside = true;
    try {
      return sync(...args);
    } finally {
      isInside = wasInside;
    }
  };
  fs[name] = (...args) => {
    const error = refusal(name, args);
    if (error) setImmediate(args.at(-1), error);
    else withCallback(...args);
  };
  if (!promised) continue;
  fs.promises[name] = async (...args) => {
    const error = refusal(name, args);
    if (error) throw error;
    return promised(...args);
  };
}
const handle = await fs.promises.open(process.execPath, 'r');
const methods = Object.getPrototypeOf(handle);
await handle.close();
for (const [method, name] of Object.entries(OF_HANDLES)) {
  const call = methods[method];
  methods[method] = async function (...args) {
    const error = refusal(name, []);
    if (error) throw error;
    return call.apply(this, args);
  };
}
syncBuiltinESMExports();

if (isMainThread) {
  /** Refuses calls of a kind from number `first` to number `last`. */
  globalThis.refuseCalls = (kind, first, last) => {
    state.set([0, NAMES.indexOf(kind) + 1, first, last]);
  };
  /** Refuses none any more; gives how many were counted. */
  globalThis.allowCalls = () => {
    state[KIND] = 0;
    return state[COUNT];
  };
}
