// Packs of models through the command line: a file for each root object, placed by the manifest.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import type { UntoldPack } from '../../src/formats/untoldpack/document.ts';
import { render } from '../../src/index.ts';
import { type Triangle, trianglesOf } from '../cook/cooked.ts';
import { untold } from '../support/command.ts';
import { filesBelow, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';
import { rgb } from '../textures/fixture.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Node = Readonly<Record<string, unknown>>;

/** The square twice, as meshes 0 and 1; `roots` are the nodes that have no parent. */
function gltf(nodes: readonly Node[], roots = nodes.map((_, i) => i), more: object = {}, image?: string): string {
  const json = JSON.parse(squareGltf(image === undefined ? {} : { image }));
  return JSON.stringify({
    ...json,
    nodes,
    scenes: [{ nodes: roots }],
    meshes: [json.meshes[0], { ...json.meshes[0], name: 'other' }],
    ...more,
  });
}

const cook = (...args: string[]) => untold(folder, ['cook', ...args, '--no-cache', '--textures', 'keep']);
async function cooked(...args: string[]): Promise<string> {
  const { code, stderr } = await cook(...args);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  return stderr;
}
const packAt = (path: string): UntoldPack => JSON.parse(readFileSync(join(folder, path), 'utf8'));

const read = (path: string) => readUntold(new Uint8Array(readFileSync(path)), path);

/** The triangles of a pack where its transforms put them: columns as the rows of the manifest say. */
async function placedTriangles(path: string): Promise<number[][][]> {
  const triangles: number[][][] = [];
  for (const { path: model, transform } of packAt(path).models) {
    for (const { corners } of trianglesOf(await read(join(folder, dirname(path), model)))) {
      triangles.push(
        corners.map(({ position: [x, y, z] }) =>
          transform.slice(0, 3).map((row) => row[0] * x + row[1] * y + row[2] * z + row[3]),
        ),
      );
    }
  }
  return triangles;
}

const positions = ({ corners }: Triangle) => corners.map(({ position }) => [...position]);

/** The triangles from their first corner on, by coordinates rounded to a hundredth of a millimetre, sorted. */
function multiset(triangles: readonly number[][][]): string[] {
  return triangles
    .map((triangle) => {
      const corners = triangle.map((corner) =>
        corner.map((value) => (Math.round(value * 1e5) / 1e5 + 0).toFixed(5)).join(' '),
      );
      const turns = [0, 1, 2].map((first) => [0, 1, 2].map((k) => corners[(first + k) % 3]).join(', '));
      return turns.sort()[0];
    })
    .sort();
}

const HALF = Math.SQRT1_2;
const IDENTITY = [
  [1, 0, 0, 0],
  [0, 1, 0, 0],
  [0, 0, 1, 0],
  [0, 0, 0, 1],
];

/** A chair with a part, a lamp twice, a mirrored and a sheared root. */
const ROOM: [Node[], number[]] = [
  [
    { name: 'Chair', translation: [1, 2, 3], rotation: [0, HALF, 0, HALF], scale: [2, 3, 4], children: [1, 2] },
    { name: 'Seat', mesh: 0, translation: [0.5, 0.25, 0] },
    { name: 'Back', mesh: 1, rotation: [0, 0, HALF, HALF] },
    { name: 'Lamp', mesh: 0, translation: [7, 0, 0] },
    { name: 'Lamp.001', mesh: 0, translation: [9, 0, -1], rotation: [0, HALF, 0, HALF] },
    { name: 'Mirror', mesh: 0, translation: [-5, 0, 0], scale: [-1, 1, 1] },
    { name: 'Slope', mesh: 1, matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 8, 1] },
  ],
  [0, 3, 4, 5, 6],
];

