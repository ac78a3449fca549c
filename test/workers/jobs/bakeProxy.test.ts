// The baked look of proxies: colours of the full detail stay where its triangles are gone, at the sizes that are asked for.

import { describe, expect, test } from 'vitest';
import type { DrawnMesh } from '../../../src/formats/format.ts';
import { loadFormat } from '../../../src/formats/registry.ts';
import { type Float32Mesh, valuesOf } from '../../../src/geometry/mesh/mesh.ts';
import { decodeMips, type Mips, mipsOf } from '../../../src/textures/atlas/mips.ts';
import { srgbByte } from '../../../src/textures/bake/color.ts';
import type { Pixels } from '../../../src/textures/decode/pixels.ts';
import { imageFiles } from '../../../src/textures/encode/png.ts';
import type { PaintedTexture, PreparedMaterial } from '../../../src/textures/types.ts';
import { type BakeRequest, bakeOnto, bakeProxy, isWorthBaking } from '../../../src/workers/jobs/bakeProxy.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { stored, surface } from '../../geometry/packed.ts';

const NO_SLOTS = DEFAULT_MATERIAL.slots;
const format = { ...(await loadFormat('untold')), textures: imageFiles('keep') };

const drawn = (mesh: Float32Mesh, name: string, more: Partial<PreparedMaterial> = {}): DrawnMesh => ({
  naming: { entity: name, mesh: name },
  surface: { material: { ...DEFAULT_MATERIAL, name, roughness: 0.9, ...more }, tint: null, palette: null },
  mesh,
});

/** An upright rectangle that faces +Z. */
const upright = (x: number, y: number, width: number, height: number, z = 0) =>
  stored(surface(1, 1, (u, v) => [x + u * width, y + v * height, z]));

const request = (detail: readonly DrawnMesh[], more: Partial<BakeRequest> = {}): BakeRequest => ({
  name: 'tile',
  detail,
  images: async () => null,
  format,
  textureSize: 1024,
  pixelAt: () => 0.25,
  ...more,
});

/** The proxy of `near` as it is, without simplification. */
async function proxyOf(near: readonly DrawnMesh[], asked: BakeRequest, error = 0): Promise<DrawnMesh[]> {
  const { parts, finish } = await bakeProxy(near, asked);
  return finish(
    parts.map(({ mesh }) => mesh),
    error,
  );
}

/** The texel at the UV of a point of a mesh in the plane z = 0, from one of its textures. */
async function lookAt({ mesh }: DrawnMesh, texture: PaintedTexture | null | undefined) {
  const [{ width, height, data }] = (await decodeMips(
    (texture as PaintedTexture).bytes,
    1024,
    imageFiles('keep'),
  )) as Mips;
  const uv0 = valuesOf(mesh, 'uv0');
  const p = mesh.positions;
  return (x: number, y: number): number[] | null => {
    for (let i = 0; i < mesh.indices.length; i += 3) {
      const [a, b, c] = mesh.indices.subarray(i, i + 3);
      const [bx, by, cx, cy] = [b, c].flatMap((v) => [p[v * 3] - p[a * 3], p[v * 3 + 1] - p[a * 3 + 1]]);
      const area = bx * cy - cx * by;
      const s = ((x - p[a * 3]) * cy - cx * (y - p[a * 3 + 1])) / area;
      const t = (bx * (y - p[a * 3 + 1]) - (x - p[a * 3]) * by) / area;
      if (s < 0 || t < 0 || s + t > 1) continue;
      const [u, v] = [0, 1].map((k) => uv0[a * 2 + k] * (1 - s - t) + uv0[b * 2 + k] * s + uv0[c * 2 + k] * t);
      const at = (Math.floor((1 - v) * height) * width + Math.floor(u * width)) * 4;
      return [...data.subarray(at, at + 3)];
    }
    return null;
  };
}

