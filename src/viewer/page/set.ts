// What is viewed: the server's description, with the manifest's tiles, lights and cameras.

import type { TileManifest } from '../../formats/manifest/schema.ts';
import { type CookedTile, singleTile, tilesOf } from '../../formats/manifest/tiles.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';
import { AGAINST, type ViewDescription } from '../description.ts';
import type { AuthoredLight } from './drawing/lights.ts';
import { urlOf } from './reading/client.ts';

export interface ViewedCamera {
  readonly name: string;
  readonly position: Vec3;
  readonly forward: Vec3;
}

export interface ViewedSet {
  readonly description: ViewDescription;
  readonly tiles: readonly CookedTile[];
  readonly bounds: Bounds | null;
  /** Of the manifest. */
  readonly lights: readonly AuthoredLight[];
  readonly cameras: readonly ViewedCamera[];
}

/** What is shown has not come from the server. */
export class NotThere extends Error {
  readonly url: string;
  /** Of HTTP; 0: there was no answer. */
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url}: ${status}`);
    this.url = url;
    this.status = status;
  }
}

async function json(url: string): Promise<unknown> {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) throw new NotThere(url, response?.status ?? 0);
  return response.json();
}

type Loose = Readonly<Record<string, unknown>>;

const vec3 = (value: unknown, fallback: Vec3): Vec3 =>
  Array.isArray(value) && value.length >= 3 ? [Number(value[0]), Number(value[1]), Number(value[2])] : fallback;
const number = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** A light with the defaults of the engine's decoder. */
function lightOf(entry: Loose): AuthoredLight {
  const kind = String(entry.kind ?? entry.type ?? 'point');
  const type = (['directional', 'point', 'spot', 'area'] as const).find((one) => one === kind);
  const area = Array.isArray(entry.area_size) ? entry.area_size : [1, 1];
  return {
    type: type ?? (/^(sun|dir)/.test(kind) ? 'directional' : 'point'),
    color: vec3(entry.color, [1, 1, 1]),
    intensity: number(entry.intensity, 1),
    position: vec3(entry.position, [0, 0, 0]),
    direction: vec3(entry.direction, [0, -1, 0]),
    innerCone: number(entry.inner_cone, 5),
    outerCone: number(entry.outer_cone, 10),
    areaSize: [Number(area[0]), Number(area[1])],
  };
}

/** What is shown, and the other output that it is compared with, if there is one. */
export async function openSets(): Promise<{ readonly set: ViewedSet; readonly against: ViewedSet | null }> {
  const description = (await json('view.json')) as ViewDescription;
  const { against } = description;
  return { set: await openSet(description), against: against ? elsewhere(await openSet(inOther(against))) : null };
}

const other = (path: string): string => AGAINST + path;

function inOther(description: ViewDescription): ViewDescription {
  const { manifest, file, planMap } = description;
  return { ...description, manifest: manifest && other(manifest), file, planMap: planMap && other(planMap) };
}

/** A set whose files are those of the other output. */
function elsewhere(set: ViewedSet): ViewedSet {
  const level = <T extends { readonly path: string }>(one: T): T => ({ ...one, path: other(one.path) });
  const tiles = set.tiles.map((tile) => ({
    ...tile,
    full: other(tile.full),
    lods: tile.lods.map(level),
    hlod: tile.hlod && level(tile.hlod),
  }));
  return { ...set, tiles };
}

async function openSet(description: ViewDescription): Promise<ViewedSet> {
  const { manifest: path, file } = description;
  if (path === null) {
    const name = file ?? '';
    const tile = singleTile(name.replace(/\.untold$/, ''), name);
    return { description, tiles: [tile], bounds: null, lights: [], cameras: [] };
  }
  const manifest = (await json(urlOf(path))) as TileManifest & {
    readonly scene_lights?: readonly Loose[];
    readonly scene_cameras?: readonly Loose[];
  };
  const cameras = (manifest.scene_cameras ?? []).map((entry, i) => ({
    name: String(entry.name ?? entry.entity_name ?? `camera ${i + 1}`),
    position: vec3(entry.position, [0, 0, 0]),
    forward: vec3(entry.forward, [0, 0, -1]),
  }));
  return { description, ...tilesOf(manifest), lights: (manifest.scene_lights ?? []).map(lightOf), cameras };
}
