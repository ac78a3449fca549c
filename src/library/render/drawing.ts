// What render() draws: any file that holds triangles, as tiles with levels where it is a set that the engine streams, else in
// full detail.

import { dirname, join } from 'node:path';
import { showPath } from '../../config/showPath.ts';
import { drawScene } from '../../cook/drawScene.ts';
import { type MorphRequest, morphedScene } from '../../cook/morphedScene.ts';
import { type Diagnostics, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { distanceOfSize } from '../../engine/screenSize.ts';
import { extensionsFor, type KindsOf, takes } from '../../formats/kinds.ts';
import { singleTile } from '../../formats/manifest/tiles.ts';
import { UniqueNames } from '../../formats/uniqueNames.ts';
import { levelFacts } from '../../formats/untold/check/level.ts';
import { matrixOf } from '../../formats/untoldpack/document.ts';
import { defaultRoot, diskFiles } from '../../importers/files.ts';
import type { ImportContext } from '../../importers/importer.ts';
import { importSource, recogniseContent } from '../../importers/index.ts';
import { isFolder, readWhole, readWholeText } from '../../importers/wholeFile.ts';
import { placedMesh } from '../../raster/place.ts';
import type { RasterMesh } from '../../raster/scene.ts';
import type { Mat4 } from '../../scene/types.ts';
import { diskProbe } from '../diskProbe.ts';
import { type CookedSet, fileAsSet, manifestBelow, openManifest } from './cookedSet.ts';
import { DrawnPayloads } from './drawnPayloads.ts';

/** Gives the meshes of a payload of the set, in world space, by its path in the set. */
export interface DrawnMeshes {
  meshes(path: string): Promise<RasterMesh[]>;
}

export interface Drawing extends DrawnMeshes {
  readonly set: CookedSet;
}

/** A file to be drawn. */
interface Drawn {
  /** Absolute. */
  readonly path: string;
  /** For messages. */
  readonly file: string;
  readonly cwd: string;
  readonly diagnostics: Diagnostics;
  readonly morphs: MorphRequest;
  readonly signal: AbortSignal | undefined;
  /** Whether surfaces get what their reflections need. */
  readonly mirrors: boolean;
}

type Open = (drawn: Drawn) => Promise<Drawing>;

function payloads(set: CookedSet, { diagnostics, morphs, mirrors }: Drawn): Drawing {
  const drawn = new DrawnPayloads(set, diagnostics, morphs, mirrors);
  return { set, meshes: (path) => drawn.meshes(path) };
}

const contextOf = ({ path, diagnostics }: Drawn): ImportContext => ({
  files: diskFiles(defaultRoot(path)),
  diagnostics,
  // A picture shows the pose at rest: rigs that a set of tiles would lose are no loss here.
  options: { keepsRigs: true, lodGroups: true },
});

/** A source: all of its scene, in one tile. */
async function openSource(drawn: Drawn): Promise<Drawing> {
  const { path, file, diagnostics, morphs, signal } = drawn;
  const scene = await morphedScene(await importSource(path, file, contextOf(drawn)), morphs);
  const meshes = await drawScene(scene, diagnostics, signal);
  return { set: fileAsSet(path, file), meshes: async () => meshes };
}

/** Something that stands in a set at a place of its own. */
interface Placed {
  readonly name: string;
  readonly world: Mat4;
  /** In its own space; equal ones are made once. */
  readonly meshes: () => Promise<RasterMesh[]>;
  /** From near to far, each shown from so many metres from the bounds; absent: none. */
  readonly levels?: readonly (Pick<Placed, 'meshes'> & { readonly distance: number })[];
}

/** A tile for each thing that is placed; the paths are its number, and after a stroke that of a level from 0. */
function placedDrawing({ path, file }: Drawn, placed: readonly Placed[]): Drawing {
  const names = new UniqueNames();
  const tiles = placed.map(({ name, levels = [] }, i) => ({
    ...singleTile(names.take(name, 'model'), String(i)),
    lods: levels.map(({ distance }, k) => ({ path: `${i}/${k}`, distance })),
  }));
  const set = { file, folder: dirname(path), tiles, bounds: null, cameras: [], warnings: [] };
  return {
    set,
    async meshes(number) {
      const [i, level] = number.split('/').map(Number);
      const { world, levels = [], ...full } = placed[i];
      const { meshes } = level === undefined ? full : levels[level];
      return (await meshes()).map((mesh) => placedMesh(mesh, world));
    },
  };
}

/** Runs `make` once for each key. */
function onceFor<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    const made = known.get(key) ?? make(key);
    known.set(key, made);
    return made;
  };
}

