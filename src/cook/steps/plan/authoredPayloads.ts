// Which objects take their levels from the artist: those of a tile that gets levels, or of a model of a pack that gets a chain,
// which holds all of the object, uncut.

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { getsLevels } from '../../../tiling/streaming/hlodClusters.ts';
import type { AuthoredPayloads, PayloadPlan, PlannedPayload } from '../../planned.ts';
import type { AuthoredObject } from '../read/authoredLevels.ts';
import { MAX_LODS, type WantedChains } from './wantedLevels.ts';

const NONE: AuthoredPayloads = { objectsOf: new Map(), countOf: new Map() };

/** Levels of a tile. `lods`: how many levels the cook makes. Reports UC2058 once for each reason why levels are not used. */
export function authoredTiles(
  objects: readonly AuthoredObject[],
  plan: PayloadPlan,
  lods: number,
  diagnostics: Diagnostics,
): AuthoredPayloads {
  if (objects.length === 0) return NONE;
  const { payloads, tiles, placements, scene } = plan;
  if (lods === 0) {
    const why = tiles === null && !placements ? 'single files have LOD0 alone' : 'no LODs are made';
    reportUnused(objects, why, scene.source, diagnostics);
    return NONE;
  }
  const withLevels = payloads.filter(({ fileType, tile }) => fileType === 'tile' && tile !== null && getsLevels(tile));
  const why = 'the object is cut, lies in several tiles, or lies in one without levels';
  return distributed(objects, withLevels, { lods, why, scene }, diagnostics);
}

/** Levels of the models of a pack. Reports UC2058 once for each reason why levels are not used. */
export function authoredModels(
  objects: readonly AuthoredObject[],
  { payloads, repeated, scene }: Pick<PayloadPlan, 'payloads' | 'repeated' | 'scene'>,
  { ratios }: WantedChains,
  diagnostics: Diagnostics,
): AuthoredPayloads {
  const own = objects.filter(({ finest }) => !finest.every((node) => repeated?.has(node)));
  const lods = ratios?.length ?? MAX_LODS;
  const why = 'the object lies in several models';
  // Nothing in a model is merged: its objects need not be told apart by their levels.
  return { ...distributed(own, payloads, { lods, why, scene }, diagnostics), countOf: NONE.countOf };
}

function distributed(
  objects: readonly AuthoredObject[],
  payloads: readonly PlannedPayload[],
  { lods, why, scene }: Pick<PayloadPlan, 'scene'> & { readonly lods: number; readonly why: string },
  diagnostics: Diagnostics,
): AuthoredPayloads {
  const payloadOf = new Map<number, PlannedPayload>();
  for (const payload of payloads) {
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
  reportUnused(unused, why, scene.source, diagnostics);
  reportUnused(cut, `there are more than the ${lods} LODs that are made`, scene.source, diagnostics);
  return { objectsOf, countOf };
}

function reportUnused(objects: readonly AuthoredObject[], why: string, source: string, diagnostics: Diagnostics): void {
  const [first] = objects;
  if (first === undefined) return;
  const count = objects.length === 1 ? 'of this object' : `of this and ${objects.length - 1} more`;
  diagnostics.report('UC2058', source, first.path, `the levels ${count} are not used: ${why}`);
}
