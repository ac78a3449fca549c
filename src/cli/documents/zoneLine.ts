// What became of a source for the eyes of a zone, in words.

import type { ZoneFigures } from '../../index.ts';
import type { Log } from '../terminal/log.ts';
import { count, plural } from '../terminal/words.ts';

/** What the eyes of a zone left of a source, in a few words. */
export function zoneLine({
  trianglesBefore,
  trianglesSeen,
  trianglesKept,
  trianglesAfter,
  trianglesWhole,
  whole,
  error,
  draws,
  sectors,
  joined,
  proof,
}: ZoneFigures): string {
  const stay = whole === 1 ? 'stays' : 'stay';
  const kept =
    whole === 0 ? '' : `, with ${count(trianglesWhole)} more of ${plural(whole, 'object')} that ${stay} whole`;
  const of = `${count(trianglesSeen)} of ${plural(trianglesBefore, 'triangle')}`;
  const seen = `seen from the zone: ${of}, ${count(trianglesKept)} with their neighbours`;
  const left = `${count(trianglesAfter)} in the output${kept}, simplified up to ${Number(error.toFixed(2))} pixels`;
  const alike = proof.pictures ? `, SSIM ${proof.pictures.ssimMin.toFixed(3)} and more` : '';
  const proved = `${plural(proof.holes, 'hole')} from ${plural(proof.eyes, 'place')}${alike}`;
  const merged = joined === 0 ? '' : ` and ${count(joined)} materials joined`;
  return `${seen}; ${left}, ${plural(draws, 'draw')} in ${plural(sectors, 'sector')}${merged}; ${proved}`;
}

/** Logs the line of a source that was cooked for a zone. */
export function logZone(source: string, zone: ZoneFigures | undefined, log: Log): void {
  if (zone === undefined) return;
  // Every object in a line of a log would be too much.
  const { objects: _, ...figures } = zone;
  log.info(`  ${zoneLine(zone)}`, { event: 'seen', source, ...figures });
}
