// What a set takes on a device, place by place: the engine's loader is simulated where the loads are largest.

import type { Measure } from '../../engine/devices.ts';
import { shownLevel, showsShared } from '../../engine/shownLevel.ts';
import { FLOOR_GATE } from '../../engine/streaming.ts';
import type { CookedTile } from '../../formats/manifest/tiles.ts';
import { distanceToBounds } from '../../scene/bounds.ts';
import type { Vec3 } from '../../scene/types.ts';
import type { Connection, LoaderState, StreamLoader } from '../../viewer/streaming/loader.ts';
import { eyesAround, lookAround } from '../../viewer/streaming/settle.ts';
import { type Eye, isInView } from '../../viewer/streaming/view.ts';
import type { OutputFacts, PayloadFacts } from './facts.ts';

/** A tile with the facts of its payloads: full detail, LODs from near to far, HLOD. */
export interface FactTile {
  readonly tile: CookedTile;
  readonly payloads: readonly PayloadFacts[];
}

/** What is measured at one place; `file` belongs to no place. */
export type PlaceMeasure = Exclude<Measure, 'file'>;
export type Figures = Readonly<Record<PlaceMeasure, number>>;

export interface MeasuredPlace {
  readonly position: Vec3;
  readonly figures: Figures;
  /** Estimated, until full detail is there of all that is near: geometry as the loader takes it, then textures. */
  readonly seconds: number;
  /** Of the look with most draws, if the engine merges the meshes of a tile's full detail that share a material. */
  readonly batchedDraws: number;
  /** What is in memory at last, by tile. */
  readonly held: readonly HeldPayload[];
  /** Each direction that was looked into: `figures` has the most of any. */
  readonly looks: readonly MeasuredLook[];
}

/** What is in memory and in view at the end of a look, and what it is of. */
export interface MeasuredLook {
  readonly figures: Figures;
  readonly held: readonly HeldPayload[];
}

export interface HeldPayload {
  readonly tile: string;
  readonly level: string;
  readonly facts: PayloadFacts;
}

/** Paths of a tile's payloads in the order of the loader's indices. */
export const pathsOf = ({ full, lods, hlod }: CookedTile): string[] => [
  full,
  ...lods.map(({ path }) => path),
  ...(hlod ? [hlod.path] : []),
];

/** Reads the facts of all tiles. Throws what reading throws. */
export async function factTiles(tiles: readonly CookedTile[], facts: OutputFacts): Promise<FactTile[]> {
  const rows: FactTile[] = [];
  for (const tile of tiles) {
    const payloads: PayloadFacts[] = [];
    for (const path of pathsOf(tile)) payloads.push(await facts.payload(path));
    rows.push({ tile, payloads });
  }
  return rows;
}

/** The payload that the rules of distance show of a tile, -1 for none: what looking around there ends with. */
function shownAt({ tile }: FactTile, position: Vec3): number {
  const distance = tile.bounds ? distanceToBounds(position, tile.bounds) : 0;
  if (tile.distances === null) {
    const { streaming = null, unload = null } = tile.shared ?? {};
    return showsShared(streaming, unload, distance) ? 0 : -1;
  }
  const isGated = tile.gateHeight !== null && Math.abs(tile.gateHeight - position[1]) > FLOOR_GATE;
  const level = shownLevel({ ...tile.distances, isGated }, distance);
  if (level === null) return -1;
  return level.kind === 'full' ? 0 : level.kind === 'lod' ? 1 + level.index : 1 + tile.lods.length;
}

/** Sums over payloads. Textures count once, whoever names them. */
class Sums {
  readonly #facts: OutputFacts;
  readonly #textures = new Set<string>();
  geometry = 0;
  triangles = 0;
  entities = 0;
  textures = 0;

  constructor(facts: OutputFacts) {
    this.#facts = facts;
  }