describe('a pack', () => {
  test('places each root by the rows of its matrix, the translation in the last column', async () => {
    put(folder, 'room.gltf', gltf(...ROOM));
    const stderr = await cooked('room.gltf', '--out', 'out/room.untoldpack', '--verbose');
    const { models, ...rest } = packAt('out/room.untoldpack');
    expect(rest).toEqual({ formatVersion: 1, sourceAsset: 'room.gltf' });
    // A quarter turn about Y takes X to -Z and Z to X; the scale is applied before it.
    expect(models).toEqual([
      {
        displayName: 'Chair',
        path: 'Chair/Chair.untold',
        transform: [
          [0, 0, 4, 1],
          [0, 3, 0, 2],
          [-2, 0, 0, 3],
          [0, 0, 0, 1],
        ],
      },
      {
        displayName: 'Lamp',
        path: 'Lamp/Lamp.untold',
        transform: [[1, 0, 0, 7], ...IDENTITY.slice(1)],
      },
      {
        displayName: 'Lamp.001',
        path: 'Lamp/Lamp.untold',
        transform: [
          [0, 0, 1, 9],
          [0, 1, 0, 0],
          [-1, 0, 0, -1],
          [0, 0, 0, 1],
        ],
      },
      { displayName: 'Mirror', path: 'Mirror/Mirror.untold', transform: IDENTITY },
      { displayName: 'Slope', path: 'Slope/Slope.untold', transform: IDENTITY },
    ]);
    expect(filesBelow(join(folder, 'out'))).toEqual([
      'Chair/Chair.untold',
      'Lamp/Lamp.untold',
      'Mirror/Mirror.untold',
      'Slope/Slope.untold',
      'room.untoldpack',
    ]);
    expect(stderr).toContain('4 models');
    expect(stderr.match(/UC2080/g)).toHaveLength(1);
    expect(stderr).toContain('"Mirror" and 1 more');
  });

  test('shows the triangles of the single file, and again when it is a source', async () => {
    put(folder, 'room.gltf', gltf(...ROOM));
    await cooked('room.gltf', '--out', 'out/room.untoldpack');
    await cooked('room.gltf', '--out', 'one/room.untold');
    await cooked('out/room.untoldpack', '--out', 'two/room.untold');
    await cooked('out/room.untoldpack', '--out', 'again/room.untoldpack');
    const wanted = multiset(trianglesOf(await read(join(folder, 'one/room.untold'))).map(positions));
    expect(wanted).toHaveLength(12);
    expect(multiset(await placedTriangles('out/room.untoldpack'))).toEqual(wanted);
    expect(multiset(trianglesOf(await read(join(folder, 'two/room.untold'))).map(positions))).toEqual(wanted);
    expect(packAt('again/room.untoldpack').models).toEqual(packAt('out/room.untoldpack').models);
    expect(multiset(await placedTriangles('again/room.untoldpack'))).toEqual(wanted);
    // The vertices of a model are those of its root, and the mirror is in them.
    const [lamp] = trianglesOf(await read(join(folder, 'out/Lamp/Lamp.untold')));
    expect(Math.max(...positions(lamp).flat())).toBe(1);
    const mirrored = trianglesOf(await read(join(folder, 'out/Mirror/Mirror.untold'))).flatMap(positions);
    expect(new Set(mirrored.map(([x]) => x))).toEqual(new Set([-5, -6]));
  });

  test('is drawn with its models where they stand, and with textures outside of their folders', async () => {
    put(folder, 'wood.png', RED_PNG);
    put(folder, 'room.gltf', gltf(...ROOM, {}, 'wood.png'));
    await cooked('room.gltf', '--out', 'out/room.untoldpack');
    await cooked('room.gltf', '--out', 'one/room.untold');
    const draw = (file: string) => render(join(folder, file), { size: '64x64' });
    const [pack, single] = [await draw('out/room.untoldpack'), await draw('one/room.untold')];
    expect([pack.exitCode, pack.diagnostics, single.diagnostics]).toEqual([0, [], []]);
    expect(pack.drawn.length).toBeGreaterThan(1);
    const pixels = single.picture?.rgb ?? new Uint8Array(0);
    const differing = pixels.filter((value, i) => Math.abs(value - (pack.picture?.rgb[i] ?? 0)) > 8);
    expect(pixels.length).toBe(64 * 64 * 3);
    // Places are rounded once more: edges may move by less than a pixel.
    expect(differing.length).toBeLessThan(pixels.length / 100);
  });

  test('of a source in centimetres with Z up holds upright models in metres', async () => {
    const mesh = `int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (100, 0, 0), (0, 0, 100)]
        uniform token subdivisionScheme = "none"`;
    put(
      folder,
      'room.usda',
      `#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Z"
)
def Xform "Chair"
{
    double3 xformOp:translate = (100, 200, 300)
    float xformOp:rotateZ = 90
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateZ"]
    def Mesh "Seat"
    {
        ${mesh}
    }
}
def Mesh "Lamp"
{
        ${mesh}
}
`,
    );
    await cooked('room.usda', '--out', 'out/room.untoldpack');
    await cooked('room.usda', '--out', 'one/room.untold');
    // (1, 2, 3) m with Z up is (1, 3, -2) with Y up; the turn about Z is one about Y.
    expect(packAt('out/room.untoldpack').models.map(({ transform }) => transform)).toEqual([
      [
        [0, 0, 1, 1],
        [0, 1, 0, 3],
        [-1, 0, 0, -2],
        [0, 0, 0, 1],
      ],
      IDENTITY,
    ]);
    const [seat] = trianglesOf(await read(join(folder, 'out/Chair/Chair.untold')));
    expect(multiset([positions(seat)])).toEqual(
      multiset([
        [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
      ]),
    );
    const wanted = multiset(trianglesOf(await read(join(folder, 'one/room.untold'))).map(positions));
    expect(multiset(await placedTriangles('out/room.untoldpack'))).toEqual(wanted);
  });

  test('has one file for USD instances and for prims that inherit the same', async () => {
    const placed = (name: string, x: number, more = '') => `def Xform "${name}" (
    ${more}inherits = </Proto>
)
{
    double3 xformOp:translate = (${x}, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
`;
    put(
      folder,
      'room.usda',
      `#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
)
class Xform "Proto"
{
    def Mesh "Seat"
    {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        uniform token subdivisionScheme = "none"
        double3 xformOp:translate = (0.1, 0.2, 0.3)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
}
${placed('A', 1000.1, 'instanceable = true\n    ')}${placed('B', 5.3, 'instanceable = true\n    ')}${placed('C', -9.7)}`,
    );
    await cooked('room.usda', '--out', 'out/room.untoldpack');
    expect(packAt('out/room.untoldpack').models.map(({ path, transform }) => [path, transform[0][3]])).toEqual([
      ['A/A.untold', 1000.1],
      ['A/A.untold', 5.3],
      ['A/A.untold', -9.7],
    ]);
    expect(filesBelow(join(folder, 'out'))).toEqual(['A/A.untold', 'room.untoldpack']);
  });

  test('of several sources as one has a model for each, with its place in them', async () => {
    put(folder, 'a.gltf', gltf([{ name: 'Chair', mesh: 0, translation: [3, 0, 0] }]));
    put(folder, 'b.gltf', gltf([{ name: 'Chair', mesh: 0, translation: [0, 4, 0] }]));
    await cooked('a.gltf', 'b.gltf', '--as-one', 'room', '--out', 'out/room.untoldpack');
    const { sourceAsset, models } = packAt('out/room.untoldpack');
    expect([sourceAsset, models.map(({ path }) => path)]).toEqual(['room', ['a/a.untold', 'b/b.untold']]);
    const [triangle] = await placedTriangles('out/room.untoldpack');
    expect(Math.min(...triangle.map(([x]) => x))).toBe(3);
  });

  test('of one root has one model, and models of nothing are left out', async () => {
    const nodes = [{ name: 'Chair', mesh: 0, translation: [1, 0, 0] }, { name: 'Empty' }];
    put(folder, 'a.gltf', gltf(nodes));
    await cooked('a.gltf', '--out', 'out/a.untoldpack');
    expect(packAt('out/a.untoldpack').models.map(({ displayName }) => displayName)).toEqual(['Chair']);
    // The mesh of a root that is scaled to a point has no triangle.
    put(folder, 'b.gltf', gltf([...nodes, { name: 'Point', mesh: 1, scale: [0, 0, 0] }]));
    await cooked('b.gltf', '--out', 'out/b/b.untoldpack');
    expect(filesBelow(join(folder, 'out/b'))).toEqual(['Chair/Chair.untold', 'b.untoldpack']);
    expect(packAt('out/b/b.untoldpack').models).toHaveLength(1);
  });

  test('gives models names that every disk can hold, each once', async () => {
    const names = ['Chair', 'chair', '../up', 'aux', 'Textures', 'animations', 'Stühle', ''];
    const nodes = names.map((name, i) => ({ name, mesh: i % 2, scale: [1, 1, 1], children: [names.length + i] }));
    // Each differs from the others in what is below it.
    const below = names.map((_, i) => ({ mesh: 0, translation: [0, i + 1, 0] }));
    put(
      folder,
      'a.gltf',
      gltf(
        [...nodes, ...below],
        names.map((_, i) => i),
      ),
    );
    await cooked('a.gltf', '--out', 'out/a.untoldpack');
    const { models } = packAt('out/a.untoldpack');
    expect(models.map(({ displayName }) => displayName).slice(0, 7)).toEqual(names.slice(0, 7));
    expect(models.map(({ path }) => path)).toEqual(
      ['Chair', 'chair_1', '___up', 'aux_', 'Textures_1', 'animations_1', 'St_hle', 'other'].map(
        (stem) => `${stem}/${stem}.untold`,
      ),
    );
    expect(filesBelow(join(folder, 'out'))).toHaveLength(9);
  });

  test('has the same bytes with one thread and with two, and in another folder', async () => {
    put(folder, 'room.gltf', gltf(...ROOM, {}, 'wood.png'));
    put(folder, 'wood.png', RED_PNG);
    await cooked('room.gltf', '--out', 'a/room.untoldpack', '--jobs', '1');
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    await cooked('./room.gltf', '--out', 'deep/er/room.untoldpack', '--jobs', '2');
    expect(filesBelow(join(folder, 'deep/er'))).toEqual(filesBelow(join(folder, 'a')));
    const bytes = (place: string) =>
      filesBelow(join(folder, place)).map((name) => readFileSync(join(folder, place, name), 'hex'));
    expect(bytes('deep/er')).toEqual(bytes('a'));
  });

  test('leaves lights, cameras, skins and clips out, each of which is said once', async () => {
    const animated = {
      extensionsUsed: ['KHR_lights_punctual'],
      extensions: { KHR_lights_punctual: { lights: [{ type: 'point' }] } },
      cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1, zfar: 10 } }],
    };
    const nodes = [
      { name: 'Chair', mesh: 0 },
      { name: 'Bulb', extensions: { KHR_lights_punctual: { light: 0 } } },
      { name: 'Bulb2', extensions: { KHR_lights_punctual: { light: 0 } } },
      { name: 'Eye', camera: 0 },
    ];
    put(folder, 'a.gltf', gltf(nodes, undefined, animated));
    const stderr = await cooked('a.gltf', '--out', 'out/a.untoldpack', '--animations', 'none');
    expect(stderr.match(/UC2079.*/g)).toEqual(['UC2079 a.gltf: 2 lights and 1 camera left out']);
    expect((await cook('a.gltf', '--out', 'out/a.untoldpack', '--animations', 'none', '--verbose')).stderr).toContain(
      'no effect on packs',
    );
  });

  test('cooks skinned meshes at rest and writes no clip, which is said once each', async () => {
    const glb = fileURLToPath(new URL('../../samples/glb/sprout.glb', import.meta.url));
    const stderr = await cooked(glb, '--out', 'out/a.untoldpack');
    expect([stderr.match(/UC1340/g), stderr.match(/UC1341/g)]).toEqual([['UC1340'], ['UC1341']]);
    expect(filesBelow(join(folder, 'out')).filter((name) => name.endsWith('.untoldanim'))).toEqual([]);
    for (const { path } of packAt('out/a.untoldpack').models) {
      expect((await read(join(folder, 'out', path))).skeletons ?? []).toEqual([]);
    }
    expect((await untold(folder, ['validate', 'out/a.untoldpack', '--strict'])).code).toBe(0);
  });
});

