// What diff() compares of an output: tiles, levels and textures by their names without hashes, and the content of each.

import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '../../bytes/sha256.ts';
import { type Diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { extensionsFor, type KindsOf, takes } from '../../formats/kinds.ts';
import { type TileEntry, validateManifest } from '../../formats/manifest/validate.ts';
import { kindOfBytes } from '../../formats/recognise.ts';
import { UniqueNames } from '../../formats/uniqueNames.ts';
import type { UntoldDescription } from '../../formats/untold/read.ts';
import { validatePack } from '../../formats/untoldpack/validate.ts';
import { codeOf, isFolder, readWhole, refusal } from '../../importers/wholeFile.ts';
import type { Bounds } from '../../scene/types.ts';
import { diskProbe } from '../diskProbe.ts';
import { manifestBelow } from '../render/cookedSet.ts';

/** A file of geometry. Triangles and vertices as they are stored: of instances once. */
export interface ReadFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly triangles: number;
  readonly vertices: number;
  /** Of all meshes. */
  readonly morphTargets: number;
}

export interface ReadLevel extends ReadFile {
  /** `full`, `lod1` …, `hlod`. */
  readonly level: string;
  /** Metres from which it is shown; null for full detail. */
  readonly distance: number | null;
}

export interface ReadTile {
  readonly id: string;
  readonly kind: 'tile' | 'shared' | 'cluster';
  readonly bounds: Bounds;
  /** Full detail first. */
  readonly levels: readonly ReadLevel[];
  /** What else the manifest says of it, without paths: radii, priority, tier …; the transmission of its glass, and its morph targets. */
  readonly facts: ReadonlyMap<string, string>;
}

export interface ReadTexture {
  /** Without the digits of its hash. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface ReadOutput {
  /** What the user named. */
  readonly path: string;
  readonly kind: 'set' | 'file';
  readonly tiles: readonly ReadTile[];
  readonly textures: readonly ReadTexture[];
  readonly bounds: Bounds | null;
  /** What the manifest says of the set as a whole, without paths; of a single file its version. */
  readonly settings: ReadonlyMap<string, string>;
  /** What is missing of it and does not keep it from being compared. */
  readonly diagnostics?: readonly Diagnostic[];
}

function read(path: string): Uint8Array {
  try {
    return readWhole(path);
  } catch (error) {
    return fail('UC1200', path, '', `${path} ${refusal(codeOf(error))}`);
  }
}

const textOf = (path: string): string => new TextDecoder().decode(read(path));

const withoutHash = (name: string): string => name.replace(/[._](?:[0-9a-f]{8})+(?=\.[^./]+$)/, '');

interface Described extends ReadFile {
  readonly bounds: Bounds;
  readonly formatVersion: number;
  readonly textures: readonly string[];
  /** The transmission of each material that is glass, and the entries of each morph target. */
  readonly facts: readonly (readonly [string, string])[];
}

/** The glass of a file. */
const glassFacts = ({ materials }: UntoldDescription): (readonly [string, string])[] =>
  materials.flatMap(({ name, transmission }) =>
    transmission > 0 ? [[`transmission of ${name}`, String(Number(transmission.toPrecision(6)))] as const] : [],
  );

/** The morph targets of a file by their names: a name stands for all meshes that have it. */
function morphFacts({ morphs }: UntoldDescription): (readonly [string, string])[] {
  const byName = new Map<string, { meshes: number; entries: number; normals: number }>();
  for (const { name, entries, hasNormals } of morphs) {
    const one = byName.get(name) ?? { meshes: 0, entries: 0, normals: 0 };
    one.meshes++;
    one.entries += entries;
    if (hasNormals) one.normals++;
    byName.set(name, one);
  }
  return [...byName].map(([name, { meshes, entries, normals }]) => {
    const parts = [`${entries} ${entries === 1 ? 'entry' : 'entries'}`];
    if (meshes > 1) parts.push(`${meshes} meshes`);
    if (normals > 0) parts.push('normals');
    return [`morph target ${name}`, parts.join(', ')] as const;
  });
}

/** Reads files of geometry, each path and each content once. */
class Files {
  readonly #known = new Map<string, Described>();
  readonly #byPath = new Map<string, Described>();

