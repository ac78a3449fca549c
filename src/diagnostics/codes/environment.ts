// The machine that the program runs on, and its threads: codes UC1100-UC1199.

import type { CodeEntry } from '../entry.ts';

export const ENVIRONMENT = {
  UC1100: {
    severity: 'error',
    exit: 3,
    title: 'working folder cannot be used',
    cause:
      'Names on the command line and in messages are relative to the working folder. It was deleted or moved, or the system refuses to tell where it is.',
    remedy: 'change to a folder that exists and run the command again',
  },
  UC1101: {
    severity: 'error',
    exit: 3,
    title: 'part of the program cannot be loaded',
    cause:
      'A file of the program or of a library is missing or damaged, may not be read, or was installed for another system.',
    remedy: 'install untold again (`npm ci`) on the system that runs it',
  },
  UC1102: {
    severity: 'error',
    exit: 3,
    title: 'too little memory',
    cause:
      'The system or the JavaScript heap gives no more memory. WebAssembly needs about 10 GB of address space for each module (not of memory), and a limit on address space (`ulimit -v`) can be below that.',
    remedy:
      'lift the limit on address space (`ulimit -v unlimited`; from Node 20.15 on NODE_OPTIONS=--disable-wasm-trap-handler needs less of it), cook with fewer --jobs or smaller tiles, or give more memory',
  },
  UC1103: {
    severity: 'error',
    exit: 3,
    title: 'the system refused a call',
    cause: 'A call to the system failed: no permission, no space, or too many open files or threads.',
    remedy: 'correct what the message names and run the command again',
  },
  UC1104: {
    severity: 'error',
    exit: 4,
    title: 'thread ended without an answer',
    cause:
      'A thread that cooks tiles ended, or sent an invalid answer. The source may be unusual, but the fault is ours or that of a library.',
    remedy: 'report the message, with the source if you can share it; --jobs 1 cooks without threads',
  },
  UC1105: {
    severity: 'warning',
    title: 'cache not used',
    cause:
      'The folder of the cache cannot be made or written, its disk is full, it belongs to another user, everybody may write there, or it holds files that are not of a cache of untold. The cook goes on without it and gives the same bytes, so that --strict does not count this warning; --deny does.',
    remedy: 'correct what the message names, name a folder of your own with --cache-dir, or cook with --no-cache',
  },
  UC1106: {
    severity: 'error',
    exit: 2,
    title: 'not a cache of untold',
    cause:
      'The folder holds other files and no CACHEDIR.TAG of untold, or belongs to another user. Nothing in it was touched.',
    remedy: 'give --cache-dir the folder of a cache; a new or empty folder becomes one at the first cook',
  },
  UC1107: {
    severity: 'error',
    exit: 3,
    title: 'astcenc not found',
    cause:
      '--astc-encoder astcenc takes the program that ASTCENC_BIN names, else the first astcenc in PATH. There is none that can be run, or it does not name its version.',
    remedy: 'install astcenc, set ASTCENC_BIN to it, or leave --astc-encoder out',
  },
  UC1108: {
    severity: 'error',
    exit: 3,
    title: 'astcenc failed',
    cause: 'The program ended with an error, or its output is not an .astc file of the size that was asked for.',
    remedy: 'run astcenc by hand to see what it says; leave --astc-encoder out to do without it',
  },
  UC1109: {
    severity: 'warning',
    title: 'remote cache not used',
    cause:
      'The cache of the team did not answer, refused, was too slow or gave what is no answer of its protocol. The cook goes on without it, and its output is the same.',
    remedy: 'check the URL, the network and UNTOLD_REMOTE_CACHE_HEADER, or leave --remote-cache out',
  },
} as const satisfies Record<string, CodeEntry>;
