// Whether what a call has cooked fits the device that it names.

import { showPath } from '../../config/showPath.ts';
import { mainFile } from '../../config/targets.ts';
import { type Diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import type { Device } from '../../engine/devices.ts';
import { takes } from '../../formats/kinds.ts';
import { diskFiles } from '../../importers/files.ts';
import { recogniseContent } from '../../importers/index.ts';
import type { SourceResult } from '../cookTypes.ts';
import { fitDiagnostics } from '../fit/report.ts';
import { type CookVerdict, DELAY, rateOf, verdictOf } from './deviceVerdict.ts';
import { measureOutput } from './measureOutput.ts';
import { placesIn } from './places.ts';
import { foundOf } from './verdict.ts';

export interface DeviceFacts {
  readonly device: Device;
  readonly deviceMemory?: number | undefined;
  /** Megabits a second. */
  readonly bandwidth: number;
}

/** Whether `untold check` takes a file. */
function isChecked(path: string): boolean {
  try {
    return takes('check', recogniseContent(diskFiles(null).open(path, '', ''), path));
  } catch {
    return false;
  }
}

/**
 * A verdict for each output that was written or is up to date, of those that `untold check` takes, and a warning for each measure that is
 * over. What keeps an output from being measured is among the diagnostics.
 */
export async function cookVerdicts(
  results: readonly SourceResult[],
  { device, deviceMemory, bandwidth }: DeviceFacts,
  cwd: string,
): Promise<{ readonly verdicts: readonly CookVerdict[]; readonly diagnostics: readonly Diagnostic[] }> {
  const verdicts: CookVerdict[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { source, status, target, plan, fit, totals } of results) {
    const path = mainFile(target);
    if (status !== 'ok' || plan || !isChecked(path)) continue;
    const output = showPath(path, cwd);
    try {
      // What was cooked for a zone is looked at from there.
      const where = totals?.zone ? { places: placesIn(totals.zone.boxes) } : {};
      const measured = await measureOutput(path, output, cwd, { delay: DELAY, rate: rateOf(bandwidth) }, where);
      const verdict = verdictOf(measured, device, deviceMemory);
      verdicts.push({ source, output, ...verdict, ...(fit ? { fit } : {}) });
      diagnostics.push(...foundOf(measured, verdict.measures, device, output));
      if (fit) diagnostics.push(...fitDiagnostics(fit, verdict.measures, device, output));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      diagnostics.push(...error.diagnostics);
    }
  }
  return { verdicts, diagnostics };
}