const WALL = [0.8, 0.7, 0.6, 1] as const;
const GLASS = [0.05, 0.1, 0.3, 1] as const;
const bytes = (color: readonly number[]) => color.slice(0, 3).map(srgbByte);

describe('a wall of 12 by 6 m with eight windows of 1 by 1.5 m that the proxy has lost', async () => {
  const wall = drawn(await upright(0, 0, 12, 6), 'wall', { baseColor: WALL });
  const windows = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const mesh = await upright(1 + (i % 4) * 3, 0.75 + Math.floor(i / 4) * 2.75, 1, 1.5, 0.03);
      return drawn(mesh, `window${i}`, { baseColor: GLASS });
    }),
  );
  const detail = [wall, ...windows];

  test('has them in its texture, over as much of its area', async () => {
    const [proxy, ...others] = await proxyOf([wall], request(detail));
    expect(others).toEqual([]);
    const materials = await lookAt(proxy, proxy.surface.palette);
    expect(materials(1.5, 1.5)).toEqual(bytes(GLASS));
    expect(materials(3, 3)).toEqual(bytes(WALL));
    // Red of both, by area: 12 of 72 m² are glass.
    let glass = 0;
    let count = 0;
    for (let x = 0.05; x < 12; x += 0.1) {
      for (let y = 0.05; y < 6; y += 0.1, count++) {
        if (((materials(x, y) as number[])[0] ?? 0) < 140) glass++;
      }
    }
    expect(Math.abs((glass / count) * 72 - 12)).toBeLessThan(1);
  });

  test('is joined with what is of its kind, and keeps apart what is cut out or of another', async () => {
    const leaf = drawn(await upright(0, 0, 1, 1), 'leaf', { alphaMode: 'mask' });
    const iron = drawn(await upright(0, 6, 1, 1), 'iron', { metallic: 1 });
    const near = [leaf, ...detail, iron];
    const proxy = await proxyOf(near, request(near));
    expect(proxy.map(({ surface: { material } }) => material.name)).toEqual(['tile_plain3', 'tile_metal3', 'leaf']);
    expect(proxy[1].surface.palette).toBe(proxy[0].surface.palette);
    expect(proxy[2]).toEqual(leaf);
    expect(proxy[0].mesh.indices.length).toBe(9 * 6);
  });

  test('keeps to the size asked for', async () => {
    const sizeOf = async (more: Partial<BakeRequest>) => {
      const [{ surface: made }] = await proxyOf([wall], request(detail, more), 0.05);
      const { width, height } = made.palette as PaintedTexture;
      return [width, height];
    };
    expect(await sizeOf({})).toEqual([64, 32]);
    expect(await sizeOf({ pixelAt: () => 0.001 })).toEqual([1024, 512]);
    expect(await sizeOf({ pixelAt: () => 0.001, textureSize: 128 })).toEqual([128, 64]);
    // Seen as one texel: one cell of its mean.
    expect(await sizeOf({ pixelAt: () => 20 })).toEqual([8, 8]);
  });

  test('comes out alike again', async () => {
    const once = await proxyOf([wall], request(detail));
    expect(await proxyOf([wall], request(detail))).toEqual(once);
  });

  test('takes windows that glow into a texture of their light', async () => {
    const lit = windows.map((one) => drawn(one.mesh, 'lit', { baseColor: GLASS, emissive: [2, 1, 0] }));
    const iron = drawn(await upright(0, 7, 1, 1), 'iron', { metallic: 1 });
    const [proxy, metal] = await proxyOf([wall, iron], request([wall, iron, ...lit]));
    expect([metal.surface.material.emissive, metal.surface.emission ?? null]).toEqual([[0, 0, 0], null]);
    expect(proxy.surface.material.emissive).toEqual([2, 2, 2]);
    expect(proxy.surface.emission?.flags).toBe(65);
    const light = await lookAt(proxy, proxy.surface.emission);
    expect(light(1.5, 1.5)).toEqual(bytes([1, 0.5, 0]));
    expect(light(3, 3)).toEqual([0, 0, 0]);
    const [dark] = await proxyOf([wall], request(detail));
    expect([dark.surface.material.emissive, dark.surface.emission ?? null]).toEqual([[0, 0, 0], null]);
  });

  test('may be simplified with its materials apart', async () => {
    const { parts, finish } = await bakeOnto([wall], request(detail));
    expect(parts).toEqual([wall]);
    const [proxy] = await finish([wall.mesh], 0);
    expect((await lookAt(proxy, proxy.surface.palette))(1.5, 1.5)).toEqual(bytes(GLASS));
    expect(await finish([null], 0)).toEqual([]);
  });
});

