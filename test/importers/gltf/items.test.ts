// Everything that a glTF file may hold besides materials, one small scene each, cooked to a single file and checked in
// numbers there. Materials and textures: itemMaterials.test.ts. What is broken: hostile.test.ts.

import { Document, NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer';
import { describe, expect, test } from 'vitest';
import { type Cooked, type Corner, cookFiles, trianglesOf } from '../../cook/cooked.ts';
import {
  type AttributeInput,
  buildGlb,
  buildGltf,
  buildJson,
  glb,
  type Json,
  type Numbers,
  ONE_TRIANGLE,
  type SceneInput,
  TRIANGLE,
} from './build.ts';

const cook = (scene: SceneInput, edit?: (json: Json, bin: Uint8Array) => void) =>
  cookFiles({ 'scene.glb': buildGlb(scene, edit) });

/** Corner positions of each triangle, from the least one on, sorted: [[x, y, z], …] a triangle. */
function shape({ scene }: Cooked): number[][][] {
  const triangles = trianglesOf(scene).map(({ corners }) => {
    const ring = corners.map(({ position }) => position.map((x) => x + 0));
    const words = ring.map((p) => p.join());
    const first = words.indexOf([...words].sort()[0]);
    return [...ring.slice(first), ...ring.slice(0, first)];
  });
  return triangles.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const corners = (cooked: Cooked): Corner[] => trianglesOf(cooked.scene).flatMap((triangle) => triangle.corners);
const near = (values: readonly number[], digits = 3) => values.map((value) => expect.closeTo(value, digits));
const names = ({ scene }: Cooked) => scene.entities.map((entity) => entity.name);

/** The triangle (0,0,0) (1,0,0) (0,1,0), moved. */
const moved = (x: number, y = 0, z = 0) => [
  [x, y, z],
  [x + 1, y, z],
  [x, y + 1, z],
];
const UNIT = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
];

describe('accessors', () => {
  test('sparse positions over a dense base and over none', async () => {
    const over = await cook(
      { meshes: [{ primitives: [TRIANGLE] }, { primitives: [{ positions: [7, 7, 7] }] }] },
      (json) => {
        // Vertex 0 of the first mesh is taken from the second mesh's data.
        const { bufferView } = json.accessors[1];
        json.accessors[0].sparse = {
          count: 1,
          indices: { bufferView: json.bufferViews.length, componentType: 5121 },
          values: { bufferView },
        };
        // The first byte of the data is 0.
        json.bufferViews.push({ buffer: 0, byteOffset: 0, byteLength: 1 });
        json.meshes.pop();
        json.nodes.pop();
        json.scenes[0].nodes = [0];
      },
    );
    expect(shape(over)).toEqual([
      [
        [0, 1, 0],
        [7, 7, 7],
        [1, 0, 0],
      ],
    ]);
    const zeros = { data: [1, 0, 0, 0, 1, 0], sparse: { count: 3, indices: [1, 2] } };
    expect(shape(await cook({ meshes: [{ primitives: [{ positions: zeros }] }] }))).toEqual([UNIT]);
  });

  const integers: [string, new (data: number[]) => Numbers, number, number][] = [
    ['8-bit signed', Int8Array as never, 127, 5120],
    ['8-bit unsigned', Uint8Array as never, 255, 5121],
    ['16-bit signed', Int16Array as never, 32767, 5122],
    ['16-bit unsigned', Uint16Array as never, 65535, 5123],
  ];
  test.each(integers)('quantised as %s, plain and normalised', async (_, array, full) => {
    const make = (data: number[], normalized: boolean): AttributeInput => ({ data: new array(data), normalized });
    const plain = [0, 0, 0, 100, 0, 0, 0, 50, 0];
    const whole = plain.map((n) => (n / 100) * full);
    const uvs = [0, 0, full, 0, 0, full];
    const root = { extensionsUsed: ['KHR_mesh_quantization'], extensionsRequired: ['KHR_mesh_quantization'] };
    const scene = (positions: AttributeInput): SceneInput => ({
      meshes: [{ primitives: [{ positions, attributes: { TEXCOORD_0: { ...make(uvs, true), type: 'VEC2' } } }] }],
      root,
    });
    const cooked = await cook(scene(make(plain, false)));
    expect(shape(cooked)).toEqual([
      [
        [0, 0, 0],
        [100, 0, 0],
        [0, 50, 0],
      ],
    ]);
    expect(corners(cooked).map(({ uv }) => uv)).toEqual([
      [0, 1],
      [1, 1],
      [0, 0],
    ]);
    const fractions = shape(await cook(scene(make(whole.map(Math.round), true))));
    fractions[0].forEach((corner, i) => {
      expect(corner).toEqual(
        near(
          [
            [0, 0, 0],
            [1, 0, 0],
            [0, 0.5, 0],
          ][i],
          2,
        ),
      );
    });
  });

  test.each([
    ['8-bit', Int8Array, 127],
    ['16-bit', Int16Array, 32767],
  ] as const)('normals of %s', async (_, array, full) => {
    const normals = {
      data: array.from([0.6, 0, 0.8, 0.6, 0, 0.8, 0.6, 0, 0.8].map((n) => Math.round(n * full))),
      normalized: true,
    };
    const cooked = await cook({ meshes: [{ primitives: [{ ...TRIANGLE, normals }] }] });
    for (const { normal } of corners(cooked)) expect(normal).toEqual(near([0.6, 0, 0.8], 2));
  });

  test.each([
    ['8-bit', Uint8Array],
    ['16-bit', Uint16Array],
    ['32-bit', Uint32Array],
  ] as const)('indices of %s', async (_, array) => {
    const positions = [9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0];
    expect(shape(await cook({ meshes: [{ primitives: [{ positions, indices: array.from([1, 2, 3]) }] }] }))).toEqual([
      UNIT,
    ]);
  });

  test('bounds that the file states wrongly are not believed', async () => {
    const cooked = await cook({ meshes: [{ primitives: [TRIANGLE] }] }, (json) => {
      json.accessors[0].min = [-1000, 5, 5];
      json.accessors[0].max = [-999, 6, 6];
    });
    expect(cooked.scene.worldBounds).toEqual({ min: [0, 0, 0], max: [1, 1, 0] });
  });

  test('interleaved, and several buffers', async () => {
    const { json, bin } = buildJson(ONE_TRIANGLE);
    const inner = new Float32Array([0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0, 9]);
    json.bufferViews[0] = { buffer: 1, byteLength: 48, byteStride: 16 };
    json.buffers = [
      { byteLength: bin.length, uri: 'a.bin' },
      { byteLength: 48, uri: `data:application/octet-stream;base64,${Buffer.from(inner.buffer).toString('base64')}` },
    ];
    const text = new TextEncoder().encode(JSON.stringify(json));
    expect(shape(await cookFiles({ 'scene.gltf': text, 'a.bin': bin }))).toEqual([UNIT]);
  });
});

describe('compressed', () => {
  /** A strip of four triangles, whose corners are whole numbers in any type of component. */
  async function strip(
    kind: 'draco' | 'meshopt',
    array: 'Int8Array' | 'Uint8Array' | 'Int16Array' | 'Uint16Array' | 'Uint32Array' | 'Float32Array',
  ) {
    const types = { Int8Array, Uint8Array, Int16Array, Uint16Array, Uint32Array, Float32Array };
    const document = new Document();
    const buffer = document.createBuffer();
    const plain = Array.from({ length: 6 }, (_, v) => [Math.floor(v / 2) * 10, (v % 2) * 10, v === 5 ? 5 : 0]).flat();
    const wanted = [0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5];
    const isIndex = array === 'Uint32Array';
    const points = isIndex ? Float32Array.from(plain) : types[array].from(plain);
    const uvs = Float32Array.from(Array.from({ length: 6 }, (_, v) => [Math.floor(v / 2) / 2, v % 2]).flat());
    const make = (type: 'VEC3' | 'VEC2' | 'SCALAR', data: Numbers) =>
      document
        .createAccessor()
        .setType(type)
        .setArray(data as never)
        .setBuffer(buffer);
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', make('VEC3', points))
      .setAttribute('TEXCOORD_0', make('VEC2', uvs))
      .setIndices(make('SCALAR', isIndex ? Uint32Array.from(wanted) : Uint16Array.from(wanted)));
    document.createScene().addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
    if (kind === 'draco') {
      document
        .createExtension(KHRDracoMeshCompression)
        .setRequired(true)
        .setEncoderOptions({
          method: KHRDracoMeshCompression.EncoderMethod.SEQUENTIAL,
          quantizationBits: { POSITION: 16, TEX_COORD: 12 },
        });
    } else document.createExtension(EXTMeshoptCompression).setRequired(true);
    await MeshoptEncoder.ready;
    const io = new NodeIO().registerExtensions([KHRDracoMeshCompression, EXTMeshoptCompression]).registerDependencies({
      'draco3d.encoder': await draco.createEncoderModule(),
      'meshopt.encoder': MeshoptEncoder,
    });
    const triangles = [0, 3, 6, 9].map((t) =>
      [0, 1, 2].map((k) => plain.slice(wanted[t + k] * 3, wanted[t + k] * 3 + 3)),
    );
    return { bytes: await io.writeBinary(document), triangles };
  }
  const min = (triangle: number[][]) => [...triangle].sort((a, b) => (a.join() < b.join() ? -1 : 1));

  const types = ['Int8Array', 'Uint8Array', 'Int16Array', 'Uint16Array', 'Uint32Array', 'Float32Array'] as const;
  for (const kind of ['draco', 'meshopt'] as const) {
    test.each(types)(`${kind} with components of %s`, async (array) => {
      const { bytes, triangles } = await strip(kind, array);
      const cooked = await cookFiles({ 'scene.glb': bytes });
      expect(cooked.codes).toEqual([]);
      const ours = shape(cooked).map((triangle) => min(triangle.map((p) => p.map(Math.round))).join());
      expect(ours.sort()).toEqual(triangles.map((triangle) => min(triangle).join()).sort());
      // U grows with x, and V is up.
      for (const { position, uv } of corners(cooked)) {
        expect(uv).toEqual(near([Math.round(position[0]) / 20, 1 - Math.round(position[1]) / 10], 2));
      }
    });
  }
});

describe('primitives', () => {
  const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0];
  const square = [
    UNIT,
    [
      [0, 1, 0],
      [1, 0, 0],
      [1, 1, 0],
    ],
  ];
  test('strips turn every second triangle, fans share their first corner', async () => {
    expect(shape(await cook({ meshes: [{ primitives: [{ positions: points, mode: 5 }] }] }))).toEqual(square);
    const ring = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
    expect(shape(await cook({ meshes: [{ primitives: [{ positions: ring, mode: 6 }] }] }))).toEqual([
      [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
      ],
      [
        [0, 0, 0],
        [1, 1, 0],
        [0, 1, 0],
      ],
    ]);
  });

  test.each([0, 1, 2, 3])('points and lines (mode %i) are named and left out', async (mode) => {
    const cooked = await cook({ meshes: [{ name: 'Wire', primitives: [TRIANGLE, { positions: points, mode }] }] });
    expect(shape(cooked)).toEqual([UNIT]);
    expect(cooked.outcome.diagnostics).toMatchObject([{ code: 'UC1333', message: expect.stringContaining('"Wire"') }]);
  });

  test('without normals each triangle is flat; authored ones stay', async () => {
    const bent = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    const cooked = await cook({ meshes: [{ primitives: [{ positions: bent, indices: [0, 1, 2, 0, 3, 1] }] }] });
    const normals = trianglesOf(cooked.scene).map(({ corners: [a, b, c] }) => [a.normal, b.normal, c.normal]);
    for (const [a, b, c] of normals) expect([a, b]).toEqual([b, c]);
    expect(normals.map(([a]) => a.map((x) => x + 0)).sort()).toEqual([
      [0, 0, 1],
      [0, 1, 0],
    ]);
    const up = await cook({ meshes: [{ primitives: [{ ...TRIANGLE, normals: [0, 1, 0, 0, 1, 0, 1, 0, 0] }] }] });
    expect(corners(up).map(({ normal }) => normal.map((x) => x + 0))).toEqual([
      [0, 1, 0],
      [0, 1, 0],
      [1, 0, 0],
    ]);
  });

  test('morph targets at the weights of the node, with a warning', async () => {
    const primitives = [{ ...TRIANGLE, targets: [{ POSITION: [0, 0, 4, 0, 0, 4, 0, 0, 4] }] }];
    const cooked = await cook({
      meshes: [{ name: 'Face', weights: [1], primitives }],
      nodes: [{ mesh: 0, weights: [0.5] }],
    });
    expect(shape(cooked)).toEqual([moved(0, 0, 2)]);
    expect(cooked.codes).toEqual(['UC2090']);
  });

  test('skins with the joints where the file places them', async () => {
    const bound = {
      ...TRIANGLE,
      attributes: { JOINTS_0: new Uint8Array(12), WEIGHTS_0: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] },
    };
    const cooked = await cook({
      meshes: [{ primitives: [bound] }],
      nodes: [
        { name: 'Body', mesh: 0, skin: 0, translation: [100, 0, 0] },
        { name: 'Bone', translation: [0, 3, 0] },
      ],
      root: { skins: [{ joints: [1] }] },
    });
    expect(shape(cooked)).toEqual([moved(0, 3)]);
    expect(cooked.codes).toEqual([]);
  });
});

