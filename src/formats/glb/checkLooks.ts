// Checks what the primitives of a GLB are drawn with: the sets of texture coordinates that textures use, and variants.

import type { GLTF } from '@gltf-transform/core';
import type { Findings } from '../findings.ts';
import { VARIANTS } from './layout.ts';
import type { GlbFile } from './read.ts';
import { isObject } from './structure.ts';

type Indexed = 'TEXCOORD' | 'COLOR' | 'JOINTS' | 'WEIGHTS';
const INDEXED = /^(TEXCOORD|COLOR|JOINTS|WEIGHTS)_(\d+)$/;

/** UC3716: the attributes of a kind are numbered from 0 without a gap (3.7.2.1). Gives how many there are of each. */
function countIndexed(names: readonly string[], path: string, findings: Findings): ReadonlyMap<Indexed, number> {
  const counts = new Map<Indexed, number>();
  for (const name of names) {
    const kind = INDEXED.exec(name)?.[1] as Indexed | undefined;
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const name of names) {
    const [, kind, number] = INDEXED.exec(name) ?? [];
    const count = counts.get(kind as Indexed) ?? 0;
    if (kind && Number(number) >= count)
      findings.report('UC3716', `${path}/${name}`, `numbers of ${kind} go from 0 to ${count - 1}: there are ${count}`);
  }
  return counts;
}

/** The set of texture coordinates that a texture of a material uses (KHR_texture_transform may name another). */
function setOf({ texCoord = 0, extensions }: Record<string, unknown>, path: string, findings: Findings): number {
  const moved = isObject(extensions) ? extensions.KHR_texture_transform : undefined;
  const set = (isObject(moved) ? moved.texCoord : undefined) ?? texCoord;
  if (Number.isInteger(set) && (set as number) >= 0) return set as number;
  findings.report('UC3704', path, `texCoord ${JSON.stringify(set)} is no number of a set`);
  return 0;
}

/** How many sets of texture coordinates the textures of a material need. */
function setsNeeded(material: GLTF.IMaterial, path: string, findings: Findings): number {
  const { pbrMetallicRoughness, extensions = {} } = material;
  const holders: unknown[] = [material, pbrMetallicRoughness, ...Object.values(extensions)];
  let needed = 0;
  for (const holder of holders.filter(isObject)) {
    for (const [key, info] of Object.entries(holder)) {
      if (key.endsWith('Texture') && isObject(info))
        needed = Math.max(needed, setOf(info, `${path}/${key}`, findings) + 1);
    }
  }
  return needed;
}

interface Mapping {
  readonly material: number;
  readonly variants: readonly number[];
}

/** UC3703: no two mappings of a primitive name one variant. */
function checkMappings(mappings: readonly Mapping[], path: string, findings: Findings): void {
  const named = new Set<number>();
  for (const [m, { variants }] of mappings.entries()) {
    for (const variant of variants) {
      if (named.has(variant)) findings.report('UC3703', `${path}/mappings/${m}`, `variant ${variant} is named twice`);
      named.add(variant);
    }
  }
}

/** All primitives with their materials, those of variants too. */
export function checkLooks({ json: { meshes = [], materials = [] } }: GlbFile, findings: Findings): void {
  const needed = materials.map((material, i) => setsNeeded(material, `materials/${i}`, findings));
  for (const [m, { primitives }] of meshes.entries()) {
    for (const [p, { attributes, material, extensions = {} }] of primitives.entries()) {
      const path = `meshes/${m}/primitives/${p}`;
      const sets = countIndexed(Object.keys(attributes), path, findings).get('TEXCOORD') ?? 0;
      const { mappings = [] } = (extensions[VARIANTS] ?? {}) as { mappings?: readonly Mapping[] };
      checkMappings(mappings, path, findings);
      for (const index of new Set([material ?? -1, ...mappings.map((mapping) => mapping.material)])) {
        if (index < 0 || needed[index] <= sets) continue;
        findings.report('UC3704', path, `material ${index} uses TEXCOORD_${needed[index] - 1}, which it lacks`);
      }
    }
  }
}
