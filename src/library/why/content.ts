// What an output holds, row by row: its payloads with how they are loaded, their meshes, and the textures that they name.

import { dirname, posix } from 'node:path';
import { SourceError } from '../../diagnostics/diagnostic.ts';
import type { CookedTile } from '../../formats/manifest/tiles.ts';
import { VERTEX_STRIDE } from '../../formats/untold/container/records.ts';
import type { UntoldDescription } from '../../formats/untold/read.ts';
import { validatePack } from '../../formats/untoldpack/validate.ts';
import { diskFiles } from '../../importers/files.ts';
import { recogniseContent } from '../../importers/index.ts';
import { isFolder, readWholeText } from '../../importers/wholeFile.ts';
import { OutputFacts, type PayloadFacts } from '../check/facts.ts';
import { pathsOf } from '../check/measure.ts';
import { diskProbe } from '../diskProbe.ts';
import { manifestBelow, openCookedSet } from '../render/cookedSet.ts';
import type { WhyPayload } from './document.ts';

/** A mesh record of a payload. */
export interface MeshRow {
  readonly payload: PayloadRow;
  readonly mesh: UntoldDescription['meshes'][number];
  readonly entity: string;
  readonly material: MaterialRow;
  /** The first record of the file with the same vertices, which are stored once. */
  readonly first: number;
  /** How many records of the file have the same vertices. */
  readonly placements: number;
}

/** A material of a payload. */
export interface MaterialRow {
  readonly name: string;
  /** Paths relative to the folder of the set, of those that are there. */
  readonly textures: readonly string[];
  /** The path of each slot's texture. */
  readonly slots: ReadonlyMap<string, string>;
  /** Equal for materials of an output that differ in name alone. */
  readonly surface: string;
}

export interface PayloadRow extends Pick<WhyPayload, 'tile' | 'level' | 'path' | 'loading'> {
  readonly facts: PayloadFacts;
  readonly meshes: readonly MeshRow[];
  readonly materials: readonly MaterialRow[];
}

export interface OutputContent {
  /** The main file and its folder, absolute. */
  readonly path: string;
  readonly folder: string;
  /** It is a set of tiles, in which meshes of one material are merged. */
  readonly isSet: boolean;
  readonly facts: OutputFacts;
  readonly payloads: readonly PayloadRow[];
}

const NO_MATERIAL: MaterialRow = { name: '', textures: [], slots: new Map(), surface: '' };

function materialRow(
  { name, textures, ...surface }: UntoldDescription['materials'][number],
  pathOf: (texture: number) => string | null,
): MaterialRow {
  const slots = new Map<string, string>();
  for (const [slot, texture] of Object.entries(textures)) {
    const path = pathOf(texture);
    if (path !== null) slots.set(slot, path);
  }
  return { name, textures: [...new Set(slots.values())], slots, surface: JSON.stringify([surface, [...slots]]) };
}

/** Vertices and indices of a mesh in memory. */
export function geometryOf({ vertices, triangles, indexType }: MeshRow['mesh']): number {
  return vertices * VERTEX_STRIDE + triangles * 3 * (indexType === 'uint16' ? 2 : 4);
}

function payloadRow(
  place: Pick<PayloadRow, 'tile' | 'level' | 'path' | 'loading'>,
  facts: PayloadFacts,
  output: OutputFacts,
): PayloadRow {
  const { description, faults } = facts;
  if (faults.length > 0) throw new SourceError(faults);
  const pathOf = (texture: number): string | null => {
    const uri = description.textures[texture]?.uri ?? '';
    return output.textureOf(uri, posix.dirname(place.path));
  };
  const materials = description.materials.map((material) => materialRow(material, pathOf));
  const names = new Map(description.entities.map(({ id, name }) => [id, name]));
  const counts = new Map<number, number>();
  for (const [i, { same = i }] of description.meshes.entries()) counts.set(same, (counts.get(same) ?? 0) + 1);
  const meshes: MeshRow[] = [];
  const row: PayloadRow = { ...place, facts, materials, meshes };
  for (const [i, mesh] of description.meshes.entries()) {
    const material = mesh.material === null ? NO_MATERIAL : (materials[mesh.material] ?? NO_MATERIAL);
    const first = mesh.same ?? i;
    const entity = names.get(mesh.entity) ?? '';
    meshes.push({ payload: row, mesh, entity, material, first, placements: counts.get(first) ?? 1 });
  }
  return row;
}

/** How each payload of a tile is loaded, in the order of pathsOf(). */
function loadingsOf({ lods, hlod, distances, shared, priority }: CookedTile): WhyPayload['loading'][] {
  const { streaming, unload } = distances ?? shared ?? { streaming: null, unload: null };
  if (distances === null && shared === null) return [null];
  return [0, ...lods.map(({ distance }) => distance), ...(hlod ? [hlod.distance] : [])].map((from) => ({
    from,
    streaming,
    unload,
    priority,
  }));
}

const levelsOf = ({ lods, hlod }: CookedTile): string[] => [
  'full',
  ...lods.map((_, i) => `lod${i + 1}`),
  ...(hlod ? ['hlod'] : []),
];

async function packContent(path: string, name: string): Promise<OutputContent> {
  const folder = dirname(path);
  const { pack, diagnostics } = validatePack(readWholeText(path), name, diskProbe(folder));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (pack === null || errors.length > 0) throw new SourceError(errors);
  const facts = new OutputFacts(folder);
  const payloads: PayloadRow[] = [];
  const known = new Set<string>();
  for (const { displayName, path: model } of pack.models) {
    if (known.has(model)) continue;
    known.add(model);
    const place = { tile: displayName, level: 'full', path: model, loading: null };
    payloads.push(payloadRow(place, await facts.payload(model), facts));
  }
  return { path, folder, isSet: false, facts, payloads };
}

/** Reads an output at an absolute path: a manifest, a folder that holds one, a `.untold` file or a pack. Throws as measureOutput does. */
export async function readContent(given: string, name: string, cwd: string): Promise<OutputContent> {
  const path = isFolder(given) ? manifestBelow(given, name, cwd) : given;
  const kind = recogniseContent(diskFiles(null).open(path, '', ''), path);
  if (kind === 'untoldpack') return packContent(path, name);
  const { folder, tiles } = await openCookedSet(path, name, cwd);
  const facts = new OutputFacts(folder);
  const payloads: PayloadRow[] = [];
  const known = new Set<string>();
  for (const tile of tiles) {
    const loadings = loadingsOf(tile);
    const levels = levelsOf(tile);
    for (const [i, file] of pathsOf(tile).entries()) {
      // Clusters of HLODs share a file without meshes.
      if (known.has(file)) continue;
      known.add(file);
      const place = { tile: tile.id, level: levels[i], path: file, loading: loadings[i] ?? null };
      payloads.push(payloadRow(place, await facts.payload(file), facts));
    }
  }
  return { path, folder, isSet: kind === 'manifest', facts, payloads };
}
