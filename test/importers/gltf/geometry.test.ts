import { describe, expect, test } from 'vitest';
import type { Attribute } from '../../../src/scene/types.ts';
import { buildGlb, buildJson, glb, load, loadAll, ONE_TRIANGLE, refusal, TRIANGLE } from './build.ts';

const values = (attribute: Attribute | null | undefined) => (attribute ? [...attribute.data] : null);
const QUAD = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];

describe('attributes', () => {
  test('positions, indices, normals and flat shading where they are missing', async () => {
    const { scene, read } = await loadAll(
      buildGlb({
        meshes: [
          {
            name: 'Quad',
            primitives: [
              { positions: QUAD, indices: [0, 1, 2, 2, 3, 0], normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1] },
            ],
          },
          { primitives: [TRIANGLE] },
        ],
      }),
    );
    expect(scene.meshes.map(({ name, path }) => [name, path])).toEqual([
      ['Quad', 'meshes/0'],
      ['', 'meshes/1'],
    ]);
    expect(scene.meshes[0].primitives[0]).toMatchObject({
      path: 'meshes/0/primitives/0',
      type: 'primitive',
      vertexCount: 4,
      triangleCount: 2,
      bounds: { min: [0, 0, 0], max: [1, 1, 0] },
      material: 0,
      subsets: [],
    });
    expect([...read[0].corners]).toEqual([0, 1, 2, 2, 3, 0]);
    expect([...read[0].points]).toEqual(QUAD);
    expect(read[0].normals).toMatchObject({ size: 3, interpolation: 'vertex', indices: null });
    expect([...read[1].corners]).toEqual([0, 1, 2]);
    expect(read[1].normals).toBeNull();
    expect(read[1].missingNormals).toBe('flat');
    expect(read[1].faceCounts).toBeNull();
  });

  test('V is turned up: v = 1 - v, in every set', async () => {
    const { read } = await loadAll(
      buildGlb({
        meshes: [
          {
            primitives: [
              { ...TRIANGLE, uvs: [0, 0, 0.25, 0.75, 2, -1], attributes: { TEXCOORD_1: [0, 1, 1, 1, 0, 0] } },
            ],
          },
        ],
      }),
    );
    expect([...read[0].uvs.keys()]).toEqual(['TEXCOORD_0', 'TEXCOORD_1']);
    expect(values(read[0].uvs.get('TEXCOORD_0'))).toEqual([0, 1, 0.25, 0.25, 2, 2]);
    expect(values(read[0].uvs.get('TEXCOORD_1'))).toEqual([0, 0, 1, 0, 0, 1]);
  });

  test('tangents are kept with their sign, and ignored without normals', async () => {
    const TANGENT = [1, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, 1];
    const normals = [0, 0, 1, 0, 0, 1, 0, 0, 1];
    const primitives = [
      { ...TRIANGLE, normals, attributes: { TANGENT } },
      { ...TRIANGLE, attributes: { TANGENT } },
    ];
    const { read } = await loadAll(buildGlb({ meshes: [{ primitives }] }));
    expect(values(read[0].tangents)).toEqual(TANGENT);
    expect(read[1].tangents).toBeNull();
  });

  test('colours: floats clamped, integers as fractions, and the materials that use them', async () => {
    const { scene, read } = await loadAll(
      buildGlb({
        materials: [{ name: 'painted' }, { name: 'plain' }],
        meshes: [
          {
            primitives: [
              {
                ...TRIANGLE,
                material: 0,
                attributes: { COLOR_0: { type: 'VEC3', data: [2, 0.5, -1, 0, 0, 0, 1, 1, 1] } },
              },
              {
                ...TRIANGLE,
                material: 0,
                attributes: {
                  COLOR_0: { normalized: true, data: new Uint8Array([255, 51, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0]) },
                },
              },
              {
                ...TRIANGLE,
                attributes: { COLOR_0: { data: new Uint16Array([65535, 0, 13107, 65535, 0, 0, 0, 0, 0, 0, 0, 0]) } },
              },
              { ...TRIANGLE, material: 1 },
            ],
          },
        ],
      }),
    );
    expect(read[0].colors!.size).toBe(3);
    expect(values(read[0].colors)).toEqual([1, 0.5, 0, 0, 0, 0, 1, 1, 1]);
    expect(read[1].colors!.size).toBe(4);
    expect(values(read[1].colors)!.slice(0, 4)).toEqual([1, Math.fround(0.2), 0, 1]);
    expect(values(read[2].colors)!.slice(0, 4)).toEqual([1, 0, Math.fround(0.2), 1]);
    expect(scene.materials.map((m) => [m.name, m.usesVertexColors])).toEqual([
      ['painted', true],
      ['plain', false],
      ['default_material', true],
    ]);
    expect(scene.meshes[0].primitives.map((p) => p.material)).toEqual([0, 0, 2, 1]);
  });

  test('quantised attributes (KHR_mesh_quantization) by its own formulas', async () => {
    const { scene, read, codes } = await loadAll(
      buildGlb({
        root: { extensionsUsed: ['KHR_mesh_quantization'], extensionsRequired: ['KHR_mesh_quantization'] },
        meshes: [
          {
            primitives: [
              {
                positions: { data: new Int16Array([32767, -32768, -32767, 0, 0, 0, 16384, 0, 0]), normalized: true },
                normals: { data: new Int8Array([127, -128, 0, 0, 0, 127, 0, 0, 127]), normalized: true },
                uvs: { data: new Uint8Array([0, 255, 51, 0, 0, 0]), normalized: true },
                attributes: { TEXCOORD_1: new Uint16Array([3, 4, 0, 0, 0, 0]) },
              },
              { positions: new Uint8Array([0, 0, 0, 200, 0, 0, 0, 200, 7]) },
            ],
          },
        ],
      }),
    );
    expect(codes).toEqual([]);
    // max(c / 32767, -1): the lowest integer does not pass -1.
    expect([...read[0].points]).toEqual([1, -1, -1, 0, 0, 0, Math.fround(16384 / 32767), 0, 0]);
    expect(values(read[0].normals)).toEqual([1, -1, 0, 0, 0, 1, 0, 0, 1]);
    expect(values(read[0].uvs.get('TEXCOORD_0'))!.slice(0, 4)).toEqual([0, 0, Math.fround(0.2), 1]);
    expect(values(read[0].uvs.get('TEXCOORD_1'))!.slice(0, 2)).toEqual([3, -3]);
    expect(scene.meshes[0].primitives[1].bounds).toEqual({ min: [0, 0, 0], max: [200, 200, 7] });
  });

  test('interleaved and misaligned data', async () => {
    // Position and UV of three vertices in 20 bytes each; then the same from byte 1.
    const floats = new Float32Array([0, 0, 0, 0, 1, 1, 0, 0, 0.5, 0.25, 0, 1, 0, 1, 0]);
    const { json } = buildJson(ONE_TRIANGLE);
    const bin = new Uint8Array(64);
    const accessor = (byteOffset: number, type: string) => ({
      bufferView: 0,
      byteOffset,
      componentType: 5126,
      count: 3,
      type,
    });
    json.accessors = [accessor(0, 'VEC3'), accessor(12, 'VEC2')];
    json.meshes = [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 } }] }];
    json.buffers = [{ byteLength: 64 }];
    for (const start of [0, 1]) {
      bin.set(new Uint8Array(floats.buffer), start);
      json.bufferViews = [{ buffer: 0, byteOffset: start, byteLength: 60, byteStride: 20 }];
      const { read } = await loadAll(glb(json, bin));
      expect([...read[0].points]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
      expect(values(read[0].uvs.get('TEXCOORD_0'))).toEqual([0, 0, 0.5, 0.75, 1, 1]);
    }
  });

  test('aligned floats and 32-bit indices are views into the file', async () => {
    const bytes = buildGlb({ meshes: [{ primitives: [{ ...TRIANGLE, indices: new Uint32Array([0, 1, 2]) }] }] });
    const { read } = await loadAll(bytes);
    expect(read[0].points.buffer).toBe(bytes.buffer);
    expect(read[0].corners.buffer).toBe(bytes.buffer);
  });

  test('stated bounds are not believed', async () => {
    const { scene } = await loadAll(
      buildGlb(ONE_TRIANGLE, (json) => {
        json.accessors[0].min = [-100, -100, -100];
        json.accessors[0].max = [100, 100, 100];
      }),
    );
    expect(scene.meshes[0].primitives[0].bounds).toEqual({ min: [0, 0, 0], max: [1, 1, 0] });
  });

  test('sparse accessors, over data and over zeros', async () => {
    const bytes = buildGlb(
      {
        meshes: [
          { primitives: [TRIANGLE] },
          { primitives: [{ positions: { data: [0, 2, 0, 3, 0, 0], sparse: { count: 3, indices: [0, 2] } } }] },
        ],
      },
      (json) => {
        const { sparse } = json.accessors[1];
        json.accessors[0].sparse = { ...sparse, count: 1, indices: { ...sparse.indices, byteOffset: 4 } };
      },
    );
    const { read, scene } = await loadAll(bytes);
    expect([...read[0].points]).toEqual([0, 0, 0, 1, 0, 0, 0, 2, 0]);
    expect([...read[1].points]).toEqual([0, 2, 0, 0, 0, 0, 3, 0, 0]);
    expect(scene.meshes[0].primitives[0].bounds!.max).toEqual([1, 2, 0]);
  });

  test('sparse values between words are read from a Buffer as from a Uint8Array', async () => {
    const bytes = buildGlb(
      {
        meshes: [{ primitives: [{ positions: { data: [0, 2, 0, 3, 0, 0], sparse: { count: 3, indices: [0, 2] } } }] }],
      },
      (json, bin) => {
        // The values move by one byte into the padding behind the indices: they start at no multiple of 4.
        const view = json.bufferViews[json.accessors[0].sparse.values.bufferView];
        bin.copyWithin(view.byteOffset - 1, view.byteOffset, view.byteOffset + view.byteLength);
        view.byteOffset -= 1;
      },
    );
    const { read } = await loadAll(Buffer.from(bytes));
    expect([...read[0].points]).toEqual([0, 2, 0, 0, 0, 0, 3, 0, 0]);
  });

  test('primitives that share a vertex buffer are read and bound by their own part of it', async () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0, 50, 0, 0, 51, 0, 0, 50, 1, 0];
    const bytes = buildGlb(
      {
        meshes: [
          {
            primitives: [
              { positions, uvs: positions.slice(0, 12), indices: [0, 1, 2] },
              { positions, uvs: positions.slice(0, 12), indices: [5, 3, 4] },
            ],
          },
        ],
      },
      (json) => {
        json.meshes[0].primitives[1].attributes = json.meshes[0].primitives[0].attributes;
      },
    );
    const { scene, read } = await loadAll(bytes);
    expect(scene.meshes[0].primitives.map((p) => p.bounds)).toEqual([
      { min: [0, 0, 0], max: [1, 1, 0] },
      { min: [50, 0, 0], max: [51, 1, 0] },
    ]);
    expect([...read[1].points]).toEqual([50, 0, 0, 51, 0, 0, 50, 1, 0]);
    expect([...read[1].corners]).toEqual([2, 0, 1]);
    expect(read[1].uvs.get('TEXCOORD_0')!.data.length).toBe(6);
  });
});

