// Measures an output that lies on the disk: a set of tiles place by place, anything else as a whole.

import { dirname } from 'node:path';
import { SourceError } from '../../diagnostics/diagnostic.ts';
import { validatePack } from '../../formats/untoldpack/validate.ts';
import { diskFiles } from '../../importers/files.ts';
import { recogniseContent } from '../../importers/index.ts';
import { isFolder, readWholeText } from '../../importers/wholeFile.ts';
import type { Vec3 } from '../../scene/types.ts';
import { eyeAt, placeAt, type Waypoint } from '../../viewer/streaming/flight.ts';
import { type Connection, StreamLoader } from '../../viewer/streaming/loader.ts';
import { ALL_AROUND } from '../../viewer/streaming/settle.ts';
import { diskProbe, type WaitingTextures } from '../diskProbe.ts';
import { manifestBelow, openCookedSet } from '../render/cookedSet.ts';
import { OutputFacts } from './facts.ts';
import {
  expectedAt,
  type FactTile,
  type Figures,
  factTiles,
  figuresOf,
  type MeasuredPlace,
  measurePlace,
  measureWhole,
  measureWholeAt,
  type PlaceMeasure,
  pathsOf,
  sizesOf,
} from './measure.ts';
import { placesOf } from './places.ts';
import type { LargestFile } from './verdict.ts';

/** What the distances say of a place, for maps. */
export interface ExpectedPlace {
  readonly position: Vec3;
  readonly figures: Figures;
}

export interface MeasuredOutput {
  /** The main file, absolute. */
  readonly path: string;
  /** It is loaded as a whole: places differ in what is in view alone. */
  readonly isWhole: boolean;
  readonly facts: OutputFacts;
  readonly tiles: readonly FactTile[];
  /** Paths of the payloads of full detail. */
  readonly full: readonly string[];
  readonly largest: LargestFile;
  /** Where the loader was simulated; at least one. */
  readonly places: readonly MeasuredPlace[];
  /** Every place that was looked at. */
  readonly expected: readonly ExpectedPlace[];
}

/** Which places count; neither: those of the set. */
export interface Whereabouts {
  readonly places?: readonly Vec3[];
  readonly flight?: readonly Waypoint[];
}

/** Places at which the loader is simulated, for each measure. */
const SIMULATED = 16;
/** Seconds between the states of a flight that are measured. */
const FLIGHT_STEP = 0.5;

function largestOf(paths: ReadonlyMap<string, number>): LargestFile {
  let largest: LargestFile = { path: '', bytes: 0 };
  for (const [path, bytes] of paths) if (bytes > largest.bytes) largest = { path, bytes };
  return largest;
}

/** The places of which the distances promise most, for each measure; all where they are few. */
function heaviest(expected: readonly ExpectedPlace[]): Vec3[] {
  const chosen = new Set<Vec3>();
  for (const measure of ['geometry', 'textures', 'draws', 'visibleTriangles', 'entities'] as PlaceMeasure[]) {
    const sorted = [...expected].sort((a, b) => b.figures[measure] - a.figures[measure]);
    for (const { position } of sorted.slice(0, SIMULATED)) chosen.add(position);
  }
  return expected.flatMap(({ position }) => (chosen.has(position) ? [position] : []));
}

function measureFlight(
  tiles: readonly FactTile[],
  flight: readonly Waypoint[],
  facts: OutputFacts,
  connection: Connection,
): MeasuredPlace[] {
  const cooked = tiles.map(({ tile }) => tile);
  const loader = new StreamLoader(cooked, { connection, budget: Number.POSITIVE_INFINITY, fileBytes: sizesOf(tiles) });
  const end = flight[flight.length - 1].time;
  const measured: MeasuredPlace[] = [];
  for (let i = 1; i === 1 || i * FLIGHT_STEP <= end + 1e-9; i++) {
    const { position, target } = placeAt(flight, i * FLIGHT_STEP);
    const eye = eyeAt(position, target, ALL_AROUND.tanY, ALL_AROUND.aspect);
    loader.advance(FLIGHT_STEP, eye);
    const look = figuresOf(tiles, loader.state(), eye, loader, facts);
    measured.push({ position, ...look, seconds: 0, looks: [look] });
  }
  return measured;
}

async function measurePack(
  path: string,
  name: string,
  connection: Connection,
  waiting: WaitingTextures,
): Promise<MeasuredOutput> {
  const folder = dirname(path);
  const { pack, diagnostics } = validatePack(readWholeText(path), name, diskProbe(folder, waiting));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (pack === null || errors.length > 0) throw new SourceError(errors);
  const facts = new OutputFacts(folder, waiting);
  const payloads: Parameters<typeof measureWhole>[0][number][] = [];
  const sizes = new Map<string, number>();
  for (const { displayName, path: model } of pack.models) {
    const payload = await facts.payload(model);
    payloads.push({ name: displayName, facts: payload });
    sizes.set(model, payload.bytes);
  }
  const places = [measureWhole(payloads, facts, connection)];
  return {
    path,
    isWhole: true,
    facts,
    tiles: [],
    full: [...sizes.keys()],
    largest: largestOf(sizes),
    places,
    expected: [],
  };
}

/**
 * Measures an output at an absolute path: a manifest, a folder that holds one, a `.untold` file or a pack. Throws UC5000 for other
 * files, and what reading throws. `waiting`: as OutputFacts has it.
 */
export async function measureOutput(
  given: string,
  name: string,
  cwd: string,
  connection: Connection,
  where: Whereabouts = {},
  waiting: WaitingTextures = new Map(),
): Promise<MeasuredOutput> {
  const path = isFolder(given) ? manifestBelow(given, name, cwd) : given;
  const kind = recogniseContent(diskFiles(null).open(path, '', ''), path);
  if (kind === 'untoldpack') return measurePack(path, name, connection, waiting);
  const { folder, tiles: cooked, cameras } = await openCookedSet(path, name, cwd, waiting);
  const facts = new OutputFacts(folder, waiting);
  const tiles = await factTiles(cooked, facts);
  const size = sizesOf(tiles);
  const paths = new Map(cooked.flatMap(pathsOf).map((file) => [file, size(file)]));
  const full = [...new Set(cooked.map((tile) => tile.full))];
  const common = { path, facts, tiles, full, largest: largestOf(paths) };
  if (kind !== 'manifest') {
    const payloads = tiles.map(({ tile, payloads: [payload] }) => ({ name: tile.id, facts: payload }));
    const places = where.places?.map((position) => measureWholeAt(payloads, position, facts, connection));
    return { ...common, isWhole: true, places: places ?? [measureWhole(payloads, facts, connection)], expected: [] };
  }
  if (where.flight) {
    return { ...common, isWhole: false, places: measureFlight(tiles, where.flight, facts, connection), expected: [] };
  }
  const wanted = where.places ?? placesOf(cooked, cameras);
  const expected = wanted.map((position) => ({ position, figures: expectedAt(tiles, position, facts) }));
  const places = heaviest(expected).map((position) => measurePlace(tiles, position, facts, connection));
  return { ...common, isWhole: false, places, expected };
}
