// What a report tells of a cooked folder: its tiles with their levels, its largest meshes and textures. Read from the files
// as they lie on the disk, not from what the cook remembers.

import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSize } from '../../bytes/gzipSize.ts';
import type { TileEntry, TileManifest } from '../../formats/manifest/schema.ts';
import { describeUntold } from '../../formats/untold/read.ts';
import { isSharedPath } from '../../formats/untold/sharedUris.ts';
import { isUtex } from '../../formats/utex/layout.ts';
import { describeUtex } from '../../formats/utex/read.ts';
import { readWhole, readWholeText } from '../../importers/wholeFile.ts';
import type { Bounds } from '../../scene/types.ts';
import { ImageFault } from '../../textures/decode/fault.ts';
import { probeImage } from '../../textures/decode/probe.ts';

/** A payload: full detail or a level. */
export interface PayloadRow {
  /** `full`, `lod1` …, `hlod`. */
  readonly name: string;
  readonly triangles: number;
  /** Draw calls before the engine batches them: one a mesh. */
  readonly draws: number;
  readonly bytes: number;
  /** Metres from which it is shown; null for full detail. */
  readonly distance: number | null;
}

export interface TileRow {
  readonly id: string;
  /** The tier, or what else the tile is. */
  readonly kind: string;
  readonly objects: number;
  /** Seen from above, in metres: x and z of the smallest and of the largest corner. */
  readonly box: readonly [minX: number, minZ: number, maxX: number, maxZ: number];
  readonly bounds: Bounds;
  /** Metres. */
  readonly streaming: number | null;
  readonly unload: number | null;
  readonly payloads: readonly PayloadRow[];
}

export interface MeshRow {
  readonly name: string;
  readonly tile: string;
  readonly triangles: number;
  readonly vertices: number;
}

export interface TextureRow {
  readonly name: string;
  readonly bytes: number;
  /** The file as gzip packs it. */
  readonly gzipBytes: number;
  readonly width: number;
  readonly height: number;
  readonly mips: number;
  /** `astc 4x4`, or the kind of the image. */
  readonly format: string;
}

export interface SetFacts {
  readonly tiles: readonly TileRow[];
  /** The largest first. */
  readonly meshes: readonly MeshRow[];
  readonly textures: readonly TextureRow[];
}

const MAX_MESHES = 25;
const MAX_TEXTURES = 25;

const isLargerMesh = (a: MeshRow, b: MeshRow): number =>
  b.triangles - a.triangles || (a.tile < b.tile ? -1 : a.tile > b.tile ? 1 : 0);

