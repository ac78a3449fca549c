// The largest rows of each kind, and sums over them.

import { VERTEX_OFFSETS, VERTEX_STRIDE } from '../../formats/untold/container/records.ts';
import { geometryOf, type MeshRow, type OutputContent } from './content.ts';
import type { WhyAttribute, WhyDocument, WhyMaterial, WhyMesh, WhyPayload, WhyTexture } from './document.ts';
import type { Selected } from './subject.ts';

const MAX = 10;

/** The largest first; of equal ones the first by name. */
function largest<T>(rows: readonly T[], size: (row: T) => number, name: (row: T) => string): T[] {
  return [...rows].sort((a, b) => size(b) - size(a) || (name(a) < name(b) ? -1 : 1)).slice(0, MAX);
}

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((all, row) => all + of(row), 0);

/** Meshes that a file stores, each once. */
function stored(meshes: readonly MeshRow[]): MeshRow[] {
  const rows = new Map<string, MeshRow>();
  for (const row of meshes) {
    const key = `${row.payload.path} ${row.first}`;
    if (!rows.has(key)) rows.set(key, row);
  }
  return [...rows.values()];
}

function meshRows(meshes: readonly MeshRow[]): WhyMesh[] {
  return stored(meshes).map(({ payload, mesh, entity, material, placements }) => ({
    name: mesh.name,
    entity,
    tile: payload.tile,
    level: payload.level,
    bytes: geometryOf(mesh),
    vertices: mesh.vertices,
    triangles: mesh.triangles,
    material: material.name,
    placements,
  }));
}

function materialRows(meshes: readonly MeshRow[], { facts }: OutputContent): WhyMaterial[] {
  const byName = new Map<string, MeshRow[]>();
  for (const row of meshes) {
    const rows = byName.get(row.material.name);
    if (rows) rows.push(row);
    else byName.set(row.material.name, [row]);
  }
  return [...byName].map(([name, rows]) => {
    const textures = new Set(rows.flatMap(({ material }) => material.textures));
    return {
      name,
      draws: rows.length,
      triangles: sum(rows, ({ mesh }) => mesh.triangles),
      payloads: new Set(rows.map(({ payload }) => payload)).size,
      gpuBytes: sum([...textures], (path) => facts.textureBytes(path)),
    };
  });
}

function textureRows({ payloads, textures }: Selected, { facts }: OutputContent): WhyTexture[] {
  const named = new Map<string, number>();
  const read = new Map<string, Set<string>>();
  for (const row of payloads) {
    for (const path of row.facts.textures) named.set(path, (named.get(path) ?? 0) + 1);
    for (const material of row.materials) {
      for (const path of material.textures) read.set(path, (read.get(path) ?? new Set()).add(material.name));
    }
  }
  return textures.map((path) => {
    const { bytes = 0, gpuBytes = 0, width = 0, height = 0 } = facts.texture(path) ?? {};
    const materials = [...(read.get(path) ?? [])].sort();
    return { path, bytes, gpuBytes, width, height, payloads: named.get(path) ?? 0, materials };
  });
}

/** Chunks of geometry besides vertices and indices, which only some files have. */
const OTHER_CHUNKS: readonly string[] = ['edgeIndexData', 'jointIndexData', 'jointWeightData', 'morphTargetData'];

function attributeRows({ meshes, payloads, subject }: Selected): WhyAttribute[] {
  const own = stored(meshes);
  const vertices = sum(own, ({ mesh }) => mesh.vertices);
  const offsets = Object.entries(VERTEX_OFFSETS);
  const rows: WhyAttribute[] = offsets.map(([name, offset], i) => {
    const end = offsets[i + 1]?.[1] ?? VERTEX_STRIDE;
    return { name, bytes: vertices * (end - offset) };
  });
  rows.push({ name: 'indices', bytes: sum(own, ({ mesh }) => geometryOf(mesh)) - vertices * VERTEX_STRIDE });
  // Chunks are of whole files.
  if (subject === null || subject.kind === 'tile') {
    const others = new Map<string, number>();
    for (const { facts } of payloads) {
      for (const { name, uncompressedSize } of facts.description.chunks) {
        if (OTHER_CHUNKS.includes(name)) others.set(name, (others.get(name) ?? 0) + uncompressedSize);
      }
    }
    rows.push(...[...others].map(([name, bytes]) => ({ name, bytes })));
  }
  return rows.filter(({ bytes }) => bytes > 0).sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
}

type Tables = Pick<WhyDocument, 'totals' | 'payloads' | 'textures' | 'meshes' | 'materials' | 'attributes'>;

/** Totals and the ten largest of each kind among what was selected. */
export function tablesOf(selected: Selected, content: OutputContent): Tables {
  const { payloads, meshes } = selected;
  const textures = textureRows(selected, content);
  const ofFiles = selected.subject === null || selected.subject.kind === 'tile';
  const geometry = sum(stored(meshes), ({ mesh }) => geometryOf(mesh));
  return {
    totals: {
      payloads: payloads.length,
      // Of meshes alone no share of a file is known: it is packed.
      bytes: (ofFiles ? sum(payloads, ({ facts }) => facts.bytes) : 0) + sum(textures, ({ bytes }) => bytes),
      geometry: ofFiles ? sum(payloads, ({ facts }) => facts.geometry) : geometry,
      triangles: sum(meshes, ({ mesh }) => mesh.triangles),
      draws: meshes.length,
      textures: textures.length,
      gpuBytes: sum(textures, ({ gpuBytes }) => gpuBytes),
    },
    payloads: largest(
      payloads.map(
        ({ tile, level, path, loading, facts }): WhyPayload => ({
          tile,
          level,
          path,
          bytes: facts.bytes,
          geometry: facts.geometry,
          triangles: facts.triangles,
          draws: facts.draws,
          loading,
        }),
      ),
      ({ bytes }) => bytes,
      ({ path }) => path,
    ),
    textures: largest(
      textures,
      ({ gpuBytes }) => gpuBytes,
      ({ path }) => path,
    ),
    meshes: largest(
      meshRows(meshes),
      ({ bytes }) => bytes,
      ({ tile, level, name }) => `${tile} ${level} ${name}`,
    ),
    materials: largest(
      materialRows(meshes, content),
      ({ draws }) => draws,
      ({ name }) => name,
    ),
    attributes: attributeRows(selected),
  };
}
