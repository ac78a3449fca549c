// A report as GitLab's code quality widget reads it: a part of the Code Climate format, described in "Code Quality", section
// "Code Quality report format", of GitLab's documentation.

import type { Environment } from '../../index.ts';
import { fingerprints } from './fingerprint.ts';
import { findings, type Outcome, sentence } from './outcome.ts';
import { repositoryPath } from './repositoryPath.ts';

const SEVERITY = { error: 'major', warning: 'minor', info: 'info' } as const;

/** Paths are relative to the repository where CI_PROJECT_DIR names it. What concerns no file is shown at the folder. */
export function codeQuality(outcome: Outcome, cwd: string, environment: Environment['env']): unknown {
  const found = findings(outcome);
  const prints = fingerprints(found);
  return found.map(({ item, file }, i) => ({
    description: `${sentence(item)}. ${item.remedy}`,
    check_name: item.code,
    fingerprint: prints[i],
    severity: SEVERITY[item.severity],
    location: { path: repositoryPath(file || '.', cwd, environment.CI_PROJECT_DIR), lines: { begin: 1 } },
  }));
}
