// A report as GitLab's code quality widget reads it: a part of the Code Climate format, described in "Code Quality", section
// "Code Quality report format", of GitLab's documentation.

import type { Environment } from '../../index.ts';
import { fingerprints } from './fingerprint.ts';
import { findings, type Outcome } from './outcome.ts';
import { placeOf } from './repositoryPath.ts';

const SEVERITY = { error: 'major', warning: 'minor', info: 'info' } as const;

/** Paths are relative to the repository where CI_PROJECT_DIR names it. */
export function codeQuality(outcome: Outcome, cwd: string, environment: Environment['env']): unknown {
  const found = findings(outcome);
  const prints = fingerprints(found);
  return found.map((finding, i) => {
    const { item } = finding;
    // What concerns no file is shown at the working folder.
    const { path, text } = placeOf({ item, file: finding.file || '.' }, cwd, environment.CI_PROJECT_DIR);
    return {
      description: `${text}. ${item.remedy}`,
      check_name: item.code,
      fingerprint: prints[i],
      severity: SEVERITY[item.severity],
      location: { path, lines: { begin: 1 } },
    };
  });
}
