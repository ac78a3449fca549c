// Checks the level files of the LOD chains of packs against their models.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { Findings } from '../findings.ts';
import { chainFault, levelFacts, levelFaults } from '../untold/check/level.ts';
import type { PackProbe, UntoldPack } from './document.ts';

/** Gives the files of a pack by path. */
export interface FileProbe extends PackProbe {
  read(path: string): Uint8Array;
}

/** What is wrong with the level files of a pack that can be read, as far as their models are concerned. Throws what the probe throws. */
export async function checkLevelFiles(
  { lodChains = {} }: UntoldPack,
  file: string,
  probe: FileProbe,
): Promise<readonly Diagnostic[]> {
  const findings = new Findings(file);
  for (const [path, levels] of Object.entries(lodChains)) {
    if (probe.size(path) === null) continue;
    const model = await levelFacts(probe.read(path), path);
    if (model === null) continue;
    const fault = chainFault(model);
    if (fault !== null) findings.report(fault.code, `lodChains/${path}`, fault.message);
    let before = model;
    /** Each file is read once, however often the chain lists it. */
    const known = new Map<string, Awaited<ReturnType<typeof levelFacts>>>();
    for (const [i, level] of levels.entries()) {
      const isKnown = known.has(level.path);
      if (!isKnown && probe.size(level.path) !== null)
        known.set(level.path, await levelFacts(probe.read(level.path), level.path));
      const facts = known.get(level.path) ?? null;
      if (facts === null) continue;
      for (const { code, message } of levelFaults(model, before, facts)) {
        findings.report(code, `lodChains/${path}/${i}`, `${level.path}: ${message}`);
      }
      before = facts;
    }
  }
  return findings.list();
}
