// What the page of a call shows of the outputs, read from the disk when the call is over.

import { basename, dirname } from 'node:path';
import { DEVICE_FACTS } from '../../config/options/deviceOptions.ts';
import { settle } from '../../config/options/option.ts';
import { isPack, mainFile } from '../../config/targets.ts';
import { SourceError } from '../../diagnostics/diagnostic.ts';
import { DEVICES, type Device } from '../../engine/devices.ts';
import { DELAY, rateOf, verdictOf } from '../check/deviceVerdict.ts';
import { measureOutput } from '../check/measureOutput.ts';
import type { SourceResult } from '../cookTypes.ts';
import type { ReportedSet } from './page.ts';
import { type DrawnLevels, reportPictures } from './pictures.ts';
import { fileFacts, setFacts } from './setFacts.ts';
import type { DeviceBudget } from './verdictPart.ts';

/** Outputs that are shown with tables, a map and a picture; of others there are the totals. */
const MAX_SHOWN = 24;
/** Outputs of which levels are drawn. */
const MAX_WITH_LEVELS = 2;

/** What is asked of the outputs besides their tables. */
export interface SetQuestions {
  /** Which levels are drawn. */
  readonly levels: Exclude<DrawnLevels, 'none'>;
  /** Whether the budgets of all known devices are measured: the call names none. */
  readonly budgets: boolean;
  /** Threads that draw levels at most; absent: one for each core. */
  readonly jobs?: number | undefined;
}

/** Known devices with the same limits together, by what they are called. */
function knownDevices(): { readonly title: string; readonly device: Device }[] {
  const byLimits = new Map<Device['limits'], Device[]>();
  for (const device of Object.values<Device>(DEVICES)) {
    byLimits.set(device.limits, [...(byLimits.get(device.limits) ?? []), device]);
  }
  return [...byLimits.values()].map((devices) => ({ title: titles(devices), device: devices[0] }));
}

function titles(devices: readonly Device[]): string {
  const names = devices.map(({ title }) => title);
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

async function budgetsOf(main: string): Promise<DeviceBudget[]> {
  const connection = { delay: DELAY, rate: rateOf(settle(DEVICE_FACTS, {}).bandwidth) };
  const measured = await measureOutput(main, main, '/', connection);
  return knownDevices().map(({ title, device }) => ({ title, verdict: verdictOf(measured, device) }));
}

/** By source, what is shown of its output. An output that has changed since, or cannot be read, has nothing. */
export async function reportedSets(
  results: readonly SourceResult[],
  { levels, budgets, jobs }: SetQuestions,
): Promise<ReadonlyMap<string, ReportedSet>> {
  const sets = new Map<string, ReportedSet>();
  for (const { source, target, outputs, plan, pairs = [] } of results) {
    if (sets.size >= MAX_SHOWN) break;
    if (outputs.length === 0 || plan || (target.kind === 'folder' && target.shard)) continue;
    // The models of a pack stand alone: there is no map or picture of the whole.
    if (isPack(target)) continue;
    const main = mainFile(target);
    try {
      const facts = target.kind === 'file' ? await fileFacts(main) : await setFacts(dirname(main), basename(main));
      if (facts === null) continue;
      const drawn = sets.size < MAX_WITH_LEVELS ? levels : 'none';
      const pictures = await reportPictures(main, facts.tiles, drawn, jobs);
      const measured = budgets ? await budgetsOf(main) : [];
      sets.set(source, { facts, pictures, pairs, budgets: measured });
    } catch (error) {
      // Another process may have replaced the files: the totals of the cook still hold.
      if (!(error instanceof SourceError) && typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    }
  }
  return sets;
}