  async read(path: string): Promise<Described> {
    const known = this.#byPath.get(path) ?? (await this.#describe(path));
    this.#byPath.set(path, known);
    return known;
  }

  async #describe(path: string): Promise<Described> {
    const bytes = read(path);
    const sha256 = sha256Hex(bytes);
    const known = this.#known.get(sha256);
    if (known) return known;
    const { describeUntold } = await import('../../formats/untold/read.ts');
    const { description, diagnostics } = await describeUntold(bytes, path);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw new SourceError(errors);
    const { totals, bounds, formatVersion, textures } = description;
    const { min, max } = bounds;
    const described: Described = {
      sha256,
      bytes: bytes.length,
      triangles: totals.triangles,
      vertices: totals.vertices,
      morphTargets: totals.morphs,
      bounds: { min: [min[0], min[1], min[2]], max: [max[0], max[1], max[2]] },
      formatVersion,
      textures: [...new Set(textures.map(({ uri }) => uri))].filter((uri) => uri !== ''),
      facts: [...glassFacts(description), ...morphFacts(description)],
    };
    this.#known.set(sha256, described);
    return described;
  }
}

const fileOf = ({ sha256, bytes, triangles, vertices, morphTargets }: Described): ReadFile => ({
  sha256,
  bytes,
  triangles,
  vertices,
  morphTargets,
});

/** Keys of a tile that are compared as bounds and levels, or that are paths, or follow from them. */
const OWN_OF_TILE = new Set([
  'tile_id',
  'path_relative_to_manifest',
  'lod_levels',
  'hlod_levels',
  'bounds',
  'center',
  'file_size_bytes',
]);
/** Keys of a manifest that are compared otherwise, or that are names. */
const OWN_OF_SET = new Set([
  'tiles',
  'shared_bucket',
  'files',
  'shared_textures',
  'payload_dir_relative_to_manifest',
  'plan_map',
  'scene_bounds',
]);

const facts = (value: object, own: ReadonlySet<string>): Map<string, string> =>
  new Map(
    Object.entries(value)
      .filter(([key]) => !own.has(key))
      .map(([key, item]): [string, string] => [key, typeof item === 'string' ? item : JSON.stringify(item)]),
  );

async function readTile(
  entry: TileEntry,
  kind: ReadTile['kind'],
  folder: string,
  files: Files,
  textures: Set<string>,
): Promise<ReadTile> {
  const level = async (name: string, path: string, distance: number | null): Promise<ReadLevel> => {
    const described = await files.read(join(folder, path));
    for (const uri of described.textures) textures.add(join(dirname(path), uri).replaceAll('\\', '/'));
    return { level: name, distance, ...fileOf(described) };
  };
  const full = entry.path_relative_to_manifest;
  const levels = [await level('full', full, null)];
  const lods = [...(entry.lod_levels ?? [])].sort((a, b) => a.switch_distance - b.switch_distance);
  for (const [i, lod] of lods.entries()) levels.push(await level(`lod${i + 1}`, lod.path, lod.switch_distance));
  const [hlod] = entry.hlod_levels ?? [];
  if (hlod) levels.push(await level('hlod', hlod.path, hlod.switch_distance));
  const { min, max } = entry.bounds;
  return {
    id: entry.tile_id,
    kind,
    bounds: { min: [min[0], min[1], min[2]], max: [max[0], max[1], max[2]] },
    levels,
    facts: new Map([...facts(entry, OWN_OF_TILE), ...(await files.read(join(folder, full))).facts]),
  };
}

function readTextures(folder: string, paths: ReadonlySet<string>): ReadTexture[] {
  return [...paths].sort().map((path): ReadTexture => {
    const bytes = read(join(folder, path));
    return { name: withoutHash(basename(path)), sha256: sha256Hex(bytes), bytes: bytes.length };
  });
}

