// Checks the radii and switch distances of a manifest against the rules of the engine's loader (engine/streaming.ts), and
// warns of every distance that the loader would change.

import { BAND_GAP, loaderBands } from '../../engine/streaming.ts';
import type { Findings } from '../findings.ts';
import type { LevelEntry, StreamingDefaults, TileEntry } from './schema.ts';

/** Manifests state distances with two decimals. */
const ROUNDING = 0.006;

const metres = (value: number | null): string => (value === null ? 'dropped' : String(Number(value.toFixed(2))));

function checkLadder(
  streaming: number,
  unload: number,
  hlods: readonly LevelEntry[],
  lods: readonly LevelEntry[],
  path: string,
  findings: Findings,
): void {
  if (hlods.length > 1) findings.report('UC3235', `${path}/hlod_levels`, `${hlods.length} levels, one is used`);
  const hlod = hlods.length > 0 ? hlods[0].switch_distance : null;
  const asked = lods.map((lod) => lod.switch_distance).sort((a, b) => a - b);
  const used = loaderBands(streaming, unload, hlod, asked);
  const moved = (from: number | null, to: number | null) =>
    from !== to && (from === null || to === null || Math.abs(from - to) > ROUNDING);
  if (!moved(hlod, used.hlod) && !asked.some((lod, i) => moved(lod, used.lods[i]))) return;
  const ladder = (list: readonly (number | null)[], end: number | null) =>
    [...list.map(metres), ...(end === null ? [] : [`HLOD ${metres(end)}`])].join(', ');
  findings.report(
    'UC3234',
    path,
    `${ladder(asked, hlod)} become ${ladder(used.lods, used.hlod)} (streaming ${metres(streaming)}, unload ${metres(used.unload)})`,
  );
}

/** Warns of radii and distances that the loader changes (UC3231-UC3235). */
export function checkRadii(tile: TileEntry, defaults: StreamingDefaults, path: string, findings: Findings): void {
  const streaming = tile.streaming_radius ?? defaults.streaming_radius;
  const unload = tile.unload_radius ?? defaults.unload_radius;
  // checkDefaults reports a pair that comes from the defaults alone.
  if (tile.streaming_radius != null || tile.unload_radius != null) checkPair(streaming, unload, path, findings);
  const prefetch = tile.prefetch_radius ?? defaults.prefetch_radius ?? 0;
  const raised = Math.max(unload, streaming + BAND_GAP);
  if (prefetch !== 0 && (prefetch < streaming || prefetch > raised)) {
    findings.report('UC3233', path, `prefetch ${prefetch} is not in ${metres(streaming)} to ${metres(raised)}`);
  }
  checkLadder(streaming, unload, tile.hlod_levels ?? [], tile.lod_levels ?? [], path, findings);
}

export function checkDefaults(defaults: StreamingDefaults, findings: Findings): void {
  checkPair(defaults.streaming_radius, defaults.unload_radius, 'streaming_defaults', findings);
}

function checkPair(streaming: number, unload: number, path: string, findings: Findings): void {
  if (streaming <= 0 || unload <= 0) findings.report('UC3232', path, `streaming ${streaming}, unload ${unload}`);
  if (unload < streaming + BAND_GAP - ROUNDING) {
    findings.report('UC3231', path, `unload ${metres(unload)} becomes ${metres(streaming + BAND_GAP)}`);
  }
}
