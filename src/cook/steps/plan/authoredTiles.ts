// Which objects take their levels from the artist: those of a tile that gets levels and holds all of the object, uncut.

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { getsLevels } from '../../../tiling/streaming/hlodClusters.ts';
import type { AuthoredTiles, PayloadPlan, PlannedPayload } from '../../planned.ts';
import type { AuthoredObject } from '../read/authoredLevels.ts';

const NONE: AuthoredTiles = { objectsOf: new Map(), countOf: new Map() };

/** `lods`: how many levels the cook makes. Reports UC2058 once for each reason why levels are not used. */
export function authoredTiles(
  objects: readonly AuthoredObject[],
  { payloads, tiles, scene }: PayloadPlan,
  lods: number,
  diagnostics: Diagnostics,
): AuthoredTiles {
  if (objects.length === 0) return NONE;
  if (lods === 0) {
    const why =
      tiles === null ? 'single files are LOD0 alone, and levels of packs are simplified from it' : 'no LODs are made';
    reportUnused(objects, why, scene.source, diagnostics);
    return NONE;
  }
  const payloadOf = new Map<number, PlannedPayload>();
  for (const payload of payloads) {
    if (payload.fileType !== 'tile' || payload.tile === null || !getsLevels(payload.tile)) continue;
    for (const { node, piece } of payload.objects) if (!piece) payloadOf.set(node, payload);
  }
  const objectsOf = new Map<PlannedPayload, AuthoredObject[]>();
  const countOf = new Map<number, number>();
  const unused: AuthoredObject[] = [];
  const cut: AuthoredObject[] = [];
  for (const object of objects) {
    const { finest, coarser, coverage } = object;
    const payload = payloadOf.get(finest[0]);
    if (payload === undefined || finest.some((node) => payloadOf.get(node) !== payload)) {
      unused.push(object);
      continue;
    }
    if (coarser.length > lods) cut.push(object);
    const used = { ...object, coarser: coarser.slice(0, lods), coverage: coverage?.slice(0, lods) ?? null };
    const others = objectsOf.get(payload);
    if (others) others.push(used);
    else objectsOf.set(payload, [used]);
    for (const node of finest) countOf.set(node, used.coarser.length);
  }
  reportUnused(
    unused,
    'the object is cut, lies in several tiles, or lies in one without levels',
    scene.source,
    diagnostics,
  );
  reportUnused(cut, `there are more than the ${lods} LODs that are made`, scene.source, diagnostics);
  return { objectsOf, countOf };
}

function reportUnused(objects: readonly AuthoredObject[], why: string, source: string, diagnostics: Diagnostics): void {
  const [first] = objects;
  if (first === undefined) return;
  const count = objects.length === 1 ? 'of this object' : `of this and ${objects.length - 1} more`;
  diagnostics.report('UC2058', source, first.path, `the levels ${count} are not used: ${why}`);
}