/** Throws the errors of a manifest that the engine refuses. */
async function readSet(path: string, name: string): Promise<ReadOutput> {
  const folder = dirname(path);
  const { manifest, diagnostics } = await validateManifest(textOf(path), path, diskProbe(folder));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (manifest === null || errors.length > 0) throw new SourceError(errors);
  const files = new Files();
  const textures = new Set<string>();
  const tiles: ReadTile[] = [];
  for (const entry of manifest.tiles) {
    const kind = entry.export_policy === 'far_group' ? 'cluster' : 'tile';
    tiles.push(await readTile(entry, kind, folder, files, textures));
  }
  const { shared_bucket: shared, scene_bounds: box } = manifest;
  if (shared) tiles.push(await readTile(shared, 'shared', folder, files, textures));
  return {
    path: name,
    kind: 'set',
    tiles,
    textures: readTextures(folder, textures),
    bounds: box ? { min: [box.min[0], box.min[1], box.min[2]], max: [box.max[0], box.max[1], box.max[2]] } : null,
    settings: facts(manifest, OWN_OF_SET),
  };
}

async function readFileAsSet(path: string, name: string): Promise<ReadOutput> {
  const described = await new Files().read(path);
  const { bounds, formatVersion, textures, facts: own } = described;
  const full: ReadLevel = { level: 'full', distance: null, ...fileOf(described) };
  return {
    path: name,
    kind: 'file',
    // Whatever two files are called, they are compared with each other.
    tiles: [{ id: 'file', kind: 'tile', bounds, levels: [full], facts: new Map(own) }],
    textures: readTextures(dirname(path), new Set(textures)),
    bounds,
    settings: new Map([['format_version', String(formatVersion)]]),
  };
}

/** A pack: a tile for each model, in its own space; where it stands is a fact. */
async function readPackAsSet(path: string, name: string): Promise<ReadOutput> {
  const folder = dirname(path);
  const { pack, levels, diagnostics } = validatePack(textOf(path), path, diskProbe(folder));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (pack === null || errors.length > 0) throw new SourceError(errors);
  const files = new Files();
  const names = new UniqueNames();
  const textures = new Set<string>();
  const tiles: ReadTile[] = [];
  const level = async (name: string, path: string): Promise<ReadLevel & Pick<Described, 'bounds' | 'facts'>> => {
    const described = await files.read(join(folder, path));
    for (const uri of described.textures) textures.add(join(dirname(path), uri).replaceAll('\\', '/'));
    return { level: name, distance: null, ...fileOf(described), bounds: described.bounds, facts: described.facts };
  };
  const there = new Set(levels);
  for (const { displayName, path: model, transform } of pack.models) {
    const { bounds, facts: own, ...full } = await level('full', model);
    const chain = (pack.lodChains?.[model] ?? []).filter(({ path: of }) => there.has(of));
    const lods: ReadLevel[] = [];
    for (const [i, { path: of }] of chain.entries()) {
      const { bounds: _, facts: __, ...lod } = await level(`lod${i + 1}`, of);
      lods.push(lod);
    }
    const sizes = chain.map(({ screenSize }) => screenSize);
    tiles.push({
      id: names.take(displayName, 'model'),
      kind: 'tile',
      bounds,
      levels: [full, ...lods],
      facts: new Map([
        ['transform', JSON.stringify(transform)],
        ...(sizes.length > 0 ? [['screenSizes', JSON.stringify(sizes)] as const] : []),
        ...own,
      ]),
    });
  }
  return {
    path: name,
    kind: 'set',
    tiles,
    textures: readTextures(folder, textures),
    bounds: null,
    settings: facts(pack, new Set(['models', 'lodChains'])),
    diagnostics: diagnostics.filter(({ code }) => code === 'UC3272').map((missing) => ({ ...missing, file: name })),
  };
}

type Read = (path: string, name: string) => Promise<ReadOutput>;

const READERS: Readonly<Record<KindsOf<'diff'>, Read>> = {
  manifest: readSet,
  untold: readFileAsSet,
  untoldpack: readPackAsSet,
};

/**
 * Reads an output: a folder that holds one manifest, a manifest, a pack, or a cooked file. `name`: what messages call it. Throws
 * UC1200, UC5000, and the errors of a manifest or of a file that the engine refuses.
 */
export async function readOutput(given: string, name: string, cwd: string): Promise<ReadOutput> {
  const path = isFolder(given) ? manifestBelow(given, name, cwd) : given;
  const kind = kindOfBytes(read(path), path);
  if (!takes('diff', kind)) return fail('UC5000', name, '', `it is none of ${extensionsFor('diff').join(', ')}`);
  return READERS[kind](path, name);
}
