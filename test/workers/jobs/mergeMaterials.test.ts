// What is merged with what, and what its material says then.

import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { DrawnMesh } from '../../../src/formats/format.ts';
import { loadFormat } from '../../../src/formats/registry.ts';
import { valuesOf } from '../../../src/geometry/mesh/mesh.ts';
import type { Pixels } from '../../../src/textures/decode/pixels.ts';
import { imageFiles } from '../../../src/textures/encode/png.ts';
import type { PreparedMaterial, PreparedTexture } from '../../../src/textures/types.ts';
import { atlasedTexture, mergeMaterials } from '../../../src/workers/jobs/mergeMaterials.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { stored, surface } from '../../geometry/packed.ts';

const NO_SLOTS = DEFAULT_MATERIAL.slots;
const format = { ...(await loadFormat('untold')), textures: imageFiles('keep') };
const plate = await stored(surface(2, 2, (u, v) => [u, 0, -v]));

const mesh = (name: string, more: Partial<PreparedMaterial>): DrawnMesh => ({
  naming: { entity: name, mesh: name },
  surface: { material: { ...DEFAULT_MATERIAL, name, ...more }, tint: null, palette: null },
  mesh: plate,
});
const grey: Pixels = { width: 1, height: 1, data: Uint8Array.of(128, 128, 128, 255) };
const images = async (texture: number) => (texture < 4 ? grey : null);
/** Left half red, right half blue. */
const halves: Pixels = {
  width: 2,
  height: 1,
  data: Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 255),
};
const names = (meshes: readonly DrawnMesh[]) => meshes.map(({ surface: { material } }) => material.name);

test('maps are dropped, and counted as roughness 0.8 and no metal', async () => {
  const merged = await mergeMaterials(
    [
      mesh('mapped', {
        metallic: 1,
        roughness: 0.1,
        normalScale: 2,
        slots: { ...NO_SLOTS, baseColor: 0, normal: 1, metallic: 2, roughness: 2, occlusion: 3 },
      }),
      mesh('bumpy', { roughness: 0.9, slots: { ...NO_SLOTS, normal: 1 } }),
    ],
    't',
    format,
    images,
  );
  expect(names(merged)).toEqual(['t_plain3']);
  const { material, palette } = merged[0].surface;
  expect(material.slots).toEqual(NO_SLOTS);
  expect([material.metallic, material.alphaMode, material.baseColor]).toEqual([0, 'opaque', [1, 1, 1, 1]]);
  expect(material.roughness).toBeCloseTo(0.85, 12);
  expect(palette?.fileName).toMatch(/^atlas_/);
  // One colour; the other UVs are of the image.
  expect(merged[0].cells?.count).toBe(1);
});

test('kinds are metal or not, and quarters of roughness; the only one of a kind stays as it is', async () => {
  const meshes = [
    mesh('a', { roughness: 0.8 }),
    mesh('b', { roughness: 1, baseColor: [1, 0, 0, 1] }),
    mesh('metal', { metallic: 1, roughness: 0.8 }),
    mesh('smooth', { roughness: 0.74, slots: { ...NO_SLOTS, baseColor: 0 } }),
    mesh('other texture', { roughness: 0.8, slots: { ...NO_SLOTS, baseColor: 7 } }),
    mesh('glows', { roughness: 0.8, emissive: [0, 0, 0.1] }),
  ];
  const merged = await mergeMaterials(meshes, 't', format, images);
  expect(names(merged)).toEqual(['t_plain3', 'metal', 'smooth', 'other texture', 'glows']);
  expect(merged[0].surface.palette?.fileName).toMatch(/^palette_/);
  expect(merged.slice(1)).toEqual([meshes[2], meshes[3], meshes[4], meshes[5]]);
});

test('equal texels under equal factors are painted once', async () => {
  const slots = { ...NO_SLOTS, baseColor: 0 };
  const side = async (colors: readonly number[]) => {
    const meshes = colors.map((x, i) => mesh(`${i}`, { baseColor: [x, 1, 1, 1], slots }));
    const [{ surface: made }] = await mergeMaterials(meshes, 't', format, images);
    return [made.palette?.width, made.palette?.height];
  };
  // 1 + 8 pixels take 16; two of them side by side 32.
  expect(await side([1, 1, 1])).toEqual([16, 16]);
  expect(await side([1, 0.5, 1])).toEqual([32, 16]);
});