describe('on the disk', () => {
  beforeEach(() => {
    put(folder, 'wood.png', RED_PNG);
    put(folder, 'steel.png', rgb([[0, 0, 255]]));
  });
  const two = (names: readonly string[], image: string) =>
    gltf(
      names.map((name, i) => ({ name, mesh: i, translation: [i, 0, 0] })),
      undefined,
      {},
      image,
    );

  test('textures lie beside the manifest, and models name them from their folders', async () => {
    put(folder, 'a.gltf', two(['Chair', 'Lamp'], 'wood.png'));
    await cooked('a.gltf', '--out', 'out/a.untoldpack');
    const [image, ...others] = filesBelow(join(folder, 'out/Textures'));
    expect([image, others]).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.png$/), []]);
    const { textures } = await read(join(folder, 'out/Lamp/Lamp.untold'));
    expect(textures.map(({ uri }) => uri)).toEqual([`../Textures/${image}`]);
    expect((await untold(folder, ['validate', 'out/a.untoldpack', '--strict'])).code).toBe(0);
    expect((await untold(folder, ['validate', 'out', '--strict'])).stderr).toContain('3 files');
    await cooked('a.gltf', '--out', 'far/a.untoldpack', '--textures-dir', 'far/images/all');
    const { textures: far } = await read(join(folder, 'far/Lamp/Lamp.untold'));
    expect(far.map(({ uri }) => uri)).toEqual([`../images/all/${image}`]);
    expect((await untold(folder, ['validate', 'far/a.untoldpack', '--strict'])).code).toBe(0);
  });

  test('a rerun removes what the pack no longer has, and nothing of another pack, file or person', async () => {
    put(folder, 'a.gltf', two(['Chair', 'Lamp'], 'wood.png'));
    put(folder, 'b.gltf', two(['Table'], 'wood.png'));
    await cooked('a.gltf', '--out', 'out/a.untoldpack');
    await cooked('b.gltf', '--out', 'out/b.untoldpack');
    await cooked('b.gltf', '--out', 'out/c.untold');
    const [wood] = filesBelow(join(folder, 'out/Textures')).filter((name) => /^[0-9a-f]{16}\./.test(name));
    put(folder, 'out/Lamp/notes.txt', 'mine');
    const others = ['out/b.untoldpack', 'out/Table/Table.untold', 'out/c.untold', `out/Textures/${wood}`].map(
      (name) => [name, readFileSync(join(folder, name), 'hex')],
    );
    put(folder, 'a.gltf', two(['Chair'], 'steel.png'));
    await cooked('a.gltf', '--out', 'out/a.untoldpack');
    expect(filesBelow(join(folder, 'out')).filter((name) => !name.startsWith('Textures'))).toEqual([
      'Chair/Chair.untold',
      'Lamp/notes.txt',
      'Table/Table.untold',
      'a.untoldpack',
      'b.untoldpack',
      'c.untold',
    ]);
    expect(others.map(([name]) => [name, readFileSync(join(folder, name), 'hex')])).toEqual(others);
    expect(filesBelow(join(folder, 'out/Textures')).filter((name) => /^[0-9a-f]{16}\./.test(name))).toHaveLength(2);
    // The last pack that names the wood goes: the texture goes with it.
    put(folder, 'b.gltf', two(['Table'], 'steel.png'));
    await cooked('b.gltf', '--out', 'out/b.untoldpack');
    expect(existsSync(join(folder, `out/Textures/${wood}`))).toBe(false);
    expect((await untold(folder, ['validate', 'out'])).code).toBe(0);
  });

  test('models of another pack and files of somebody else are not replaced', async () => {
    put(folder, 'a.gltf', two(['Chair'], 'wood.png'));
    put(folder, 'b.gltf', two(['chair'], 'steel.png'));
    await cooked('a.gltf', '--out', 'out/a.untoldpack');
    const before = filesBelow(join(folder, 'out'));
    const { code, stderr } = await cook('b.gltf', '--out', 'out/b.untoldpack', '--force');
    expect([code, stderr]).toEqual([3, expect.stringContaining('UC2081')]);
    expect(stderr).toContain('a.untoldpack');
    expect(filesBelow(join(folder, 'out'))).toEqual(before);
    put(folder, 'mine/chair/chair.untold', 'mine');
    expect((await cook('b.gltf', '--out', 'mine/b.untoldpack')).stderr).toContain('UC4001');
    expect(filesBelow(join(folder, 'mine'))).toEqual(['chair/chair.untold']);
    await cooked('b.gltf', '--out', 'mine/b.untoldpack', '--force');
    // A file that no cook wrote has the name of a pack.
    put(folder, 'other/b.untoldpack', '{"recipe": true}');
    expect((await cook('b.gltf', '--out', 'other/b.untoldpack')).stderr).toContain('UC4001');
  });

  test('what a pack lists outside its folder, or another one lists too, is not its own', async () => {
    put(folder, 'a.gltf', two(['Chair'], 'wood.png'));
    put(folder, 'b.gltf', two(['Lamp'], 'wood.png'));
    await cooked('a.gltf', '--out', 'out/a.untoldpack');
    await cooked('b.gltf', '--out', 'out/b.untoldpack');
    const pack = packAt('out/a.untoldpack');
    const lamp = { ...pack.models[0], path: 'Lamp/Lamp.untold' };
    writeFileSync(join(folder, 'out/a.untoldpack'), JSON.stringify({ ...pack, models: [...pack.models, lamp] }));
    const kept = readFileSync(join(folder, 'out/Lamp/Lamp.untold'), 'hex');
    await cooked('a.gltf', '--out', 'out/a.untoldpack');
    expect(readFileSync(join(folder, 'out/Lamp/Lamp.untold'), 'hex')).toBe(kept);
    await cooked('b.gltf', '--out', 'far/far.untold');
    const outside = { ...pack.models[0], path: '../far/far.untold' };
    writeFileSync(join(folder, 'out/a.untoldpack'), JSON.stringify({ ...pack, models: [outside] }));
    const far = readFileSync(join(folder, 'far/far.untold'), 'hex');
    await cooked('a.gltf', '--out', 'out/a.untoldpack', '--force');
    expect(readFileSync(join(folder, 'far/far.untold'), 'hex')).toBe(far);
    expect(packAt('out/a.untoldpack').models).toEqual(pack.models);
  });

  test('packs of one call share a folder under names of their own, and clean removes one whose source is gone', async () => {
    put(folder, 'kit/a.gltf', two(['Chair', 'Lamp'], '../wood.png'));
    put(folder, 'kit/b.gltf', two(['Chair'], '../steel.png'));
    await cooked('kit', '--out-each', 'out/{name}.untoldpack');
    expect(filesBelow(join(folder, 'out')).filter((name) => !name.startsWith('Textures'))).toEqual([
      'a.untoldpack',
      'a_Chair/a_Chair.untold',
      'a_Lamp/a_Lamp.untold',
      'b.untoldpack',
      'b_Chair/b_Chair.untold',
    ]);
    expect(filesBelow(join(folder, 'out/Textures'))).toHaveLength(2);
    rmSync(join(folder, 'kit/b.gltf'));
    const clean = async (...args: string[]) => {
      const { code, stdout } = await untold(folder, ['clean', 'out', '--sources', 'kit', '--json', ...args]);
      const { removed } = JSON.parse(stdout) as { removed: { path: string; files: number }[] };
      return [code, removed.map(({ path, files }) => [path.replace(/[0-9a-f]{16}/, '*'), files])];
    };
    // Models are parts of packs, whatever pattern files of their names have.
    expect(await clean('--out-each', 'out/{dir}/{name}.untold')).toEqual([0, []]);
    const wanted = [
      0,
      [
        ['out/b.untoldpack', 2],
        ['out/Textures/*.png', 1],
      ],
    ];
    expect(await clean('--out-each', 'out/{name}.untoldpack', '--dry-run')).toEqual(wanted);
    expect(await clean('--out-each', 'out/{name}.untoldpack')).toEqual(wanted);
    expect(filesBelow(join(folder, 'out')).filter((name) => !name.startsWith('Textures'))).toEqual([
      'a.untoldpack',
      'a_Chair/a_Chair.untold',
      'a_Lamp/a_Lamp.untold',
    ]);
    expect(existsSync(join(folder, 'out/b_Chair'))).toBe(false);
    expect((await untold(folder, ['validate', 'out'])).code).toBe(0);
  });
});