describe('a textured quad of 8 by 8 m', async () => {
  /** 4 x 4 texels: red along u, green along v, four repeats. */
  const texels = Array.from({ length: 16 }, (_, i) => [40 + (i % 4) * 60, 40 + (3 - Math.floor(i / 4)) * 60, 90, 255]);
  const pixels: Pixels = { width: 4, height: 4, data: Uint8Array.from(texels.flat()) };
  const images = async (texture: number) => (texture === 3 ? mipsOf(pixels) : null);
  const slots = { ...NO_SLOTS, baseColor: 3 };
  const quad = drawn(await upright(0, 0, 8, 8), 'pattern', { slots });

  test('has the texels of its texture', async () => {
    const [proxy] = await proxyOf([quad], request([quad], { images }));
    const materials = await lookAt(proxy, proxy.surface.palette);
    for (const [column, row] of [0, 1, 2, 3].flatMap((x) => [0, 1, 2, 3].map((y) => [x, y]))) {
      expect(materials(column * 2 + 1, row * 2 + 1)).toEqual([40 + column * 60, 40 + row * 60, 90]);
    }
  });

  test('has them times the factor of the material', async () => {
    const red = drawn(quad.mesh, 'red', { slots, baseColor: [1, 0, 0, 1] });
    const [proxy] = await proxyOf([red], request([red], { images }));
    expect((await lookAt(proxy, proxy.surface.palette))(1, 1)).toEqual([40, 0, 0]);
  });

  test('has its mean in linear light where a texel spans all of it', async () => {
    const [proxy] = await proxyOf([quad], request([quad], { images, pixelAt: () => 10 }));
    const at = (await lookAt(proxy, proxy.surface.palette))(4, 4) as number[];
    const linear = (byte: number) => ((byte / 255 + 0.055) / 1.055) ** 2.4;
    const mean = srgbByte([40, 100, 160, 220].reduce((sum, byte) => sum + linear(byte) / 4, 0));
    for (const c of [0, 1]) expect(Math.abs(at[c] - mean)).toBeLessThanOrEqual(1);
  });

  test('stays as it is where its image cannot be read', async () => {
    expect(await proxyOf([quad], request([quad]))).toEqual([quad]);
  });
});

test('a look is worth baking where there is a texture or more than one colour', async () => {
  const mesh = await upright(0, 0, 1, 1);
  const red = drawn(mesh, 'red', { baseColor: [1, 0, 0, 1] });
  const alsoRed = drawn(mesh, 'also red', { baseColor: [1, 0, 0, 1], roughness: 0.1 });
  const leaf = drawn(mesh, 'leaf', { alphaMode: 'mask', slots: { ...NO_SLOTS, baseColor: 0 } });
  expect(isWorthBaking([red, alsoRed, leaf])).toBe(false);
  expect(isWorthBaking([red, drawn(mesh, 'blue', { baseColor: [0, 0, 1, 1] })])).toBe(true);
  expect(isWorthBaking([red, drawn(mesh, 'lamp', { baseColor: [1, 0, 0, 1], emissive: [1, 1, 1] })])).toBe(true);
  expect(isWorthBaking([drawn(mesh, 'wall', { slots: { ...NO_SLOTS, baseColor: 0 } })])).toBe(true);
});