describe('nodes', () => {
  test('sheared and mirrored matrices; a mirror turns the triangles round', async () => {
    const sheared = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1];
    const mirrored = [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const cooked = await cook({
      ...ONE_TRIANGLE,
      nodes: [
        { mesh: 0, matrix: sheared },
        { mesh: 0, matrix: mirrored },
      ],
    });
    expect(shape(cooked)).toEqual([
      [
        [-1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ].sort((a, b) => (a.join() < b.join() ? -1 : 1)),
      [
        [10, 0, 0],
        [11, 0, 0],
        [10.5, 1, 0],
      ],
    ]);
    // Still seen from +Z.
    for (const { normal } of corners(cooked)) expect(normal.map((x) => x + 0)).toEqual([0, 0, 1]);
  });

  test('a singular matrix flattens; one that leaves no area leaves no triangle', async () => {
    const flat = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1];
    const slope = { positions: [0, 0, 0, 1, 0, 5, 0, 1, 9] };
    const cooked = await cook({
      meshes: [{ primitives: [slope] }],
      nodes: [
        { mesh: 0, matrix: flat },
        { mesh: 0, scale: [0, 0, 0] },
      ],
    });
    expect(shape(cooked)).toEqual([moved(0, 0, 3)]);
    expect(cooked.codes).toContain('UC2000');
  });

  test('EXT_mesh_gpu_instancing: once for each instance', async () => {
    const cooked = await cook({
      ...ONE_TRIANGLE,
      accessors: [
        { type: 'VEC3', data: [10, 0, 0, 20, 0, 0] },
        { type: 'VEC3', data: [1, 1, 1, 2, 2, 2] },
      ],
      nodes: [
        {
          name: 'Tree',
          mesh: 0,
          translation: [0, 5, 0],
          extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1, SCALE: 2 } } },
        },
      ],
    });
    expect(shape(cooked)).toEqual([
      moved(10, 5),
      [
        [20, 5, 0],
        [22, 5, 0],
        [20, 7, 0],
      ],
    ]);
    expect(names(cooked)).toEqual(['Tree_2', 'Tree', 'Tree_1']);
  });

  test('KHR_node_visibility: hidden with all below, and said', async () => {
    const cooked = await cook({
      ...ONE_TRIANGLE,
      nodes: [
        { children: [1], extensions: { KHR_node_visibility: { visible: false } } },
        { mesh: 0 },
        { mesh: 0, translation: [5, 0, 0] },
      ],
    });
    expect(shape(cooked)).toEqual([moved(5)]);
    expect(cooked.codes).toEqual(['UC1325']);
  });

  test('names survive, made different where they are alike', async () => {
    const cooked = await cook({
      ...ONE_TRIANGLE,
      nodes: [
        { name: 'Tür', mesh: 0, children: [1] },
        { name: 'Tür', mesh: 0, translation: [5, 0, 0] },
        { name: '門', mesh: 0, translation: [9, 0, 0] },
      ],
    });
    expect(names(cooked)).toEqual(['Tür', 'Tür_1', '門']);
  });

  test('10,000 levels deep', async () => {
    const nodes = Array.from({ length: 10000 }, (_, i) =>
      i < 9999 ? { translation: [0, 0.125, 0], children: [i + 1] } : { mesh: 0 },
    );
    expect(shape(await cook({ ...ONE_TRIANGLE, nodes, scenes: [{ nodes: [0] }] }))).toEqual([moved(0, 9999 / 8)]);
  });

  test('100,000 nodes', { timeout: 30_000 }, async () => {
    const nodes = Array.from({ length: 100_000 }, (_, i) =>
      i % 100 === 0 ? { mesh: 0, translation: [i / 1000, 0, 0] } : {},
    );
    const cooked = await cook({ ...ONE_TRIANGLE, nodes });
    expect(cooked.outcome.totals).toMatchObject({ objects: 1000, trianglesOut: 1000 });
    expect(cooked.scene.worldBounds.max[0]).toBeCloseTo(100.9, 3);
  });

  test('tags steer the tiling of a folder and leave a single file as it is', async () => {
    const extras = { untold_streaming_priority_hint: 'High', untold_tile_policy: 'elsewhere' };
    const cooked = await cook({ ...ONE_TRIANGLE, nodes: [{ name: 'Gate', mesh: 0, extras }] });
    expect(shape(cooked)).toEqual([UNIT]);
    expect(cooked.outcome.diagnostics).toMatchObject([{ code: 'UC2210', path: 'nodes/0' }]);
    const codesOf = async (other: unknown) =>
      (await cook({ ...ONE_TRIANGLE, nodes: [{ mesh: 0, extras: other }] })).codes;
    expect(await codesOf(null)).toEqual([]);
    // No tags, but notes of some application.
    for (const other of [5, ['untold_tile_policy'], 'untold_tile_policy'])
      expect(await codesOf(other)).toEqual(['UC2468']);
  });
});