describe('topology', () => {
  const corners = async (mode: number, indices?: number[]) => {
    const positions = Array.from({ length: 18 }, (_, i) => i * i);
    const { scene, read, codes } = await loadAll(
      buildGlb({ meshes: [{ primitives: [{ positions, mode, ...(indices ? { indices } : {}) }] }] }),
    );
    return { corners: [...read[0].corners], count: scene.meshes[0].primitives[0].triangleCount, codes };
  };

  test('strips turn every other triangle', async () => {
    expect(await corners(5)).toEqual({ corners: [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4], count: 4, codes: [] });
    expect((await corners(5, [5, 3, 1, 0])).corners).toEqual([5, 3, 1, 3, 0, 1]);
  });

  test('fans turn about their first vertex', async () => {
    expect(await corners(6)).toEqual({ corners: [1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0], count: 4, codes: [] });
    expect((await corners(6, [5, 3, 1, 0])).corners).toEqual([3, 1, 5, 1, 0, 5]);
  });

  test('indices that make no whole triangle are dropped with a warning', async () => {
    expect(await corners(4, [0, 1, 2, 3])).toEqual({ corners: [0, 1, 2], count: 1, codes: ['UC1335'] });
    expect(await corners(5, [0, 1])).toEqual({ corners: [], count: 0, codes: ['UC1335'] });
  });

  test('points and lines are left out and named', async () => {
    const primitives = [0, 1, 2, 3].map((mode) => ({ ...TRIANGLE, mode }));
    const { scene, diagnostics } = await loadAll(
      buildGlb({ meshes: [{ name: 'Cable', primitives }, { primitives: [TRIANGLE] }] }),
    );
    expect(scene.nodes.map((node) => node.mesh)).toEqual([-1, 0]);
    expect(diagnostics.list).toMatchObject([{ code: 'UC1333', path: 'meshes/0/primitives/0' }]);
    expect(diagnostics.list[0].message).toContain('"Cable"');
  });

  test('a primitive without positions is left out', async () => {
    const bytes = buildGlb({ meshes: [{ primitives: [{ normals: [0, 0, 1, 0, 0, 1, 0, 0, 1] }] }] });
    expect((await loadAll(bytes)).codes).toEqual(['UC1334']);
  });
});

