// What would make an output smaller: an option each, with what it saves, worked out from the files as they lie there.

import { utexGpuBytes } from '../../formats/utex/sizes.ts';
import { MATERIAL_SLOTS } from '../../scene/materialSlots.ts';
import { fitSize } from '../../textures/mips/fitSize.ts';
import type { TextureRole } from '../../textures/types.ts';
import { geometryOf, type MeshRow, type OutputContent } from './content.ts';
import type { Change, Saving } from './document.ts';
import type { Selected } from './subject.ts';

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((all, row) => all + of(row), 0);

/** Textures of a side below this are not made smaller. */
const SMALL_TEXTURE = 128;

/** What all mips with a side above a limit take on the GPU. */
function beyond({ facts }: OutputContent, textures: readonly string[], side: number): number {
  return sum(textures, (path) => {
    const mips = facts.texture(path)?.mips ?? [];
    return sum(
      mips.filter(({ width, height }) => Math.max(width, height) > side),
      ({ bytes }) => bytes,
    );
  });
}

/** Half of the largest side among textures that are blocks of the GPU. */
function smallerTextures(selected: Selected, content: OutputContent, all: readonly string[]): Change[] {
  const sideOf = (path: string): number => {
    const texture = content.facts.texture(path);
    return texture?.mips ? Math.max(texture.width, texture.height) : 0;
  };
  const largest = Math.max(0, ...selected.textures.map(sideOf));
  // Of sides that are no power of two a cook makes other ones.
  if (largest < SMALL_TEXTURE || Math.log2(largest) % 1 !== 0) return [];
  const side = largest / 2;
  return [
    {
      option: `--max-texture-size ${side}`,
      what: `textures lose the mips of more than ${side} texels a side: they look softer from near by`,
      saves: { gpuBytes: beyond(content, all, side) },
      savesHere: { gpuBytes: beyond(content, selected.textures, side) },
    },
  ];
}

/** By texture, what its texels mean: of the first slot that reads it. */
function rolesOf({ payloads }: OutputContent): ReadonlyMap<string, TextureRole> {
  const roles = new Map<string, TextureRole>();
  for (const { facts, materials } of payloads) {
    for (const [i, material] of facts.description.materials.entries()) {
      const paths = materials[i].slots;
      for (const slot of Object.keys(material.textures)) {
        const path = paths.get(slot);
        const texels = MATERIAL_SLOTS[slot as keyof typeof MATERIAL_SLOTS]?.texels;
        if (path && texels && !roles.has(path)) roles.set(path, texels);
      }
    }
  }
  return roles;
}

/** Images as blocks of the GPU, at the size that a cook gives them. */
function cookedTextures(selected: Selected, content: OutputContent, all: readonly string[]): Change[] {
  const roles = rolesOf(content);
  const saved = (textures: readonly string[]): number =>
    sum(textures, (path) => {
      const texture = content.facts.texture(path);
      if (!texture || texture.mips !== null) return 0;
      const [width, height] = fitSize(texture.width, texture.height, { pot: 'nearest', max: null });
      return texture.gpuBytes - utexGpuBytes(roles.get(path) ?? 'color', width, height);
    });
  const what =
    'images become blocks that the GPU reads as they are, with all mips: at least this, and more where larger blocks keep the looks';
  return saved(all) > 0
    ? [
        {
          option: '--textures utex',
          what,
          saves: { gpuBytes: saved(all) },
          savesHere: { gpuBytes: saved(selected.textures) },
        },
      ]
    : [];
}