describe('lights and cameras', () => {
  test('candela and lux become watts, cones half-angles, ranges falloffs; the camera its lens', async () => {
    const lights = [
      { type: 'spot', intensity: 683, range: 12, spot: { innerConeAngle: 0.25, outerConeAngle: 0.5 } },
      { type: 'directional', intensity: 1366 },
    ];
    const cooked = await cook({
      ...ONE_TRIANGLE,
      nodes: [
        { mesh: 0 },
        { name: 'Spot', translation: [1, 2, 3], extensions: { KHR_lights_punctual: { light: 0 } } },
        { name: 'Sun', extensions: { KHR_lights_punctual: { light: 1 } } },
        { name: 'Eye', camera: 0 },
      ],
      root: {
        extensionsUsed: ['KHR_lights_punctual'],
        extensions: { KHR_lights_punctual: { lights } },
        cameras: [{ type: 'perspective', perspective: { yfov: Math.PI / 3, znear: 0.5, zfar: 100, aspectRatio: 2 } }],
      },
    });
    const [spot, sun] = cooked.scene.lights!;
    expect(spot).toMatchObject({ type: 'spot', falloff: 12, customDistance: true, position: [1, 2, 3] });
    expect(spot.intensity).toBeCloseTo(4 * Math.PI, 4);
    expect([spot.innerCone, spot.outerCone]).toEqual(near([(0.25 * 180) / Math.PI, (0.5 * 180) / Math.PI]));
    expect(sun).toMatchObject({ type: 'directional', intensity: 2, customDistance: false });
    expect(cooked.scene.cameras).toMatchObject([{ name: 'Eye', nearClip: 0.5, farClip: 100, aspectRatio: 2 }]);
    expect(cooked.scene.cameras![0].fovYDegrees).toBeCloseTo(60, 4);
  });
});

