// Models of Urho3D as sources: geometry by literal values, materials by what techniques are called, and what is left out.

import { describe, expect, test } from 'vitest';
import { Diagnostics, SourceError } from '../../../src/diagnostics/diagnostic.ts';
import { memoryFiles } from '../../../src/importers/files.ts';
import type { ImportOptions } from '../../../src/importers/importer.ts';
import { importSource } from '../../../src/importers/index.ts';
import { bytesOf, fixture } from '../../formats/urho3d/fixtures.ts';
import { bone, limb, type ModelOptions, mdl, wave } from './models.ts';

const text = (value: string) => new TextEncoder().encode(value);

async function read(files: Record<string, Uint8Array>, options: ImportOptions = {}, path = '/Data/Models/Jack.mdl') {
  const diagnostics = new Diagnostics();
  const scene = await importSource(path, 'Jack.mdl', { files: memoryFiles(files, '/Data'), diagnostics, options });
  return { scene, codes: diagnostics.list.map(({ code }) => code).sort(), list: diagnostics.list };
}
const LISTED = { '/Data/Models/Jack.txt': text('\n') };
const model = (options: ModelOptions, import_: ImportOptions = {}) =>
  read({ '/Data/Models/Jack.mdl': mdl(options), ...LISTED }, import_);

test('space, winding, V and the sign of tangents are those of the reference', async () => {
  // One triangle by hand: position, normal, texture coordinates, tangent.
  const bytes = bytesOf(
    'UMD2',
    ['u32', 1, 3],
    ['u32', 4, 0x0003, 0x0103, 0x0402, 0x0304],
    ['u32', 0, 0],
    ...[
      [1, 2, 3, 0.25, 0.75],
      [4, 2, 3, 0.5, 0.125],
      [1, 2, 7, 0, 1],
    ].map(([x, y, z, u, v]) => ['f32', x, y, z, 0, -1, 0, u, v, 0, 0, 1, -1] as const),
    ['u32', 1, 3, 2],
    ['u16', 0, 1, 2],
    ['u32', 1, 0, 1],
    ['f32', 0],
    ['u32', 0, 0, 0, 0, 3],
    ['u32', 0, 0],
    ['f32', 1, 2, 3, 4, 2, 7, 2, 2, 4],
  );
  const { scene } = await read({ '/Data/Models/Jack.mdl': bytes, ...LISTED });
  const [primitive] = scene.meshes[0].primitives;
  const { points, corners, normals, tangents, uvs, leftHanded } = await primitive.read();
  // Z is mirrored; no zero becomes -0.
  expect([...points]).toEqual([1, 2, -3, 4, 2, -3, 1, 2, -7]);
  expect([...normals!.data]).toEqual([0, -1, 0, 0, -1, 0, 0, -1, 0]);
  // The first corner stays the first.
  expect([[...corners], leftHanded]).toEqual([[0, 2, 1], false]);
  // V counts from the other end.
  expect([...uvs.get('TEXCOORD_0')!.data]).toEqual([0.25, 0.25, 0.5, 0.875, 0, 0]);
  // The direction is mirrored, its sign is not.
  expect([...tangents!.data]).toEqual([0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1]);
  expect([primitive.bounds, primitive.triangleCount]).toEqual([{ min: [1, 2, -7], max: [4, 2, -3] }, 1]);
});

test('geometries take the vertices that they use of a buffer that all share', async () => {
  const { scene, codes } = await model({
    geometries: [{ range: [0, 3] }, { range: [3, 3] }],
    more: [
      {
        semantic: 'color',
        type: 'ubyte4Norm',
        index: 0,
        values: Uint8Array.from([255, 0, 0, 255, 0, 51, 0, 255, 1, 2, 3, 4, 0, 0, 255, 102]),
      },
    ],
  });
  const meshes = await Promise.all(scene.meshes[0].primitives.map((one) => one.read()));
  expect(meshes.map(({ points }) => points.length / 3)).toEqual([3, 3]);
  // The second triangle is 0, 3, 2.
  expect([...meshes[1].points]).toEqual([0, 0, 0, 0, 1, 0, 1, 1, 0]);
  expect([...meshes[1].colors!.data].map((value) => Math.round(value * 255))).toEqual([
    255, 0, 0, 255, 0, 0, 255, 102, 1, 2, 3, 4,
  ]);
  expect(codes).toEqual([]);
});

