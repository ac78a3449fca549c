// Palettes taken apart again, and the stand-in of a group made from what its members' files say: colours by hand.

import { describe, expect, test } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import type { DrawnMesh } from '../../../src/formats/format.ts';
import { loadFormat } from '../../../src/formats/registry.ts';
import { SharedPositions } from '../../../src/geometry/lod/borders.ts';
import { type Float32Mesh, pickRows, valuesOf } from '../../../src/geometry/mesh/mesh.ts';
import { paletteColors, paletteTexture } from '../../../src/textures/atlas/palette.ts';
import { imageFiles } from '../../../src/textures/encode/png.ts';
import type { PaintedTexture, PreparedMaterial } from '../../../src/textures/types.ts';
import { cookCluster } from '../../../src/workers/jobs/cookCluster.ts';
import { cookLevels } from '../../../src/workers/jobs/cookLevels.ts';
import { mergeMaterials } from '../../../src/workers/jobs/mergeMaterials.ts';
import { splitPalettes } from '../../../src/workers/jobs/splitPalettes.ts';
import { DEFAULT_MATERIAL } from '../../../src/workers/jobs.ts';
import { ground, places, sphere, stored } from '../../geometry/packed.ts';

const format = { ...(await loadFormat('untold')), textures: imageFiles('keep') };
const free = (positions: Float32Array) => new Uint8Array(positions.length / 3);

/** What a cluster asks besides, where nothing is baked. */
const unbaked = {
  lockedVertices: free,
  format,
  error: 0,
  start: 100,
  textureSize: null,
  images: async () => null,
};

function mesh(geometry: Float32Mesh, name: string, more: Partial<PreparedMaterial> = {}): DrawnMesh {
  const material = { ...DEFAULT_MATERIAL, roughness: 0.8, name, ...more };
  return { naming: { tile: 't' }, surface: { material, tint: null, palette: null }, mesh: geometry };
}

const square = (x: number) => stored(ground(x, 0, 4, 2));

test('the colours of a palette come back as they were painted, byte by byte', async () => {
  const painted = await paletteTexture([1, 0, 0, 1, 0, 1, 0, 1, 0.25, 0.25, 0.25, 0.5], format.textures);
  const colors = (await paletteColors(painted, format.textures)) as Float64Array;
  expect(colors.length).toBe(16);
  expect([...colors.subarray(0, 8)]).toEqual([1, 0, 0, 1, 0, 1, 0, 1]);
  // 0.25 is the sRGB byte 137, which is 0.2502 again; the fourth cell repeats the third.
  expect(colors[8]).toBeCloseTo(0.2502, 4);
  expect(colors[11]).toBeCloseTo(128 / 255, 9);
  expect([...colors.subarray(12)]).toEqual([...colors.subarray(8, 12)]);
  expect(await paletteTexture(colors.subarray(0, 12), format.textures)).toEqual(painted);
});

test('what is no palette gives no colours', async () => {
  const painted = await paletteTexture([1, 0, 0, 1], format.textures);
  expect(await paletteColors({ ...painted, width: 16 }, format.textures)).toBeNull();
  expect(await paletteColors({ ...painted, bytes: painted.bytes.slice(0, 40) }, format.textures)).toBeNull();
});