describe('numbers that are none', () => {
  test('in positions they are an error that names the vertex', async () => {
    const item = await refusal(
      loadAll(buildGlb({ meshes: [{ primitives: [{ positions: new Float32Array([0, 0, 0, 1, NaN, 0, 0, 1, 0]) }] }] })),
    );
    expect(item).toMatchObject({ code: 'UC1331', path: 'meshes/0/primitives/0', message: 'position 1 has y = NaN' });
  });

  test('elsewhere harmless values take their place, with a warning', async () => {
    const normals = new Float32Array([0, 0, -1, NaN, NaN, NaN, 0, 0, -1]);
    const primitive = {
      ...TRIANGLE,
      normals,
      uvs: new Float32Array([0, 0, NaN, 0, Infinity, 0]),
      attributes: { TANGENT: new Float32Array(12).fill(NaN) },
    };
    const { read, codes } = await loadAll(buildGlb({ meshes: [{ primitives: [primitive] }] }));
    // The triangle faces +z.
    expect(values(read[0].normals)).toEqual([0, 0, -1, 0, 0, 1, 0, 0, -1]);
    expect(values(read[0].uvs.get('TEXCOORD_0'))).toEqual([0, 1, 0, 1, 0, 1]);
    expect(read[0].tangents).toBeNull();
    expect(codes).toEqual(['UC1332', 'UC1332', 'UC1332']);
  });
});

