// Diagnostics as GitHub Actions shows them at files of a pull request: workflow commands on stderr. The runner reads stderr as it
// reads stdout, which is left to documents.

import { type Diagnostic, type Environment, explain } from '../../index.ts';
import { printable } from '../terminal/terminal.ts';
import { findings, type Outcome } from './outcome.ts';
import { placeOf } from './repositoryPath.ts';

/** GitHub shows so many of each kind in a step; what comes after them only lengthens the log. */
const MAX_OF_A_KIND = 10;

const KINDS = { error: 'error', warning: 'warning', info: 'notice' } as const;

/** How the runner wants the text of a command (escapeData and escapeProperty of @actions/core). */
const data = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const property = (text: string): string => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');

/** Workflow commands, errors first: of the diagnostics for which `isShown` is true, as in the log. */
export function annotations(
  outcome: Outcome,
  cwd: string,
  environment: Environment['env'],
  isShown: (item: Diagnostic) => boolean,
): readonly string[] {
  const found = findings(outcome).filter(({ item }) => isShown(item));
  return (['error', 'warning', 'info'] as const).flatMap((severity) =>
    found
      .filter(({ item }) => item.severity === severity)
      .slice(0, MAX_OF_A_KIND)
      .map((finding) => {
        const { item } = finding;
        const { path, text } = placeOf(finding, cwd, environment.GITHUB_WORKSPACE);
        const title = `title=${property(`${item.code} ${explain(item.code).title}`)}`;
        const place = path === '' ? title : `file=${property(printable(path))},${title}`;
        return `::${KINDS[severity]} ${place}::${data(`${printable(text)}\n${printable(item.remedy)}`)}`;
      }),
  );
}