describe('two colours merged', () => {
  const red = { baseColor: [1, 0, 0, 1] } as const;
  const blue = { baseColor: [0, 0, 1, 1], roughness: 0.9 } as const;
  const merged = async () =>
    mergeMaterials([mesh(await square(0), 'red', red), mesh(await square(4), 'blue', blue)], 'a', format);

  test('come apart into the same triangles with the same colours', async () => {
    const [one] = await merged();
    expect(one.surface.palette).not.toBeNull();
    const parts = await splitPalettes([one], format);
    expect(parts.map(({ surface }) => surface.material.baseColor)).toEqual([red.baseColor, blue.baseColor]);
    expect(parts.map(({ surface }) => surface.palette)).toEqual([null, null]);
    expect(places([parts[0].mesh])).toEqual(places([await square(0)]));
    expect(places([parts[1].mesh])).toEqual(places([await square(4)]));
    expect(parts.map(({ mesh: part }) => part.indices.length / 3)).toEqual([8, 8]);
  });

  test('stay merged where the material is more than its colour, or a UV lies elsewhere', async () => {
    const [one] = await merged();
    const change = (more: Partial<PreparedMaterial>): DrawnMesh => ({
      ...one,
      surface: { ...one.surface, material: { ...one.surface.material, ...more } },
    });
    const uv0 = valuesOf(one.mesh, 'uv0').slice();
    uv0[0] += 2 ** -10;
    const others = [
      change({ alphaMode: 'blend' }),
      change({ emissive: [1, 0, 0] }),
      change({ slots: { ...DEFAULT_MATERIAL.slots, normal: 0 } }),
      { ...one, mesh: { ...one.mesh, attributes: { ...one.mesh.attributes, uv0 } } },
      mesh(await square(0), 'plain'),
    ];
    expect(await splitPalettes(others, format)).toEqual(others);
  });
});

describe('the HLODs of two tiles as files', () => {
  const brick: PaintedTexture = {
    fileName: 'brick_01234567.png',
    bytes: new Uint8Array(0),
    sha256: '',
    width: 64,
    height: 64,
    flags: 0,
    format: 0,
    mipCount: 1,
  };
  const walls = { slots: { ...DEFAULT_MATERIAL.slots, baseColor: 0 }, roughness: 0.25, roughnessChannel: 1 };

  async function files() {
    const palettes = new Map<string, Uint8Array>();
    const made: { name: string; file: Uint8Array }[] = [];
    for (const x of [0, 8]) {
      const name = `tile_${x}`;
      const meshes = await mergeMaterials(
        [
          mesh(await square(x), 'red', { baseColor: [1, 0, 0, 1] }),
          mesh(await square(x + 4), x === 0 ? 'blue' : 'green', { baseColor: x === 0 ? [0, 0, 1, 1] : [0, 1, 0, 1] }),
          mesh(await stored(sphere(x + 4, 2, 2, 1, 8)), 'walls', walls),
        ],
        name,
        format,
      );
      for (const { surface } of meshes) {
        if (surface.palette) palettes.set(surface.palette.fileName, surface.palette.bytes);
      }
      const payload = meshes.map(({ naming, surface, mesh: one }) => ({
        naming,
        surface,
        stored: format.storeMesh(one),
      }));
      const input = { fileType: 'hlod', meshes: payload, textures: [brick], authored: {} } as const;
      const { file } = await format.encode({ ...input, options: { compression: 'none' } });
      made.push({ name, file });
    }
    return { files: made, palettes };
  }

  test('say what they are drawn with', async () => {
    const { files: list, palettes } = await files();
    expect(palettes.size).toBe(2);
    const meshes = await format.decodeDrawn(list, [brick], palettes);
    expect(meshes.map(({ surface }) => surface.palette?.fileName ?? null)).toEqual([
      [...palettes.keys()][0],
      null,
      [...palettes.keys()][1],
      null,
    ]);
    expect(meshes[1].surface.material).toMatchObject({ name: 'walls', ...walls });
    expect(meshes[0].surface.material).toMatchObject({ name: 'tile_0_plain3', slots: DEFAULT_MATERIAL.slots });
    expect(meshes[0].naming).toEqual({ entity: 'tile_0_plain3', mesh: 'tile_0_plain3' });
  });

  test('become one mesh of the plain colours and one of the texture', async () => {
    const { files: list, palettes } = await files();
    const meshes = await format.decodeDrawn(list, [brick], palettes);
    const before = meshes.reduce((sum, one) => sum + one.mesh.indices.length / 3, 0);
    const request = { ...unbaked, clusterId: 'far2_0_0_0', meshes, ratio: 0.5, limit: 0.5 };
    const made = await cookCluster(request, new Diagnostics(), 'f');
    expect(made?.meshes.map(({ naming }) => naming)).toEqual([
      { entity: 'far2_0_0_0_plain3', mesh: 'far2_0_0_0_plain3' },
      { tile: 'far2_0_0_0' },
    ]);
    const [plain, wall] = made?.meshes ?? [];
    const colors = (await paletteColors(plain.surface.palette as PaintedTexture, format.textures)) as Float64Array;
    const cells = [0, 1, 2].map((i) => [...colors.subarray(i * 4, i * 4 + 3)].join());
    expect(cells.sort()).toEqual(['0,0,1', '0,1,0', '1,0,0']);
    expect(wall.surface.material.slots.baseColor).toBe(0);
    expect(made?.triangles).toBeLessThanOrEqual(before / 2);
    expect(made?.error).toBeGreaterThan(0);
  });

  test('that cannot be simplified are joined, for their draw calls; alone one is left out', async () => {
    const { files: list, palettes } = await files();
    const meshes = await format.decodeDrawn(list, [brick], palettes);
    const request = {
      ...unbaked,
      clusterId: 'far2_0_0_0',
      meshes,
      ratio: 0.5,
      limit: 1e-6,
    };
    const made = await cookCluster(request, new Diagnostics(), 'f');
    expect(made).toMatchObject({
      triangles: meshes.reduce((sum, m) => sum + m.mesh.indices.length / 3, 0),
      error: 0,
    });
    expect(made?.meshes.length).toBe(2);
    const reported = new Diagnostics();
    const alone = { ...request, meshes: meshes.slice(0, 2) };
    expect(await cookCluster(alone, reported, 'f')).toBeNull();
    expect(reported.list.map(({ code, path }) => [code, path])).toEqual([['UC2060', 'far2_0_0_0']]);
  });
});

