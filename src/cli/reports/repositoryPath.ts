// Places of findings as CI services want them: files relative to the repository, wherever in it the command runs.

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { outermostFile, showPath } from '../../index.ts';
import { type Finding, sentence } from './outcome.ts';

/** A path that is relative to the working folder, relative to `repository` if that is given and holds the file. */
function repositoryPath(file: string, cwd: string, repository: string | undefined): string {
  if (!repository) return file;
  try {
    // The working folder has no links in it, as the system gives it.
    const shown = showPath(resolve(cwd, file), realpathSync(repository));
    return /^(?:\.\.(?:\/|$)|\/|[A-Za-z]:)/.test(shown) ? file : shown;
  } catch {
    return file;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Where a service shows a finding, and what it says there. */
export interface Place {
  /** A file of the repository: of what lies in a package, the package. '' if no file is concerned. */
  readonly path: string;
  readonly text: string;
}

export function placeOf({ item, file }: Finding, cwd: string, repository: string | undefined): Place {
  const text = sentence(item);
  if (file === '') return { path: '', text };
  const { file: outer, inside } = outermostFile(file, (path) => isFile(resolve(cwd, path)));
  const path = repositoryPath(outer, cwd, repository);
  return { path, text: inside === '' ? text : `${inside}${item.path === '' ? ': ' : ' '}${text}` };
}