  add({ geometry, triangles, entities, textures }: PayloadFacts): void {
    this.geometry += geometry;
    this.triangles += triangles;
    this.entities += entities;
    for (const texture of textures) {
      if (this.#textures.has(texture)) continue;
      this.#textures.add(texture);
      this.textures += this.#facts.textureBytes(texture);
    }
  }
}

/** What the distances alone say of a place, in every direction at once. */
export function expectedAt(tiles: readonly FactTile[], position: Vec3, facts: OutputFacts): Figures {
  const sums = new Sums(facts);
  let draws = 0;
  for (const row of tiles) {
    const shown = shownAt(row, position);
    if (shown < 0) continue;
    sums.add(row.payloads[shown]);
    draws += row.payloads[shown].draws;
  }
  const { geometry, textures, triangles, entities } = sums;
  return { geometry, textures, triangles, entities, draws, visibleTriangles: triangles };
}

/** Triangles and draws of what is shown in a view. */
function inView(tiles: readonly FactTile[], { shown }: LoaderState, eye: Eye) {
  let visibleTriangles = 0;
  let draws = 0;
  let batchedDraws = 0;
  for (const [i, { tile, payloads }] of tiles.entries()) {
    const facts = payloads[shown[i]];
    if (facts === undefined || (tile.bounds && !isInView(eye, tile.bounds, 0))) continue;
    visibleTriangles += facts.triangles;
    draws += facts.draws;
    // Levels are drawn mesh by mesh.
    batchedDraws += shown[i] === 0 ? facts.drawsOf.size : facts.draws;
  }
  return { seen: { visibleTriangles, draws }, batchedDraws };
}

/** The figures of one state of a loader, seen by an eye, and what it holds. */
export function figuresOf(
  tiles: readonly FactTile[],
  state: LoaderState,
  eye: Eye,
  loader: StreamLoader,
  facts: OutputFacts,
): MeasuredLook & Pick<MeasuredPlace, 'batchedDraws'> {
  const sums = new Sums(facts);
  const held: HeldPayload[] = [];
  for (const [i, { tile, payloads }] of tiles.entries()) {
    for (const [index, payload] of payloads.entries()) {
      if (!((state.loaded[i] >> index) & 1)) continue;
      sums.add(payload);
      held.push({ tile: tile.id, level: loader.levelName(i, index), facts: payload });
    }
  }
  const { geometry, textures, triangles, entities } = sums;
  const { seen, batchedDraws } = inView(tiles, state, eye);
  return { figures: { geometry, textures, triangles, entities, ...seen }, batchedDraws, held };
}

/**
 * What somebody who stands at a place and looks around has in memory at last, and in view at most. The loader gets as much
 * memory as it asks for: what exceeds a budget shows.
 */
export function measurePlace(
  tiles: readonly FactTile[],
  position: Vec3,
  facts: OutputFacts,
  connection: Connection,
): MeasuredPlace {
  const fileBytes = sizesOf(tiles);
  const options = { connection, budget: Number.POSITIVE_INFINITY, fileBytes };
  const { loader, looks } = lookAround(
    tiles.map(({ tile }) => tile),
    position,
    options,
  );
  const all = looks.map(({ state, eye }) => figuresOf(tiles, state, eye, loader, facts));
  const last = all[all.length - 1];
  const highest = (measure: PlaceMeasure) => Math.max(...all.map(({ figures }) => figures[measure]));
  const figures = Object.fromEntries(
    (Object.keys(last.figures) as PlaceMeasure[]).map((measure) => [measure, highest(measure)]),
  ) as unknown as Figures;
  const seconds = looks[0].seconds + all[0].figures.textures / connection.rate;
  const { batchedDraws } = all.reduce((most, look) => (look.figures.draws > most.figures.draws ? look : most));
  return { position, figures, seconds, batchedDraws, held: last.held, looks: all };
}

/** Sizes of the files of payloads, by their paths. */
export function sizesOf(tiles: readonly FactTile[]): (path: string) => number {
  const sizes = new Map<string, number>();
  for (const { tile, payloads } of tiles) {
    for (const [i, path] of pathsOf(tile).entries()) sizes.set(path, payloads[i].bytes);
  }
  return (path) => sizes.get(path) ?? 0;
}

/** What an output takes that is loaded as a whole: each payload as often as it is given. */
export function measureWhole(
  payloads: readonly { readonly name: string; readonly facts: PayloadFacts }[],
  facts: OutputFacts,
  { delay, rate }: Connection,
): MeasuredPlace {
  const sums = new Sums(facts);
  let draws = 0;
  let bytes = 0;
  for (const { facts: payload } of payloads) {
    sums.add(payload);
    draws += payload.draws;
    bytes += payload.bytes;
  }
  const { geometry, textures, triangles, entities } = sums;
  const figures = { geometry, textures, triangles, entities, draws, visibleTriangles: triangles };
  const held = payloads.map(({ name, facts: payload }): HeldPayload => ({ tile: name, level: 'full', facts: payload }));
  return {
    position: [0, 0, 0],
    figures,
    seconds: delay + (bytes + textures) / rate,
    batchedDraws: payloads.reduce((sum, { facts: { drawsOf } }) => sum + drawsOf.size, 0),
    held,
    looks: [{ figures, held }],
  };
}

/**
 * What an output that is loaded as a whole takes, and what of it is in view of somebody who stands at a place and looks around.
 * `payloads`: as measureWhole has them; they stand where their files say.
 */
export function measureWholeAt(
  payloads: Parameters<typeof measureWhole>[0],
  position: Vec3,
  facts: OutputFacts,
  connection: Connection,
): MeasuredPlace {
  const whole = measureWhole(payloads, facts, connection);
  const [{ held }] = whole.looks;
  const looks = eyesAround(position).map((eye) => {
    let visibleTriangles = 0;
    let draws = 0;
    const batches = new Set<string>();
    for (const [i, { facts: payload }] of payloads.entries()) {
      const { entities, meshes } = payload.description;
      const isSeen = new Set(entities.flatMap(({ id, bounds }) => (isInView(eye, bounds, 0) ? [id] : [])));
      for (const { entity, triangles, material } of meshes) {
        if (!isSeen.has(entity)) continue;
        visibleTriangles += triangles;
        draws++;
        batches.add(`${i} ${material}`);
      }
    }
    return { figures: { ...whole.figures, visibleTriangles, draws }, held, batchedDraws: batches.size };
  });
  const most = (measure: PlaceMeasure) => Math.max(...looks.map(({ figures }) => figures[measure]));
  const figures = { ...whole.figures, visibleTriangles: most('visibleTriangles'), draws: most('draws') };
  const batchedDraws = Math.max(...looks.map((look) => look.batchedDraws));
  return { ...whole, position, figures, batchedDraws, looks };
}