test('an HLOD draws vertex colours with the plain colours beside them, and simplifies across all', async () => {
  const painted = await paletteTexture([1, 0, 0, 1, 0, 1, 0, 1], format.textures);
  // Ground in stripes of two colours, as the cook points it at a palette, and beside it ground of a third.
  const striped = ground(0, 0, 8, 32);
  const corners = striped.indices;
  const geometry = await stored({
    ...striped,
    vertexCount: corners.length,
    positions: pickRows(striped.positions, 3, corners),
    attributes: {
      normal: pickRows(striped.attributes.normal, 3, corners),
      uv0: Float32Array.from([...corners].flatMap((_, i) => [Math.floor(i / 6) % 2 === 0 ? 0.25 : 0.75, 0.5])),
    },
    indices: Uint32Array.from(corners, (_, i) => i),
  });
  const stripes = mesh(geometry, 'stripes', { roughness: 0.9 });
  const drawn: DrawnMesh[] = [
    { ...stripes, surface: { ...stripes.surface, palette: painted } },
    mesh(await stored(ground(8, 0, 8, 32)), 'blue', { baseColor: [0, 0, 1, 1] }),
  ];
  const levels = await cookLevels(
    {
      tileId: 'far',
      range: { kind: 'grid', tileSize: 16 },
      bounds: { min: [0, -1, 0], max: [16, 1, 8] },
      meshes: drawn,
      lods: [],
      hlod: 0.1,
      textureSize: null,
      similarity: null,
      keepsCompromise: false,
      images: async () => null,
      shared: new SharedPositions(new Uint32Array(0)),
      format,
    },
    new Diagnostics(),
    'f',
  );
  const [{ meshes, triangles }] = levels;
  expect([levels.length, meshes.length]).toEqual([1, 1]);
  // A stripe to a quad: their borders alone would hold 2,048.
  expect(triangles).toBeLessThanOrEqual(409);
  const colors = (await paletteColors(meshes[0].surface.palette as PaintedTexture, format.textures)) as Float64Array;
  expect([...colors.subarray(0, 12)]).toEqual([1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1]);
});