describe('at rest', () => {
  const morphing = {
    ...TRIANGLE,
    normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
    uvs: [0, 0, 0, 0, 0, 0],
    attributes: { TANGENT: [1, 0, 0, -1, 1, 0, 0, -1, 1, 0, 0, -1] },
    targets: [
      {
        POSITION: [0, 0, 2, 0, 0, 0, 0, 0, 0],
        NORMAL: [0, 2, 0, 0, 0, 0, 0, 0, 0],
        TANGENT: [0, 0, 4, 0, 0, 0, 0, 0, 0],
      },
      { POSITION: { data: [0, 0, 8], sparse: { count: 3, indices: [2] } }, TEXCOORD_0: [0, 0.5, 0, 0, 0, 0] },
    ],
  };

  test('morph targets with the weights of the node, else of the mesh, else none', async () => {
    const { scene, read, codes } = await loadAll(
      buildGlb({
        meshes: [
          { name: 'Flag', primitives: [morphing], weights: [1, 0] },
          { name: 'Still', primitives: [morphing] },
        ],
        nodes: [{ mesh: 0 }, { mesh: 0, weights: [0.5, 0.25] }, { mesh: 1 }, { mesh: 0 }, { mesh: 0, weights: [0, 0] }],
      }),
    );
    expect(scene.nodes.map((node) => node.mesh)).toEqual([0, 1, 3, 0, 2]);
    expect(read.map((mesh) => [...mesh.points].filter((_, i) => i % 3 === 2))).toEqual([
      [2, 0, 0],
      [1, 0, 2],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(values(read[0].normals)!.slice(0, 3)).toEqual([0, 2, 1]);
    expect(values(read[0].tangents)!.slice(0, 4)).toEqual([1, 0, 4, -1]);
    expect(values(read[1].uvs.get('TEXCOORD_0'))!.slice(0, 2)).toEqual([0, 0.875]);
    expect(scene.meshes[1].primitives[0].bounds).toEqual({ min: [0, 0, 0], max: [1, 1, 2] });
    expect(codes).toEqual(['UC1342']);
  });

  test('names of targets that do not fit are said, where they are asked for', async () => {
    const target = { POSITION: [0, 0, 1, 0, 0, 0, 0, 0, 0] };
    const said = async (targetNames: unknown, keepsRigs = true) => {
      const primitives = [{ ...TRIANGLE, targets: [target, target, target] }];
      const mesh = { primitives, name: 'face', ...(targetNames === undefined ? {} : { extras: { targetNames } }) };
      const { diagnostics } = await load(buildGlb({ meshes: [mesh] }), { keepsRigs });
      return diagnostics.list.filter(({ code }) => code === 'UC1353').map(({ message }) => message);
    };
    expect(await said(['a', 'b', 'c'])).toEqual([]);
    expect(await said(undefined)).toEqual([]);
    expect(await said(['a', 'b'])).toEqual(['3 targets, 2 names: "face"']);
    expect(await said(['a', 'b', 'c', 'd'])).toEqual(['3 targets, 4 names: "face"']);
    expect(await said(['a', 'b', 'a'])).toEqual(['a name twice: "face"']);
    expect(await said(['a', 7, ''])).toEqual(['a name that is no text or empty: "face"']);
    expect(await said(['a', 'b', 'a'], false)).toEqual([]);
  });

  test('primitives of a mesh with different numbers of targets are said', async () => {
    const target = { POSITION: [0, 0, 1, 0, 0, 0, 0, 0, 0] };
    const primitives = [{ ...TRIANGLE, targets: [target, target] }, TRIANGLE];
    const { diagnostics } = await load(buildGlb({ meshes: [{ primitives }] }));
    const [{ message, path }] = diagnostics.list.filter(({ code }) => code === 'UC1354');
    expect([message, path]).toEqual(['0, 2 targets: meshes/0', 'meshes/0']);
    const equal = await load(buildGlb({ meshes: [{ primitives: [primitives[0], primitives[0]] }] }));
    expect(equal.codes).not.toContain('UC1354');
  });

  test('weights that do not match the targets are said', async () => {
    const bytes = buildGlb({ meshes: [{ primitives: [morphing], weights: [1] }] });
    expect((await loadAll(bytes)).codes).toEqual(['UC1342', 'UC1344']);
  });

  const matrix = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
  const skinned = (WEIGHTS_0: number[], normals = [0, 0, 1, 0, 0, 1, 0, 0, 1]) => ({
    ...TRIANGLE,
    normals,
    attributes: {
      JOINTS_0: new Uint8Array([0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]),
      WEIGHTS_0,
      TANGENT: [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1],
    },
  });

  test('skins: joints where the file places them, the transform of the mesh node ignored', async () => {
    const { scene, read, codes } = await loadAll(
      buildGlb(
        {
          meshes: [{ primitives: [skinned([1, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0])] }],
          accessors: [{ type: 'MAT4', data: [...matrix(0, 0, -1), ...matrix(0, 0, 0)] }],
          nodes: [
            { name: 'Body', mesh: 0, skin: 0, translation: [99, 99, 99], children: [3] },
            { name: 'Hip', translation: [0, 0, 5], children: [2] },
            { name: 'Knee', translation: [10, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
            { name: 'Hat' },
          ],
        },
        (json) => {
          json.skins = [{ joints: [1, 2], inverseBindMatrices: json.accessors.length - 1 }];
        },
      ),
    );
    expect(codes).toEqual(['UC1341']);
    // Joint 0 moves by 5 - 1 along z; joint 1 turns a quarter about z, then moves by (10, 0, 5); the third vertex is
    // halfway between what both make of it, its weights of 1 and 1 counting by their share.
    const near = (list: number[]) => list.map((value) => expect.closeTo(value, 6));
    expect([...read[0].points]).toEqual(near([0, 0, 4, 10, 1, 5, (0 + 9) / 2, (1 + 0) / 2, (4 + 5) / 2]));
    expect(values(read[0].tangents)!.slice(0, 8)).toEqual(near([1, 0, 0, 1, 0, 1, 0, 1]));
    expect(scene.nodes.map(({ name, parent, mesh }) => [name, parent, mesh])).toEqual([
      ['Body', -1, -1],
      ['Body', -1, 0],
      ['Hat', 0, -1],
      ['Hip', -1, -1],
      ['Knee', 3, -1],
    ]);
    expect([...scene.nodes[1].world]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect(scene.meshes[0].primitives[0].bounds!.max[0]).toBeCloseTo(10, 12);
  });

  test('a mirrored rig keeps its front: winding, normals and tangent signs turn together', async () => {
    const { read } = await loadAll(
      buildGlb({
        meshes: [{ primitives: [skinned([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], [0, 0, 1, 0, 0, 1, 0, 0, 1])] }],
        nodes: [{ scale: [-1, 1, 1], children: [1, 2] }, { mesh: 0, skin: 0 }, {}],
        root: { skins: [{ joints: [2, 2] }] },
      }),
    );
    expect([...read[0].points]).toEqual([0, 0, 0, -1, 0, 0, 0, 1, 0]);
    expect([...read[0].corners]).toEqual([0, 2, 1]);
    expect(values(read[0].normals)).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1].map((n) => expect.closeTo(n, 6)));
    expect(values(read[0].tangents)!.slice(0, 4)).toEqual([-1, 0, 0, -1]);
  });

  test('a joint that the skin lacks is an error; an unbound mesh is drawn where its node is', async () => {
    const broken = buildGlb({
      meshes: [{ primitives: [skinned([0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0])] }],
      nodes: [{ mesh: 0, skin: 0 }, {}],
      root: { skins: [{ joints: [1] }] },
    });
    expect(await refusal(loadAll(broken))).toMatchObject({ code: 'UC1343', path: 'meshes/0/primitives/0' });
    const unbound = buildGlb({
      meshes: [{ primitives: [TRIANGLE] }],
      nodes: [{ mesh: 0, skin: 0, translation: [7, 0, 0] }, {}],
      root: { skins: [{ joints: [1] }] },
    });
    const { scene, codes } = await loadAll(unbound);
    expect(codes).toEqual(['UC1341']);
    expect(scene.nodes[0].world[12]).toBe(7);
  });
});
