// What a call takes of the process that it runs in: the working folder, which names and messages are relative to, and the
// variables. A caller may give others, so that calls for several folders can run in one process.

import { fail } from '../../diagnostics/diagnostic.ts';

/** The `process` of Node is one. */
export interface Environment {
  /** Absolute. Throws where the system does not name it: it may be removed while the process still runs in it. */
  cwd(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Options of a call that name its environment. */
export interface Surrounded {
  /** The working folder and the variables of the call; absent: those of the process. */
  readonly environment?: Environment | undefined;
}

export const environmentOf = ({ environment = process }: Surrounded): Environment => environment;

/** The variables of a call. */
export const variablesOf = (call: Surrounded): Environment['env'] => environmentOf(call).env;

/** Throws UC1100 when the system does not name it. */
export function workingFolder(call: Surrounded): string {
  try {
    return environmentOf(call).cwd();
  } catch (error) {
    return fail('UC1100', '', '', `the system does not name it (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The working folder for messages; the root where there is none, so that they show whole paths. */
export function folderOfMessages(call: Surrounded): string {
  try {
    return environmentOf(call).cwd();
  } catch {
    return '/';
  }
}
