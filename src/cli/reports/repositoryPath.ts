// Paths as CI services want them: relative to the repository, wherever in it the command runs.

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { showPath } from '../../index.ts';

/** A path that is relative to the working folder, relative to `repository` if that is given and holds the file. */
export function repositoryPath(file: string, cwd: string, repository: string | undefined): string {
  if (!repository) return file;
  try {
    // The working folder has no links in it, as the system gives it.
    const shown = showPath(resolve(cwd, file), realpathSync(repository));
    return /^(?:\.\.(?:\/|$)|\/|[A-Za-z]:)/.test(shown) ? file : shown;
  } catch {
    return file;
  }
}
