// Normal maps through whole cooks: stored texel and stored tangent together must give the normal that a viewer of glTF
// makes of the source's texel and TANGENT (glTF 2.0, 3.7.2.1), whatever UVs the map was carried to.

import sharp from 'sharp';
import { expect, test } from 'vitest';
import { buildGlb } from '../importers/gltf/build.ts';
import { cookFiles, verticesOf } from './cooked.ts';

const solid = async (color: readonly number[]) =>
  new Uint8Array(
    await sharp(Uint8Array.from(new Array(64).fill(color).flat()), { raw: { width: 8, height: 8, channels: 3 } })
      .png()
      .toBuffer(),
  );

// 204 / 127.5 - 1 and 166 / 127.5 - 1: no axis, so that no turn goes unseen.
const TEXEL = [204, 166, 222];
const X = 0.6;
const Y = 0.302;

/** Corners of unit squares in the XY plane that face +Z, side by side along X. */
const positions = (squares: number) =>
  Array.from({ length: squares }, (_, i) => [i, 0, 0, i + 1, 0, 0, i + 1, 1, 0, i, 1, 0]).flat();

// UVs of a square with V down, as glTF has them: U along +X and V (up) along +Y, ...
const UPRIGHT = [0, 1, 1, 1, 1, 0, 0, 0];
// ... U along +Y and V along -X, ...
const QUARTER = [0, 0, 0, 1, 1, 1, 1, 0];
// ... U along -X and V along +Y.
const MIRRORED = [1, 1, 0, 1, 0, 0, 1, 0];

/** UVs scaled, then moved along u. */
const scaled = (uvs: readonly number[], by: number, u: number) => uvs.map((x, i) => x * by + (i % 2 === 0 ? u : 0));
const four = (tangent: readonly number[]) => [tangent, tangent, tangent, tangent].flat();
const transform = (values: object) => ({ extensions: { KHR_texture_transform: values } });
const turned = transform({ rotation: Math.PI / 2 });
const oblique = transform({ rotation: 0.5 });
const flipped = transform({ scale: [-1, 1] });

interface Given {
  readonly uvs?: readonly number[];
  readonly other?: readonly number[];
  readonly tangents?: readonly number[];
  readonly base?: object;
  readonly normal?: object;
}

/** x and y of the mapped normal at the corners of each square, from what was stored; in order of position. */
async function storedNormals({ uvs = UPRIGHT, other = uvs, tangents, base = {}, normal = {} }: Given) {
  const squares = uvs.length / 8;
  const glb = buildGlb({
    meshes: [
      {
        primitives: [
          {
            positions: positions(squares),
            normals: new Array(squares * 4).fill([0, 0, 1]).flat(),
            uvs,
            attributes: { TEXCOORD_1: other, ...(tangents && { TANGENT: tangents }) },
            indices: Array.from({ length: squares }, (_, i) => [0, 1, 2, 0, 2, 3].map((v) => v + i * 4)).flat(),
            material: 0,
          },
        ],
      },
    ],
    materials: [
      {
        pbrMetallicRoughness: { baseColorTexture: { index: 0, ...base } },
        normalTexture: { index: 1, ...normal },
      },
    ],
    textures: [{ source: 0 }, { source: 1 }],
    images: [await solid([90, 90, 90]), await solid(TEXEL)],
    root: { extensionsUsed: ['KHR_texture_transform'] },
  });
  const { scene, texture, codes } = await cookFiles({ 'scene.glb': glb });
  const { data, info } = await sharp(texture(scene.textures[scene.materials[0].normalTexture].uri))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [mesh] = scene.meshes;
  const vertices = verticesOf(mesh);
  const words = new DataView(mesh.vertices.buffer, mesh.vertices.byteOffset, mesh.vertices.byteLength);
  const found: { square: number; normal: number[] }[] = [];
  for (let t = 0; t < mesh.indices.length; t += 3) {
    const corners = [0, 1, 2].map((k) => mesh.indices[t + k]);
    const mean = (read: (v: number) => number) => corners.reduce((sum, v) => sum + read(v), 0) / 3;
    // The texel in the middle of the triangle, far from those of others.
    const [u, v] = [0, 1].map((k) => mean((i) => vertices[i].uv[k]));
    const px = Math.floor((u - Math.floor(u)) * info.width);
    const py = Math.floor((1 - (v - Math.floor(v))) * info.height);
    const [x, y] = [0, 1].map((c) => data[(py * info.width + px) * info.channels + c] / 127.5 - 1);
    for (const i of corners) {
      const word = words.getUint32(i * 32 + 16, true);
      const [tx, ty] = [0, 10].map((shift) => ((word << (22 - shift)) >> 22) / 511);
      const w = word >>> 31 === 1 ? -1 : 1;
      // The bitangent is cross(+Z, tangent) * w.
      const normal = [x * tx - y * ty * w, x * ty + y * tx * w];
      found.push({ square: Math.floor(mean((k) => vertices[k].position[0])), normal });
    }
  }
  expect(found).toHaveLength(squares * 6);
  // Some scenes have a set that no texture uses.
  return { found, codes: codes.filter((code) => code !== 'UC2490') };
}

