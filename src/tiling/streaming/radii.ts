// The distances at which a tile is loaded and unloaded: the exporter's formulas over the scene's footprint, widened where
// they would unload full detail close to the camera, in a form that the engine's loader does not change.

import { BAND_GAP, MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import type { SemanticTier } from '../../scene/tags.ts';
import type { Bounds } from '../../scene/types.ts';
import { ceilCentimetre, floorCentimetre } from './centimetres.ts';

export interface Radii {
  readonly streaming: number;
  readonly unload: number;
}

/** Full detail is always loaded within this distance in metres … */
const MIN_STREAMING = 10;
/** … and within this many diagonals of the tile, … */
const DIAGONALS = 4;
/** … but for tiles whose nearest level looks like full detail from nearer: pictures are drawn from so many diagonals on. */
const JUDGED_DIAGONALS = 1.5;

/** Half the diagonal of the scene's XZ footprint. */
export function halfDiagonal(scene: Bounds): number {
  return 0.5 * Math.hypot(scene.max[0] - scene.min[0], scene.max[2] - scene.min[2]);
}

/** The exporter's radii of a uniform grid with square cells. */
export function gridRadii(scene: Bounds, tileSize: number): Radii {
  const half = halfDiagonal(scene);
  const streaming = Math.min(2 * tileSize, 0.35 * half);
  return { streaming, unload: Math.max(Math.min(3 * tileSize, 0.5 * half), 1.5 * streaming) };
}

/** The exporter's radii of the shared bucket. */
export function sharedRadii(scene: Bounds): Radii {
  const half = halfDiagonal(scene);
  return { streaming: half, unload: 1.5 * half };
}

/** Shares of the scene's half-diagonal at which a tile of a tier is loaded and unloaded, and its priority. */
const TIERS: Readonly<Record<'indoor' | 'outdoor', Readonly<Record<SemanticTier, readonly [number, number, number]>>>> =
  {
    indoor: {
      ExteriorShell: [0.8, 1.2, 15],
      StructuralInterior: [0.3, 0.5, 10],
      RoomContents: [0.1, 0.18, 8],
      FineProps: [0.03, 0.06, 5],
    },
    outdoor: {
      ExteriorShell: [0.35, 0.55, 15],
      StructuralInterior: [0.25, 0.4, 12],
      RoomContents: [0.1, 0.18, 8],
      FineProps: [0.04, 0.08, 5],
    },
  };

/** The exporter's radii of a tier, never under 1 and 2 m. */
export function tierRadii(scene: Bounds, tier: SemanticTier, profile: 'indoor' | 'outdoor'): Radii {
  const half = halfDiagonal(scene);
  const [streaming, unload] = TIERS[profile][tier];
  return { streaming: Math.max(1, streaming * half), unload: Math.max(2, unload * half) };
}

export function tierPriority(tier: SemanticTier, profile: 'indoor' | 'outdoor'): number {
  return TIERS[profile][tier][2];
}

/** The user's radii of a tier, in metres. */
export interface TierRadius extends Radii {
  readonly priority: number | null;
}

/** How a tile's radii are computed. They depend on the scene's bounds, which are known exactly only after the cook. */
export type StreamingRange =
  | { readonly kind: 'grid'; readonly tileSize: number }
  | { readonly kind: 'shared' }
  /** As far as the engine looks for tiles. */
  | { readonly kind: 'always' }
  | { readonly kind: 'tier'; readonly tier: SemanticTier; readonly profile: 'indoor' | 'outdoor' }
  /** As the user gave them: not widened. */
  | { readonly kind: 'given'; readonly radii: Radii };

/** The radii of a tile with this content in this scene, in a form that the loader does not change. */
export function rangeRadii(range: StreamingRange, scene: Bounds, content: Bounds | null): Radii {
  switch (range.kind) {
    case 'grid':
      return widenRadii(gridRadii(scene, range.tileSize), content);
    case 'shared':
      return widenRadii(sharedRadii(scene), content);
    case 'always':
      return { streaming: MAX_QUERY_RADIUS, unload: unloadBeyond(MAX_QUERY_RADIUS, 0) };
    case 'tier':
      return widenRadii(tierRadii(scene, range.tier, range.profile), content);
    case 'given': {
      const streaming = ceilCentimetre(Math.max(1, range.radii.streaming));
      return { streaming, unload: unloadBeyond(streaming, range.radii.unload) };
    }
  }
}

/**
 * Radii of a tile whose levels are shown from nearer than they would be: `scale` of them, 1 or less. What somebody gave, what is
 * always loaded and the shared bucket stay, and full detail within MIN_STREAMING.
 */
export function nearerRadii({ streaming, unload }: Radii, kind: StreamingRange['kind'], scale: number): Radii {
  if (scale === 1 || (kind !== 'grid' && kind !== 'tier')) return { streaming, unload };
  const near = ceilCentimetre(Math.max(streaming * scale, Math.min(streaming, MIN_STREAMING)));
  return { streaming: near, unload: unloadBeyond(near, unload * scale) };
}

/** The least streaming radius of a tile whose levels pictures have passed, in metres; null for radii that no level changes. */
export function judgedStreaming(range: StreamingRange, content: Bounds): number | null {
  if (range.kind !== 'grid' && range.kind !== 'tier') return null;
  return ceilCentimetre(Math.max(MIN_STREAMING, JUDGED_DIAGONALS * diagonalOf(content)));
}

function diagonalOf({ min, max }: Bounds): number {
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

/** Raises radii to what a tile with this content needs; never lowers them. Rounded up to centimetres. */
export function widenRadii(radii: Radii, content: Bounds | null): Radii {
  const diagonal = content === null ? 0 : diagonalOf(content);
  const streaming = ceilCentimetre(Math.max(radii.streaming, MIN_STREAMING, DIAGONALS * diagonal));
  return { streaming, unload: unloadBeyond(streaming, radii.unload) };
}

/** The radii of a tile whose nearest level takes over at a distance: full detail is let go as soon as the loader allows. */
export function radiiUpTo(distance: number): Radii {
  const streaming = floorCentimetre(distance - BAND_GAP - 0.01);
  return { streaming, unload: unloadBeyond(streaming, 0) };
}

/** At least `wanted` and as far beyond as the loader, which adds in float32, asks for. */
function unloadBeyond(streaming: number, wanted: number): number {
  const unload = ceilCentimetre(Math.max(wanted, streaming + BAND_GAP));
  const single = Math.fround(Math.fround(streaming) + BAND_GAP);
  const enough = unload >= streaming + BAND_GAP && Math.fround(unload) >= single;
  return enough ? unload : ceilCentimetre(unload + 0.01);
}
