// The extension by which a file says which material each group has: the format itself has no names. UTF-8 JSON,
// {"groups":[{"material":"brick"}, …]}, with null for a group that has none.

import { documentOf } from './document.ts';
import type { GalileoExtension, GalileoMesh } from './types.ts';

/** 16 letters: the field is full. */
export const MATERIALS_NAME = 'untold.materials';
export const MATERIALS_VERSION = 1;

/** One name for each group. */
export function materialsExtension(names: readonly (string | null)[], next: number | null = null): GalileoExtension {
  const text = JSON.stringify({ groups: names.map((material) => ({ material })) });
  return { name: MATERIALS_NAME, version: MATERIALS_VERSION, data: new TextEncoder().encode(text), next };
}

/** One name for each group; null when the mesh has no such extension, or one that says something else. */
export function materialNames(mesh: GalileoMesh): readonly (string | null)[] | null {
  const document = documentOf(mesh, MATERIALS_NAME, MATERIALS_VERSION);
  const groups = (document as { readonly groups?: unknown } | null | undefined)?.groups;
  if (!Array.isArray(groups) || groups.length !== mesh.groups.length) return null;
  const names = groups.map((group) => (group as { readonly material?: unknown } | null)?.material ?? null);
  return names.every((material) => material === null || typeof material === 'string') ? names : null;
}