describe('a skeleton', () => {
  test('has parents before children, bones by the mapping, and the pose of binding', async () => {
    const { scene, codes } = await model(limb(), { keepsRigs: true });
    expect(codes).toEqual([]);
    expect(scene.skeletons![0].joints.map(({ path, parent }) => [path, parent])).toEqual([
      ['/Arm', -1],
      ['/Arm/Fore', 0],
    ]);
    // The bind matrix of the second joint stands at (0, 1, -0.1).
    expect([...scene.skins![0].bind.subarray(28, 31)].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([
      0, 1, -0.1,
    ]);
    const { skinning } = await scene.meshes[0].primitives[0].bound!.read();
    expect([...skinning!.joints.subarray(0, 4)]).toEqual([0, 1, 0, 0]);
    expect([...skinning!.weights.subarray(16, 20)]).toEqual([0.5, 0.5, 0, 0]);
  });

  test('stands still in tiles, which is said', async () => {
    const { scene, codes } = await model(limb());
    expect([scene.skeletons, codes]).toEqual([undefined, ['UC2453']]);
  });

  test('with a flat bone is refused', async () => {
    const flat = [bone('A', 0, { offset: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0] }), bone('B', 0)];
    const reading = model({ ...limb(), bones: flat }, { keepsRigs: true });
    await expect(reading).rejects.toSatisfy(
      (error) => error instanceof SourceError && error.diagnostics[0].code === 'UC2456',
    );
  });
});

test('levels, lines, morphs and normals without a direction are named', async () => {
  expect((await model({ levels: 3 })).codes).toEqual(['UC2450']);
  const lines = await model({ primitive: 1 });
  expect([lines.codes, lines.scene.meshes, lines.scene.nodes[0].mesh]).toEqual([['UC2451'], [], -1]);
  const deltas = { vertex: Uint32Array.of(1), position: Float32Array.of(0, 1, 0), normal: null, tangent: null };
  const morphs = [{ name: 'up', buffers: [{ vertexBuffer: 0, deltas }] }];
  expect((await model({ morphs })).codes).toEqual(['UC2452']);
  expect((await model({ morphs }, { keepsRigs: true })).codes).toEqual([]);
  const normals = new Float32Array(12);
  const flat = await model({ normals });
  expect([flat.codes, (await flat.scene.meshes[0].primitives[0].read()).normals]).toEqual([['UC2454'], null]);
});

test('morphs move the vertices that a geometry uses, in engine space; a vertex has one row', async () => {
  const deltas = {
    vertex: Uint32Array.of(2, 1, 2),
    position: Float32Array.of(0, 0, 3, 1, 0, 2, 0, 0, 4),
    normal: Float32Array.of(0, 1, 0, 0, 0, 1, 0, 0, 0),
    tangent: Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0),
  };
  const other = { vertex: Uint32Array.of(3), position: Float32Array.of(0, 1, 0), normal: null, tangent: null };
  const { scene } = await model({
    // The first triangle alone: vertices 0, 2, 1 in the order of their use.
    geometries: [{ range: [0, 3] }],
    more: [
      {
        semantic: 'tangent',
        type: 'vector4',
        index: 0,
        values: Float32Array.from({ length: 16 }, (_, i) => (i % 4 === 0 || i % 4 === 3 ? 1 : 0)),
      },
    ],
    morphs: [
      { name: 'up', buffers: [{ vertexBuffer: 0, deltas }] },
      { name: '', buffers: [{ vertexBuffer: 0, deltas: other }] },
    ],
  });
  const { morphs } = scene.meshes[0].primitives[0];
  expect(morphs?.targets).toEqual([
    { name: 'up', weight: 0, lost: ['tangent deltas'] },
    { name: 'target_1', weight: 0 },
  ]);
  const [up, none] = (await morphs?.read()) ?? [];
  expect(up).toEqual({
    vertices: Uint32Array.of(1, 2),
    positions: Float32Array.of(0, 0, -7, 1, 0, -2),
    normals: Float32Array.of(0, 1, 0, 0, 0, -1),
  });
  expect(none.vertices.length).toBe(0);
});