class Payloads {
  readonly #folder: string;
  /** Members of an HLOD cluster share a file that draws nothing. */
  readonly #known = new Map<string, Omit<PayloadRow, 'name' | 'distance'>>();
  meshes: MeshRow[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  async row(path: string, name: string, distance: number | null, tile: string): Promise<PayloadRow> {
    const known = this.#known.get(path) ?? (await this.#read(path, name === 'full' ? tile : null));
    this.#known.set(path, known);
    return { name, distance, ...known };
  }

  async #read(path: string, tile: string | null): Promise<Omit<PayloadRow, 'name' | 'distance'>> {
    const bytes = readWhole(join(this.#folder, path));
    const { description } = await describeUntold(bytes, path);
    const { triangles } = description.totals;
    if (tile !== null) {
      const own = description.meshes.map(({ name, triangles, vertices }) => ({ name, tile, triangles, vertices }));
      this.meshes = [...this.meshes, ...own].sort(isLargerMesh).slice(0, MAX_MESHES);
    }
    return { triangles, draws: description.meshes.length, bytes: bytes.length };
  }
}

async function textureRow(folder: string, name: string): Promise<Omit<TextureRow, 'gzipBytes'> | null> {
  const bytes = readWhole(join(folder, name));
  const common = { name, bytes: bytes.length };
  if (isUtex(bytes)) {
    const { width, height, mips, blockWidth, blockHeight } = describeUtex(bytes, name).description;
    return { ...common, width, height, mips: mips.length, format: `ASTC ${blockWidth}×${blockHeight}` };
  }
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) return null;
  return { ...common, width: info.width, height: info.height, mips: 1, format: info.format };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Where a tile lies. */
function placeOf({ min, max }: { readonly min: readonly number[]; readonly max: readonly number[] }) {
  const bounds: Bounds = { min: [min[0], min[1], min[2]], max: [max[0], max[1], max[2]] };
  return { bounds, box: [min[0], min[2], max[0], max[2]] as const };
}

/** The largest textures of a folder. */
async function textureRows(folder: string, names: readonly string[]): Promise<TextureRow[]> {
  const rows: Omit<TextureRow, 'gzipBytes'>[] = [];
  for (const name of names) {
    const row = await textureRow(folder, name);
    if (row) rows.push(row);
  }
  rows.sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  const largest: TextureRow[] = [];
  for (const row of rows.slice(0, MAX_TEXTURES)) {
    largest.push({ ...row, gzipBytes: await gzipSize(readWhole(join(folder, row.name))) });
  }
  return largest;
}

/** The facts of a cooked file at an absolute path, which counts as a tile. Throws what reading throws. */
export async function fileFacts(path: string): Promise<SetFacts> {
  const folder = dirname(path);
  const name = basename(path);
  const payloads = new Payloads(folder);
  const full = await payloads.row(name, 'full', null, name);
  const { description } = await describeUntold(readWhole(path), name);
  const tile = { id: name, kind: 'file', objects: description.totals.entities, streaming: null, unload: null };
  const uris = [...new Set(description.textures.map(({ uri }) => uri))].filter((uri) => uri !== '').sort();
  return {
    tiles: [{ ...tile, ...placeOf(description.bounds), payloads: [full] }],
    meshes: payloads.meshes,
    textures: await textureRows(folder, uris),
  };
}

/** The facts of a set whose manifest is at an absolute path; null: it has a record without tiles. Throws what reading throws. */
export async function setFacts(folder: string, manifestName: string): Promise<SetFacts | null> {
  const manifest = JSON.parse(readWholeText(join(folder, manifestName))) as TileManifest;
  if (!Array.isArray(manifest.tiles)) return null;
  const payloads = new Payloads(folder);
  const tileRow = async (entry: TileEntry, kind: string): Promise<TileRow> => {
    const rows = [await payloads.row(entry.path_relative_to_manifest, 'full', null, entry.tile_id)];
    for (const [i, { path, switch_distance }] of (entry.lod_levels ?? []).entries()) {
      rows.push(await payloads.row(path, `lod${i + 1}`, switch_distance, entry.tile_id));
    }
    for (const { path, switch_distance } of entry.hlod_levels ?? []) {
      rows.push(await payloads.row(path, 'hlod', switch_distance, entry.tile_id));
    }
    return {
      id: entry.tile_id,
      kind,
      objects: entry.object_count ?? 0,
      ...placeOf(entry.bounds),
      streaming: entry.streaming_radius ?? manifest.streaming_defaults.streaming_radius,
      unload: entry.unload_radius ?? manifest.streaming_defaults.unload_radius,
      payloads: rows.filter(({ name, triangles }) => name === 'full' || triangles > 0),
    };
  };
  const tiles: TileRow[] = [];
  for (const entry of manifest.tiles) tiles.push(await tileRow(entry, entry.semantic_tier ?? 'tile'));
  if (manifest.shared_bucket) tiles.push(await tileRow(manifest.shared_bucket, 'shared bucket'));
  return { tiles, meshes: payloads.meshes, textures: await texturesOfSet(folder, manifestName, manifest) };
}

/** Its own textures, or those that it shares with other sets. */
function texturesOfSet(folder: string, manifestName: string, { shared_textures: shared = [] }: TileManifest) {
  const paths = shared.map(({ path }) => path).filter(isSharedPath);
  if (paths.length > 0) {
    return textureRows(
      join(folder, dirname(paths[0])),
      paths.map((path) => basename(path)),
    );
  }
  const own = join(folder, basename(manifestName, '.json'), 'Textures');
  return textureRows(own, namesIn(own));
}
