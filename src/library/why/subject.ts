// What a name means in an output, and the rows that belong to it.

import { posix } from 'node:path';
import { nearestNames } from '../../config/nearest.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import type { MeshRow, OutputContent, PayloadRow } from './content.ts';
import type { SubjectKind } from './document.ts';

/** The rows that are told of. */
export interface Selected {
  readonly subject: { readonly kind: SubjectKind; readonly name: string } | null;
  readonly payloads: readonly PayloadRow[];
  readonly meshes: readonly MeshRow[];
  readonly textures: readonly string[];
}

const texturesOf = (meshes: readonly MeshRow[]): string[] => [
  ...new Set(meshes.flatMap(({ material }) => material.textures)),
];

/** The payloads of meshes, each once. */
const payloadsOf = (meshes: readonly MeshRow[]): PayloadRow[] => [...new Set(meshes.map(({ payload }) => payload))];

/** All of an output. */
export function everything({ payloads }: OutputContent): Selected {
  const textures = new Set(payloads.flatMap(({ facts }) => facts.textures));
  return { subject: null, payloads, meshes: payloads.flatMap(({ meshes }) => meshes), textures: [...textures] };
}

/** Whether a texture is meant: by its path, the name of its file, or that without extension and hash. */
function isTexture(path: string, name: string): boolean {
  const file = posix.basename(path);
  const stem = file.replace(/\.[^.]*$/, '').replace(/\.[^.]*$/, '');
  return path === name || file === name || stem === name;
}

/**
 * What a name means: a tile, a payload or a model, a texture, a material, a node or a mesh, the first of these that has it. Throws
 * UC2260, with the nearest names.
 */
export function selectNamed(content: OutputContent, name: string, output: string): Selected {
  const all = everything(content);
  const { payloads, meshes, textures } = all;
  const ofKind = (kind: SubjectKind, found: readonly MeshRow[]): Selected | null =>
    found.length === 0
      ? null
      : { subject: { kind, name }, payloads: payloadsOf(found), meshes: found, textures: texturesOf(found) };
  const tile = payloads.filter(({ tile: id, path }) => id === name || path === name || posix.basename(path) === name);
  if (tile.length > 0) {
    const own = new Set(tile.flatMap(({ facts }) => facts.textures));
    const subject = { kind: 'tile', name } as const;
    return { subject, payloads: tile, meshes: tile.flatMap((row) => row.meshes), textures: [...own] };
  }
  const named = textures.filter((path) => isTexture(path, name));
  if (named.length > 0) {
    const drawn = meshes.filter(({ material }) => material.textures.some((path) => named.includes(path)));
    const naming = payloads.filter(({ facts }) => facts.textures.some((path) => named.includes(path)));
    return { subject: { kind: 'texture', name }, payloads: naming, meshes: drawn, textures: named };
  }
  const found =
    ofKind(
      'material',
      meshes.filter(({ material }) => material.name === name),
    ) ??
    ofKind(
      'node',
      meshes.filter(({ entity }) => entity === name),
    ) ??
    ofKind(
      'mesh',
      meshes.filter(({ mesh }) => mesh.name === name),
    );
  if (found) return found;
  const names = new Set([
    ...payloads.map((row) => row.tile),
    ...textures.map((path) => posix.basename(path)),
    ...meshes.flatMap(({ material, entity, mesh }) => [material.name, entity, mesh.name]),
  ]);
  const near = nearestNames(
    name,
    [...names].filter((known) => known !== ''),
    3,
  );
  const remedy =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : 'leave the name out: the largest tiles, textures, meshes and materials are listed with their names';
  return fail('UC2260', output, '', `no tile, texture, material, node or mesh is called "${name}"`, remedy);
}