/** From how far from a model, where it stands, the engine shows levels of these sizes: metres from its bounds. */
async function switchDistances(model: string, world: Mat4, sizes: readonly number[]): Promise<readonly number[]> {
  const facts = sizes.length === 0 ? null : await levelFacts(readWhole(model), model);
  if (facts === null) return sizes.map(() => 0);
  const { worldBoundsMin: min, worldBoundsMax: max } = facts.container.header;
  const scale = Math.max(...[0, 4, 8].map((c) => Math.hypot(world[c], world[c + 1], world[c + 2])));
  const radius = (Math.hypot(...[0, 1, 2].map((k) => max[k] - min[k])) / 2) * scale;
  return sizes.map((size) => Math.max(0, distanceOfSize(size, radius) - radius));
}

/** A pack: each model where it stands, with its levels. */
async function openPack(drawn: Drawn): Promise<Drawing> {
  const { path, file, diagnostics } = drawn;
  const { validatePack } = await import('../../formats/untoldpack/validate.ts');
  const report = validatePack(readWholeText(path), file, diskProbe(dirname(path)));
  const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
  if (report.pack === null || errors.length > 0) throw new SourceError(errors);
  for (const item of report.diagnostics) diagnostics.add(item);
  const models = payloads(fileAsSet(path, file), drawn);
  const meshesOf = onceFor((model) => models.meshes(model));
  const isThere = new Set(report.levels);
  const placed: Placed[] = [];
  for (const { displayName, path: model, transform } of report.pack.models) {
    const world = matrixOf(transform);
    const chain = (report.pack.lodChains?.[model] ?? []).filter(({ path: level }) => isThere.has(level));
    const sizes = chain.map(({ screenSize }) => screenSize);
    const distances = await switchDistances(join(dirname(path), model), world, sizes);
    const levels = chain.map(({ path: level }, i) => ({ distance: distances[i], meshes: () => meshesOf(level) }));
    placed.push({ name: displayName, world, meshes: () => meshesOf(model), levels });
  }
  return placedDrawing(drawn, placed);
}

/** The record of a set of Urho3D: the scene that it names. */
async function openRecord(drawn: Drawn): Promise<Drawing> {
  const { scene } = JSON.parse(readWholeText(drawn.path)) as { readonly scene?: unknown };
  if (typeof scene !== 'string') return fail('UC5000', drawn.file, 'scene', 'the record names no scene');
  const path = join(dirname(drawn.path), scene);
  return openSource({ ...drawn, path, file: showPath(path, drawn.cwd) });
}

/** Kinds that are drawn in a way of their own. */
const OPENERS: Partial<Readonly<Record<KindsOf<'render'>, Open>>> = {
  manifest: async (drawn) => payloads(await openManifest(drawn.path, drawn.file), drawn),
  untold: async (drawn) => payloads(fileAsSet(drawn.path, drawn.file), drawn),
  untoldpack: openPack,
  record: openRecord,
};

/**
 * What is drawn of the file at an absolute path, or of the only set below a folder. `mirrors`: whether surfaces get the textures
 * that their reflections need. Throws UC1200, UC5000 for a kind that holds
 * no triangles, and what reading the file throws.
 */
export async function openDrawing(
  given: string,
  name: string,
  cwd: string,
  diagnostics: Diagnostics,
  morphs: MorphRequest,
  signal: AbortSignal | undefined,
  mirrors: boolean,
): Promise<Drawing> {
  const path = isFolder(given) ? manifestBelow(given, name, cwd, ['manifest', 'record']) : given;
  const file = path === given ? name : showPath(path, cwd);
  const kind = recogniseContent(diskFiles(null).open(path, '', ''), path);
  if (!takes('render', kind)) {
    return fail('UC5000', file, '', `it is none of ${extensionsFor('render').join(', ')}`);
  }
  const drawn = { path, file, cwd, diagnostics, morphs, signal, mirrors };
  const open = OPENERS[kind];
  if (open) return open(drawn);
  // Targets that no importer reads are drawn by the code that writes them.
  return takes('cook', kind) ? openSource(drawn) : payloads(fileAsSet(path, file), drawn);
}