/** Files of levels, which are there for the disk and for the distance alone. */
function withoutLevels(selected: Selected, { payloads }: OutputContent): Change[] {
  const ofFiles = selected.subject === null || selected.subject.kind === 'tile';
  if (!ofFiles) return [];
  const bytesOf = (rows: Selected['payloads'], isOf: (level: string) => boolean) =>
    sum(
      rows.filter(({ level }) => isOf(level)),
      ({ facts }) => facts.bytes,
    );
  const isLod = (level: string) => level.startsWith('lod');
  const kinds = [
    ['--lod none', isLod, 'levels of detail are left out: full detail is drawn, and loaded, from further away'],
    [
      '--hlod none',
      (level: string) => level === 'hlod',
      'far proxies are left out: tiles are drawn as they are, or not at all',
    ],
  ] as const;
  return kinds.flatMap(([option, isOf, what]) => {
    const bytes = bytesOf(payloads, isOf);
    return bytes > 0
      ? [{ option, what, saves: { bytes }, savesHere: { bytes: bytesOf(selected.payloads, isOf) } }]
      : [];
  });
}

/**
 * Draws of full detail that go where materials that differ in name alone become one: in each tile the meshes that are drawn with them
 * are merged. Instances stay entities.
 */
function drawsOfEqual(meshes: readonly MeshRow[]): number {
  const merged = new Map<string, Set<string>>();
  for (const { payload, material, placements, entity, mesh } of meshes) {
    if (payload.level !== 'full' || placements > 1 || /^NM_/.test(entity) || mesh.material === null) continue;
    const key = `${payload.path}\n${material.surface}`;
    merged.set(key, (merged.get(key) ?? new Set()).add(material.name));
  }
  return sum([...merged.values()], ({ size }) => size - 1);
}

function equalMaterials(selected: Selected, { isSet, payloads }: OutputContent): Change[] {
  if (!isSet) return [];
  const draws = drawsOfEqual(payloads.flatMap(({ meshes }) => meshes));
  if (draws === 0) return [];
  const own = new Set(selected.meshes.map(({ material }) => material.surface));
  const here = selected.payloads.flatMap(({ meshes }) => meshes.filter(({ material }) => own.has(material.surface)));
  return [
    {
      option: '--equal-materials all',
      what: 'materials that differ in name alone become one, and what they are drawn with is merged',
      saves: { draws },
      savesHere: { draws: drawsOfEqual(here) },
    },
  ];
}

/** A node or mesh that is named is left out. */
function excluded({ subject, meshes }: Selected): Change[] {
  if (subject === null || (subject.kind !== 'node' && subject.kind !== 'mesh')) return [];
  const full = meshes.filter(({ payload }) => payload.level === 'full');
  // What other placements share stays.
  const counts = new Map<string, MeshRow[]>();
  for (const row of full) {
    const key = `${row.payload.path} ${row.first}`;
    counts.set(key, [...(counts.get(key) ?? []), row]);
  }
  const gone = [...counts.values()].filter((rows) => rows.length === rows[0].placements);
  const saves: Saving = {
    geometry: sum(gone, ([{ mesh }]) => geometryOf(mesh)),
    triangles: sum(full, ({ mesh }) => mesh.triangles),
    draws: full.length,
  };
  return [{ option: '--exclude PATH', what: 'with its path in the source, it is left out', saves, savesHere: saves }];
}

const weight = ({ saves: { bytes = 0, gpuBytes = 0, geometry = 0 } }: Change): number => bytes + gpuBytes + geometry;
const isGain = ({ bytes = 0, gpuBytes = 0, geometry = 0, triangles = 0, draws = 0 }: Saving): boolean =>
  bytes > 0 || gpuBytes > 0 || geometry > 0 || triangles > 0 || draws > 0;

/** The options that save something in what was selected, those that save most bytes first. */
export function changesOf(selected: Selected, content: OutputContent): Change[] {
  const all = [...new Set(content.payloads.flatMap(({ facts }) => facts.textures))];
  const changes = [
    ...smallerTextures(selected, content, all),
    ...cookedTextures(selected, content, all),
    ...withoutLevels(selected, content),
    ...equalMaterials(selected, content),
    ...excluded(selected),
  ];
  return changes
    .filter(({ savesHere }) => savesHere !== undefined && isGain(savesHere))
    .map(({ savesHere, ...change }) =>
      selected.subject === null ? change : { ...change, savesHere: savesHere as Saving },
    )
    .sort((a, b) => weight(b) - weight(a));
}