describe('commands', () => {
  beforeEach(() => {
    put(folder, 'room.gltf', gltf(...ROOM, {}, 'wood.png'));
    put(folder, 'wood.png', RED_PNG);
  });
  const codesOf = (stderr: string) => [...new Set(stderr.match(/UC\d{4}/g) ?? [])];

  test('verify tells a pack that is fresh from one that is not', async () => {
    await cooked('room.gltf', '--out', 'out/room.untoldpack');
    const verify = async () => {
      const args = ['verify', 'out/room.untoldpack', '--against', 'room.gltf', '--no-cache', '--textures', 'keep'];
      const { code, stderr } = await untold(folder, args);
      return { code, codes: codesOf(stderr), stderr };
    };
    expect(await verify()).toMatchObject({ code: 0, codes: [] });
    put(folder, 'room.gltf', gltf(ROOM[0], ROOM[1].slice(0, 4), {}, 'wood.png'));
    const stale = await verify();
    expect([stale.code, stale.codes]).toEqual([1, ['UC3244']]);
    expect(stale.stderr).toContain('out/Slope/Slope.untold');
    rmSync(join(folder, 'out/Chair/Chair.untold'));
    expect((await verify()).codes).toContain('UC3195');
    const held = join(folder, 'out/.cooking/room.untoldpack.cooking-0000');
    mkdirSync(held, { recursive: true });
    expect((await verify()).codes).toContain('UC3242');
  });

  test('inspect, diff, the plan and the document of a cook tell of models', async () => {
    const json = JSON.parse((await cook('room.gltf', '--out', 'out/room.untoldpack', '--json')).stdout);
    const [result] = json.results;
    expect(result.outputs.map(({ path }: { path: string }) => basename(path)).sort()).toEqual(
      filesBelow(join(folder, 'out'))
        .map((path) => basename(path))
        .sort(),
    );
    expect(result.totals).toMatchObject({ models: 4, trianglesIn: 10, trianglesOut: 10 });
    const shown = (await untold(folder, ['inspect', 'out/room.untoldpack'])).stdout;
    expect(shown).toContain('pack version 1, of room.gltf');
    expect(shown).toMatch(/Lamp\.001 +Lamp\/Lamp\.untold +9 0 -1/);
    const document = JSON.parse((await untold(folder, ['inspect', 'out/room.untoldpack', '--json'])).stdout);
    expect(document).toMatchObject({ kind: 'untoldpack', pack: packAt('out/room.untoldpack'), warnings: [] });
    expect(document.files).toHaveLength(4);
    const { stdout } = await untold(folder, ['inspect', 'out', '--json']);
    expect(
      JSON.parse(stdout)
        .files.map(({ kind }: { kind: string }) => kind)
        .sort(),
    ).toContain('untoldpack');

    const plan = await cook('room.gltf', '--out', 'none/room.untoldpack', '--dry-run', '--json');
    const [{ plan: planned }] = JSON.parse(plan.stdout).results;
    expect(planned.mode).toBe('pack');
    expect(planned.tiles.map(({ path }: { path: string }) => path)).toEqual(
      ['Chair', 'Lamp', 'Mirror', 'Slope'].map((stem) => `${stem}/${stem}.untold`),
    );
    expect(planned.bounds.max[0]).toBe(9);
    expect(existsSync(join(folder, 'none'))).toBe(false);

    put(
      folder,
      'room2.gltf',
      gltf(
        ROOM[0].map((node, i) => (i === 3 ? { ...node, translation: [7, 1, 0] } : node)),
        ROOM[1],
        {},
        'wood.png',
      ),
    );
    await cooked('room2.gltf', '--out', 'out2/room.untoldpack');
    const diff = await untold(folder, ['diff', 'out/room.untoldpack', 'out2/room.untoldpack', '--json']);
    const found = JSON.parse(diff.stdout);
    expect([diff.code, found.tiles.map(({ id }: { id: string }) => id), found.tiles[0].levels]).toEqual([
      1,
      ['Lamp'],
      [],
    ]);
  });

  test('a cook of which nothing has changed is not done again, and a depfile names all', async () => {
    const args = ['cook', 'room.gltf', '--out', 'out/room.untoldpack', '--cache-dir', 'cache', '--textures', 'keep'];
    expect((await untold(folder, [...args, '--depfile', 'out/room.d'])).code).toBe(0);
    const depfile = readFileSync(join(folder, 'out/room.d'), 'utf8');
    expect(depfile).toMatch(/^out\/room\.untoldpack.*:.*room\.gltf/s);
    expect(depfile).toContain('wood.png');
    expect((await untold(folder, args)).stderr).toContain('up to date: 4 models');
    rmSync(join(folder, 'out/Lamp/Lamp.untold'));
    expect((await untold(folder, args)).stderr).not.toContain('up to date');
    expect(existsSync(join(folder, 'out/Lamp/Lamp.untold'))).toBe(true);
  });

  test('options that a pack has no place for are refused or said', async () => {
    const out = ['--out', 'out/room.untoldpack'];
    put(folder, 'look.cube', 'LUT_3D_SIZE 2\n');
    expect(codesOf((await cook('room.gltf', ...out, '--color-grade', 'look.cube')).stderr)).toEqual(['UC1012']);
    const glb = await cook('room.gltf', ...out, '--target', 'glb');
    expect([codesOf(glb.stderr), glb.stderr]).toEqual([['UC1012'], expect.stringContaining('.untoldpack')]);
    expect(codesOf((await cook('room.gltf', ...out, '--only', 'tile_0_0_0')).stderr)).toEqual(['UC1003']);
    expect(codesOf((await cook('room.gltf', ...out, '--shard', '0/2')).stderr)).toEqual(['UC1012']);
    expect(codesOf((await cook('room.gltf', ...out, '--max-tiles', '3')).stderr)).toContain('UC2202');
    await cooked('room.gltf', '--out', 'one/room.untoldpack');
    // Five roots, six entities with meshes, and one above each of the two that stand apart in a file of their own.
    await cooked('one/room.untoldpack', '--out', 'two/room.untold', '--max-prims', '13');
    const many = await cook('one/room.untoldpack', '--out', 'two/room.untold', '--max-prims', '12');
    expect([many.code, codesOf(many.stderr)]).toEqual([5, ['UC1209']]);
    expect((await cook('room.gltf', ...out, '--hlod', '0.1')).stderr).toContain('UC2061');
    expect((await cook('room.gltf', ...out, '--lod', '0.5')).stderr).not.toContain('UC2061');
    expect(existsSync(join(folder, 'out/room.untoldpack'))).toBe(true);
  });

  test('a broken pack ends with the codes of its faults, as a file and as a source', async () => {
    await cooked('room.gltf', '--out', 'out/room.untoldpack');
    const pack = packAt('out/room.untoldpack');
    const [first, ...rest] = pack.models;
    const clip = { ...first, path: 'Clip/Clip.untold' };
    const cases: [unknown, string][] = [
      ['[', 'UC3190'],
      [{ ...pack, models: 3 }, 'UC3191'],
      [{ ...pack, formatVersion: 2 }, 'UC3192'],
      [{ ...pack, models: [{ ...first, transform: first.transform.slice(1) }, ...rest] }, 'UC3193'],
      [{ ...pack, models: [{ ...first, path: 'Chair/../Chair/Chair.untold' }] }, 'UC3194'],
      [{ ...pack, models: [{ ...first, path: 'Gone/Gone.untold' }] }, 'UC3195'],
    ];
    for (const [value, code] of cases) {
      writeFileSync(join(folder, 'out/room.untoldpack'), typeof value === 'string' ? value : JSON.stringify(value));
      const validated = await untold(folder, ['validate', 'out/room.untoldpack']);
      expect([validated.code, codesOf(validated.stderr)]).toEqual([1, [code]]);
      const source = await cook('out/room.untoldpack', '--out', 'again');
      expect([source.code, codesOf(source.stderr)]).toEqual([1, [code]]);
    }
    // Paths that climb are read, in validate and as a source.
    const climbing = { ...pack, models: [{ ...first, path: '../out/Chair/Chair.untold' }] };
    writeFileSync(join(folder, 'out/room.untoldpack'), JSON.stringify(climbing));
    const climbed = await untold(folder, ['validate', 'out/room.untoldpack', '--verbose']);
    expect([climbed.code, climbed.stderr]).toEqual([0, expect.stringContaining('UC3198')]);
    await cooked('out/room.untoldpack', '--out', 'again/chair.untoldpack');
    expect(packAt('again/chair.untoldpack').models.map(({ path }) => path)).toEqual(['Chair/Chair.untold']);
    writeFileSync(join(folder, 'out/room.untoldpack'), JSON.stringify({ formatVersion: 1, models: [] }));
    const empty = await untold(folder, ['validate', 'out/room.untoldpack']);
    expect([empty.code, codesOf(empty.stderr)]).toEqual([0, ['UC3196', 'UC3197']]);
    // The model itself is checked, too.
    put(folder, 'out/Clip/Clip.untold', 'no model');
    writeFileSync(join(folder, 'out/room.untoldpack'), JSON.stringify({ ...pack, models: [clip] }));
    expect(codesOf((await untold(folder, ['validate', 'out/room.untoldpack'])).stderr)).toEqual(['UC3000']);
  });
});