describe('materials', () => {
  const material = (technique: string, ...more: string[]) =>
    text(`<material><technique name="Techniques/${technique}.xml"/>${more.join('')}</material>`);
  const unit = (name: string, file: string) => `<texture unit="${name}" name="Textures/${file}"/>`;
  const parameter = (name: string, value: string) => `<parameter name="${name}" value="${value}"/>`;
  async function one(xml: Uint8Array, more: Record<string, Uint8Array> = {}) {
    const { scene, codes } = await read({
      '/Data/Models/Jack.mdl': mdl(),
      '/Data/Models/Jack.txt': text('Materials/Jack.xml\n'),
      '/Data/Materials/Jack.xml': xml,
      ...more,
    });
    return { material: scene.materials[0], images: scene.images, codes };
  }

  test('that are PBR add their parameters to roughness in red and metalness in green', async () => {
    const {
      material: made,
      images,
      codes,
    } = await one(
      material(
        'PBR/PBRMetallicRoughDiffNormalSpec',
        unit('diffuse', 'a.png'),
        unit('normal', 'n.png'),
        unit('specular', 's.png'),
        parameter('MatDiffColor', '1 0.5 0.25 1'),
        parameter('Roughness', '0.25'),
        parameter('Metallic', '0.5'),
        '<cull value="none"/>',
      ),
      {
        '/Data/Textures/a.xml': text(
          '<texture><address coord="U" mode="CLAMP"/><address coord="v" mode="constructor"/></texture>',
        ),
      },
    );
    expect(codes).toEqual([]);
    expect(made).toMatchObject({ name: 'Jack', alphaMode: 'opaque', doubleSided: true, roughness: 1, metallic: 1 });
    expect(made.baseColor).toEqual([1, 0.5, 0.25, 1]);
    const { baseColor, roughness, metallic, normal } = made.textures;
    expect(baseColor).toMatchObject({ channel: 'rgb', colorSpace: 'srgb', wrapS: 'clamp', wrapT: 'repeat' });
    expect(roughness).toMatchObject({ channel: 'r', bias: [0.25, 0.5, 0, 0], colorSpace: 'linear' });
    expect(metallic).toMatchObject({ image: roughness!.image, channel: 'g' });
    expect(normal).toMatchObject({ colorSpace: 'linear' });
    const fileOf = (use: { image: number } | undefined) => images[use!.image].file;
    expect([baseColor, normal, roughness].map(fileOf)).toEqual(
      ['a', 'n', 's'].map((name) => `/Data/Textures/${name}.png`),
    );
  });

  test.each([
    ['PBR/PBRNoTexture', ['opaque', 0.3, 0.6], []],
    ['PBR/PBRNoTextureAlpha', ['blend', 0.3, 0.6], []],
    ['Diff', ['opaque', 1, 0], ['UC2459']],
    ['DiffAlpha', ['blend', 1, 0], ['UC2459']],
    ['DiffAlphaMask', ['mask', 1, 0], ['UC2459']],
    ['DiffLightMap', ['opaque', 1, 0], ['UC2459']],
  ])('%s', async (technique, expected, codes) => {
    const made = await one(material(technique, parameter('Roughness', '0.3'), parameter('Metallic', '0.6')));
    const { alphaMode, roughness, metallic } = made.material;
    expect([[alphaMode, roughness, metallic], made.codes]).toEqual([expected, codes]);
  });

  test('move their texture coordinates, and name units in short or by number', async () => {
    const made = await one(
      material(
        'PBR/PBRDiffNormal',
        unit('albedo', 'a.png'),
        unit('1', 'n.png'),
        parameter('UOffset', '2 0.5 0 0.25'),
        parameter('VOffset', '0.125 4 0 0.0625'),
      ),
    );
    // U' = 2 u + 0.5 v + 0.25 and V' = 0.125 u + 4 v + 0.0625 with v down, which is 1 - v here.
    expect(made.material.textures.baseColor?.transform).toEqual([2, -0.125, -0.5, 4, 0.75, -3.0625]);
    expect(Object.keys(made.material.textures).sort()).toEqual(['baseColor', 'normal']);
    const other = await one(material('PBR/PBRNoTexture', unit('environment', 'a.png')));
    expect(other.codes).toEqual(['UC2459']);
  });

  test('emit, or have occlusion by the second texture coordinates', async () => {
    const emits = material(
      'PBR/PBRMetallicRoughDiffSpecEmissive',
      unit('emissive', 'e.png'),
      parameter('MatEmissiveColor', '2 1 0'),
    );
    const shades = material('DiffAO', unit('emissive', 'ao.png'), parameter('MatEmissiveColor', '0 0 0'));
    expect((await one(emits)).material).toMatchObject({
      emissive: [2, 1, 0],
      textures: { emissive: { channel: 'rgb' } },
    });
    expect((await one(shades)).material.textures.occlusion).toMatchObject({ channel: 'r', uvSet: 'TEXCOORD_1' });
  });

  test('are white where no list, or no file, says what they are', async () => {
    const none = await read({ '/Data/Models/Jack.mdl': mdl() });
    expect([none.codes, none.scene.materials.map(({ name }) => name)]).toEqual([['UC2455'], ['Jack_0']]);
    const files = { '/Data/Models/Jack.mdl': mdl(), '/Data/Models/Jack.txt': text('Materials/No.xml\n') };
    const lost = await read({ ...files, '/Materials/No.xml': material('Diff') });
    expect([lost.codes, lost.scene.materials[0].baseColor]).toEqual([['UC2458'], [1, 1, 1, 1]]);
  });
});