test('textures that an atlas may take are those of at most a million texels on opaque, unlit materials', () => {
  const textures = [1024, 1025].map(
    (width): PreparedTexture => ({
      fileName: '',
      bytes: new Uint8Array(0),
      sha256: '',
      width,
      height: 1024,
      flags: 1,
      format: 0,
      mipCount: 1,
    }),
  );
  const of = (more: Partial<PreparedMaterial>) => atlasedTexture({ ...DEFAULT_MATERIAL, ...more }, textures);
  const slots = (baseColor: number) => ({ ...NO_SLOTS, baseColor });
  expect(of({ slots: slots(0) })).toBe(0);
  expect(of({ slots: slots(1) })).toBe(-1);
  expect(of({})).toBe(-1);
  expect(of({ slots: slots(0), alphaMode: 'mask' })).toBe(-1);
  expect(of({ slots: slots(0), emissive: [0, 1, 0] })).toBe(-1);
});

/** A square of 4 m, two triangles, with UVs up to `uvs`. */
async function sheet(uvs: number): Promise<DrawnMesh> {
  const square = surface(1, 1, (u, v) => [u * 4, 0, -v * 4]);
  const own = mesh('sheet', { roughness: 0.8, slots: { ...NO_SLOTS, baseColor: 0 } });
  const uv0 = valuesOf(square, 'uv0').map((x) => x * uvs);
  return { ...own, mesh: await stored({ ...square, attributes: { ...square.attributes, uv0 } }) };
}

test('images stand in an atlas up to twice along each axis', async () => {
  const merge = async (uvs: number) =>
    mergeMaterials([await sheet(uvs), mesh('plain', { roughness: 0.8 })], 't', format, async () => halves);
  const [two] = await merge(2);
  expect(names([two])).toEqual(['t_plain3']);
  const { data, info } = await sharp(two.surface.palette?.bytes).raw().toBuffer({ resolveWithObject: true });
  // 4 x 2 pixels behind gutters of 4: red and blue in turn.
  const at = (x: number) => [...data.subarray((4 * info.width + x) * 3).subarray(0, 3)];
  expect([3, 4, 5, 6, 7, 8].map(at)).toEqual(
    ['red', 'red', 'blue', 'red', 'blue', 'blue'].map((name) => (name === 'red' ? [255, 0, 0] : [0, 0, 255])),
  );
  expect(names(await merge(3))).toEqual(['plain', 'sheet']);
});

test('images that repeat within what is not seen are their mean colour', async () => {
  // 16 repeats over 4 m: 25 cm each.
  const merge = async (unseen: number) =>
    mergeMaterials([await sheet(16), mesh('plain', { roughness: 0.8 })], 't', format, async () => halves, unseen);
  expect(names(await merge(0.24))).toEqual(['plain', 'sheet']);
  const [merged] = await merge(0.25);
  expect(merged.surface.palette?.fileName).toMatch(/^palette_/);
  const { cells } = merged;
  expect(Array.from({ length: cells?.count ?? 0 }, (_, i) => cells?.color(i)).sort()).toEqual([
    [0.5, 0, 0.5],
    [1, 1, 1],
  ]);
});

test('an image that stands once for one mesh and twice for another is painted for each', async () => {
  const meshes = [await sheet(1), await sheet(2)];
  const [{ surface: made, mesh: joined }] = await mergeMaterials(meshes, 't', format, async () => halves);
  // 2 + 8 and 4 + 8 pixels take 16 each, side by side.
  expect([made.palette?.width, made.palette?.height]).toEqual([32, 16]);
  const us = new Set(
    valuesOf(joined, 'uv0')
      .filter((_, i) => i % 2 === 0)
      .map((u) => u * 32),
  );
  // Boxes of one height, in the order of their repeats: pixels 4 to 6, then 16 + 4 to 16 + 8.
  expect([...us].sort((a, b) => a - b)).toEqual([4, 6, 20, 24]);
});

test('glass is not merged with what is solid; what the engine draws solid is', async () => {
  const meshes = [
    mesh('wall', { roughness: 0.1 }),
    mesh('pane', { roughness: 0.1, transmission: 1 }),
    mesh('floor', { roughness: 0.1, baseColor: [1, 0, 0, 1] }),
    mesh('foil', { roughness: 0.9, transmission: 1 }),
    mesh('ground', { roughness: 0.9 }),
  ];
  const merged = await mergeMaterials(meshes, 't', format, images);
  expect(names(merged)).toEqual(['t_plain0', 't_plain3', 'pane']);
  expect(merged.map(({ surface: { material } }) => material.transmission)).toEqual([0, 0, 1]);
});