describe('files', () => {
  test('GLB chunks beyond JSON and BIN are passed over', async () => {
    const bytes = buildGlb(ONE_TRIANGLE);
    const extra = new Uint8Array(bytes.length + 16);
    extra.set(bytes);
    const view = new DataView(extra.buffer);
    view.setUint32(bytes.length, 8, true);
    view.setUint32(bytes.length + 4, 0x58585858, true);
    view.setUint32(8, extra.length, true);
    const cooked = await cookFiles({ 'scene.glb': extra });
    expect(shape(cooked)).toEqual([UNIT]);
    expect(cooked.codes).toEqual(['UC1303']);
  });

  test.each(['Straße 1', 'café', '東京', '100%', 'a#b', 'a?b'])('a buffer beside the file: %s', async (name) => {
    expect(shape(await cookFiles(buildGltf(ONE_TRIANGLE, name)))).toEqual([UNIT]);
  });

  test('names that are not encoded, and percent signs that encode nothing', async () => {
    for (const [uri, file] of [
      ['Straße 1.bin', 'Straße 1.bin'],
      ['100%.bin', '100%.bin'],
      ['a%20b.bin', 'a%20b.bin'],
    ]) {
      const files = buildGltf(ONE_TRIANGLE, 'scene', (json) => {
        json.buffers[0].uri = uri;
      });
      expect(shape(await cookFiles({ 'scene.gltf': files['scene.gltf'], [file]: files['scene.bin'] }))).toEqual([UNIT]);
    }
  });

  test.each(['application/octet-stream', 'application/gltf-buffer', 'image/png', 'text/plain;charset=utf-8'])(
    'a data URI of type %s',
    async (type) => {
      const { json, bin } = buildJson(ONE_TRIANGLE);
      json.buffers[0].uri = `data:${type};base64,${Buffer.from(bin).toString('base64')}`;
      expect(shape(await cookFiles({ 'scene.gltf': new TextEncoder().encode(JSON.stringify(json)) }))).toEqual([UNIT]);
    },
  );

  test('a missing buffer ends the cook, and nothing is written', async () => {
    const files = buildGltf(ONE_TRIANGLE);
    const { outcome } = await cookFiles({ 'scene.gltf': files['scene.gltf'] });
    expect(outcome).toMatchObject({
      status: 'failed',
      outputs: [],
      diagnostics: [{ code: 'UC1203', path: 'buffers/0' }],
    });
  });

  test('extensions: required and unknown is an error that names it, used and unknown one warning', async () => {
    const used = await cook({ ...ONE_TRIANGLE, root: { extensionsUsed: ['ACME_a', 'ACME_b'] } });
    expect(shape(used)).toEqual([UNIT]);
    expect(used.outcome.diagnostics).toMatchObject([
      { code: 'UC1306', message: expect.stringContaining('"ACME_a", "ACME_b"') },
    ]);
    const required = await cook({ ...ONE_TRIANGLE, root: { extensionsRequired: ['ACME_a'] } });
    expect(required.outcome).toMatchObject({
      status: 'failed',
      diagnostics: [{ code: 'UC1305', message: 'the file requires "ACME_a"' }],
    });
  });

  test('several scenes: the default, the first, the one asked for', async () => {
    const scene: SceneInput = {
      ...ONE_TRIANGLE,
      nodes: [{ mesh: 0 }, { mesh: 0, translation: [5, 0, 0] }],
      scenes: [
        { name: 'A', nodes: [0] },
        { name: 'B', nodes: [1] },
      ],
    };
    const bytes = buildGlb(scene, (json) => {
      json.scene = 1;
    });
    expect(shape(await cookFiles({ 'scene.glb': bytes }))).toEqual([moved(5)]);
    expect(shape(await cookFiles({ 'scene.glb': bytes }, { source: { scene: 'A' } }))).toEqual([UNIT]);
    const { json, bin } = buildJson(scene);
    delete json.scene;
    expect(shape(await cookFiles({ 'scene.glb': glb(json, bin) }))).toEqual([UNIT]);
  });
});