describe('what is no model', () => {
  const failing = async (bytes: Uint8Array) => {
    try {
      await read({ '/Data/Models/Jack.mdl': bytes, ...LISTED });
      return [];
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      return error.diagnostics.map(({ code }) => code);
    }
  };

  test('animations and files of rbfx are refused by name', async () => {
    expect(await failing(fixture('good_ani.ani'))).toEqual(['UC2460']);
    expect(await failing(fixture('bad_umd3.mdl'))).toEqual(['UC3901']);
    expect(await failing(fixture('bad_uan2.ani'))).toEqual(['UC3901']);
  });

  test('every beginning of a model ends in codes', async () => {
    const bytes = mdl(limb());
    const passed: number[] = [];
    for (let length = 0; length < bytes.length; length++) {
      const codes = await failing(bytes.slice(0, length));
      // A file without its centres is an old one.
      if (codes.length === 0 && length !== bytes.length - 24) passed.push(length);
    }
    expect(passed).toEqual([]);
    expect(await failing(bytes)).toEqual([]);
  });
});

test('of keys at one time the first is reached and the last goes on', async () => {
  const { tracks, ...clip } = wave();
  const { writeAnimation } = await import('../../../src/formats/urho3d/animation/write.ts');
  const moved = (...x: number[]) => Float32Array.from(x.flatMap((value) => [value, 0, 0]));
  const keys = {
    time: Float32Array.of(0, 0, 1, 1, 1, 2, 2),
    position: moved(9, 0, 1, 9, 5, 6, 7),
    rotation: null,
    scale: null,
  };
  const ani = writeAnimation({ ...clip, tracks: [{ ...tracks[1], keys }] });
  const files = memoryFiles({ '/Data/Models/Jack.mdl': mdl(limb()), ...LISTED, '/Data/Wave.ani': ani }, '/Data');
  const scene = await importSource('/Data/Models/Jack.mdl', 'Jack.mdl', {
    files: { ...files, search: { folders: [], remaps: [], animations: ['/Data/Wave.ani'] } },
    diagnostics: new Diagnostics(),
    options: { keepsRigs: true },
  });
  const { times, values } = scene.clips![0].channels[0].translation!;
  // 2^-24 and 2^-23: what float32 can tell below 1 and 2.
  expect([...times]).toEqual([0, 1 - 2 ** -24, 1, 2 - 2 ** -23, 2]);
  expect([...values].filter((_, i) => i % 3 === 0)).toEqual([0, 1, 5, 6, 7]);
});

test('tracks find bones by name; those that find none are named', async () => {
  const { tracks, ...clip } = wave();
  const { writeAnimation } = await import('../../../src/formats/urho3d/animation/write.ts');
  const ani = writeAnimation({ ...clip, tracks: [tracks[1], { ...tracks[0], bone: 'Tail' }] });
  const diagnostics = new Diagnostics();
  const files = memoryFiles({ '/Data/Models/Jack.mdl': mdl(limb()), ...LISTED, '/Data/Wave.ani': ani }, '/Data');
  const context = {
    files: { ...files, search: { folders: [], remaps: [], animations: ['/Data/Wave.ani'] } },
    diagnostics,
  };
  const scene = await importSource('/Data/Models/Jack.mdl', 'Jack.mdl', { ...context, options: { keepsRigs: true } });
  expect(diagnostics.list.map(({ code, message }) => [code, message])).toEqual([['UC2457', '"Tail", of 2 tracks']]);
  const [{ name, duration, channels }] = scene.clips!;
  expect([name, duration, channels.length, channels[0].target]).toEqual([
    'Wave',
    2,
    1,
    { kind: 'joint', skeleton: 0, joint: 0 },
  ]);
  expect([...channels[0].translation!.values]).toEqual([0, 0, Math.fround(-0.1), 0.5, 0.25, 0.5]);
  expect(channels[0].scale).toBeNull();
});

test('clips of one inner name are called as their files are; the name of the model in front is left out', async () => {
  const { writeAnimation } = await import('../../../src/formats/urho3d/animation/write.ts');
  const named = {
    'Walk.ani': 'Take 001',
    'Run.ani': 'Take 001',
    'Jack_Wave.ani': 'Jack|Wave',
    'Nod.ani': '',
    'x.ani': 'Jill|Sit',
    'y.ani': 'Run',
  };
  const paths = Object.keys(named).map((name) => `/Data/${name}`);
  const anis = Object.values(named).map((name, i) => [paths[i], writeAnimation({ ...wave(), name })] as const);
  const files = memoryFiles({ '/Data/Models/Jack.mdl': mdl(limb()), ...LISTED, ...Object.fromEntries(anis) }, '/Data');
  const search = { folders: [], remaps: [], animations: paths };
  const context = { files: { ...files, search }, diagnostics: new Diagnostics(), options: { keepsRigs: true } };
  const { clips = [] } = await importSource('/Data/Models/Jack.mdl', 'Jack.mdl', context);
  expect(clips.map(({ name }) => name)).toEqual(['Walk', 'Run', 'Wave', 'Nod', 'Jill|Sit', 'Run_2']);
});
