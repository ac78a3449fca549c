// The working folder, which names and messages are relative to. It may be removed while the process still runs in it.

import { fail } from '../../diagnostics/diagnostic.ts';

/** Throws UC1100 when the system does not name it. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    return fail('UC1100', '', '', `the system does not name it (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The working folder for messages; the root where there is none, so that they show whole paths. */
export function folderOfMessages(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