/** Ten bits of a tangent and eight of each texel. */
const near = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 1.7));

async function expectNormals(given: Given, ...expected: readonly (readonly number[])[]) {
  const { found, codes } = await storedNormals(given);
  for (const { square, normal } of found) expect(normal).toEqual(near(expected[square]));
  return codes;
}

test('a map on uv0 itself keeps authored tangents, whatever they are', async () => {
  expect(await expectNormals({ tangents: four([0.6, 0.8, 0, 1]) }, [X * 0.6 - Y * 0.8, X * 0.8 + Y * 0.6])).toEqual([]);
  expect(await expectNormals({ tangents: four([0, 1, 0, -1]) }, [Y, X])).toEqual([]);
});

test('a map of another set turns, and authored tangents turn along', async () => {
  const normal = { texCoord: 1 };
  const quarter = { other: QUARTER, normal };
  expect(await expectNormals({ ...quarter, tangents: four([0, 1, 0, 1]) }, [-Y, X])).toEqual(['UC2111']);
  await expectNormals({ ...quarter, tangents: four([0.6, 0.8, 0, 1]) }, [X * 0.6 - Y * 0.8, X * 0.8 + Y * 0.6]);
  await expectNormals({ other: MIRRORED, normal, tangents: four([-1, 0, 0, -1]) }, [-X, Y]);
  // The base colour on the turned set, the map upright.
  const base = { texCoord: 1 };
  await expectNormals({ other: QUARTER, base, tangents: four([1, 0, 0, 1]) }, [X, Y]);
  await expectNormals({ other: MIRRORED, base, tangents: four([1, 0, 0, 1]) }, [X, Y]);
});

test('texture transforms do not touch authored tangents', async () => {
  const tangents = four([1, 0, 0, 1]);
  for (const moved of [turned, oblique, flipped]) {
    await expectNormals({ tangents, base: moved }, [X, Y]);
    await expectNormals({ tangents, normal: moved }, [X, Y]);
    // Both on one transform: copied, and uv0 turns.
    expect(await expectNormals({ tangents, base: moved, normal: moved }, [X, Y])).toEqual([]);
  }
  await expectNormals({ tangents, base: turned, normal: flipped }, [X, Y]);
});

test('charts that turn in different ways get tangents made from uv0', async () => {
  const given: Given = {
    uvs: [...scaled(UPRIGHT, 0.4, 0), ...scaled(UPRIGHT, 0.4, 0.5)],
    other: [...UPRIGHT, ...QUARTER],
    normal: { texCoord: 1 },
  };
  const tangents = [...four([1, 0, 0, 1]), ...four([0, 1, 0, 1])];
  expect(await expectNormals({ ...given, tangents }, [X, Y], [-Y, X])).toEqual(['UC2111']);
  await expectNormals(given, [X, Y], [-Y, X]);
});

test('charts of one set turn in one way, and tangents along', async () => {
  // Too far apart for a window, of a scale that does not repeat with uv0.
  const uvs = [...scaled(UPRIGHT, 0.4, 0), ...scaled(UPRIGHT, 0.4, 10.5)];
  const normal = transform({ rotation: Math.PI / 2, scale: [0.37, 0.37] });
  const tangents = [...four([1, 0, 0, 1]), ...four([0, 1, 0, 1])];
  expect(await expectNormals({ uvs, normal, tangents }, [X, Y], [-Y, X])).toEqual(['UC2111']);
});

test('without authored tangents the UVs of the map say which way it lies', async () => {
  await expectNormals({ other: QUARTER, normal: { texCoord: 1 } }, [-Y, X]);
  await expectNormals({ other: MIRRORED, normal: { texCoord: 1 } }, [-X, Y]);
});
