// How what is left around a zone is drawn: cut into meshes, and with fewer materials where the device carries no more draws.

import type { ZoneSettings } from '../../config/zoneSettings.ts';
import type { Vec3 } from '../../scene/types.ts';
import { type Beside, type Cells, cutIntoCells, shareInView } from '../../zone/cells.ts';
import type { ZoneMesh } from '../../zone/thin.ts';
import type { Joined } from './joined/join.ts';

/** What the result may have; null: nobody counts it. */
export interface Budget extends Pick<ZoneSettings, 'triangles' | 'visibleTriangles' | 'draws'> {
  /** Takes its part of the triangles in view. */
  readonly beside?: readonly Beside[];
}

export interface Fitted {
  readonly thin: readonly ZoneMesh[];
  /** How it is cut into meshes that are drawn. */
  readonly cut: Cells;
  /** Materials that were joined; null: none, or it fits without that. */
  readonly joined: Joined | null;
  /** Triangles as a share of those that the device carries, in all or in a view; more than 1: they do not fit. */
  readonly share: number;
}

export const countOf = (meshes: readonly ZoneMesh[]): number =>
  meshes.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);

/** Cuts meshes into those that are drawn. `join`: fewer materials for the same meshes, which are asked for where these do not fit. */
export async function fitted(
  meshes: readonly ZoneMesh[],
  middle: Vec3,
  { triangles, visibleTriangles, draws, beside = [] }: Budget,
  eyes: readonly Vec3[],
  join: (meshes: readonly ZoneMesh[]) => Promise<Joined | null>,
): Promise<Fitted> {
  const drawnAs = (thin: readonly ZoneMesh[], joined: Joined | null) => {
    const cut = cutIntoCells(thin, middle, { draws, visibleTriangles, beside }, eyes);
    const seen = visibleTriangles === null ? 0 : shareInView(cut, eyes, visibleTriangles, beside);
    const share = Math.max(triangles === null ? 0 : countOf(thin) / triangles, seen);
    return { thin, cut, joined, share, isDrawn: draws === null || cut.cells.length <= draws };
  };
  const own = drawnAs(meshes, null);
  const { isDrawn: _, ...apart } = own;
  if (draws === null || (own.isDrawn && own.share <= 1)) return apart;
  const joined = await join(meshes);
  if (joined === null) return apart;
  const { isDrawn, ...together } = drawnAs(joined.meshes, joined);
  const isBetter = own.isDrawn
    ? together.share < own.share
    : isDrawn || together.cut.cells.length < own.cut.cells.length;
  return isBetter ? together : apart;
}
