// `untold inspect --stage`: the composed stage of a small scene of several layers, worked out by hand.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

const ROOM = `#usda 1.0
(
  subLayers = [@light.usda@]
  metersPerUnit = 1
  upAxis = "Y"
)
def Xform "Room" (
  variants = { string mood = "dark" }
  prepend variantSets = "mood"
) {
  custom int64 big = 9007199254740993
  custom bool[] flags = [1, 0]
  custom double[] odd = [nan, inf, -inf, 0.5]
  token outputs:out
  custom asset picture = @wood.png@
  double size.timeSamples = { 1: 10, 3: 30 }
  custom int64 small = -3
  custom quatf spin = (1, 0, 0.5, 0.25)
  custom matrix2d turn = ((0, 1), (-1, 0))
  rel lamp = </Room/Lamp>
  variantSet "mood" = {
    "dark" {
      custom string say = "night"
    }
    "bright" {
      custom string say = "day"
    }
  }
  def "Left" ( instanceable = true; prepend references = @chair.usda@ ) {
    double3 xformOp:translate = (1, 2, 3)
    uniform token[] xformOpOrder = ["xformOp:translate"]
  }
  def "Right" ( instanceable = true; prepend references = @chair.usda@ ) {
  }
  def Xform "Gone" ( active = false ) {
    def Mesh "Below" {
    }
  }
  class "Kind" {
    def Mesh "Hidden" {
    }
  }
  over "Lamp" {}
  over "Maybe" {}
}
`;

const LIGHT = `#usda 1.0
over "Room" {
  def SphereLight "Lamp" {
    float inputs:intensity = 5
    float inputs:radius.connect = </Room.size>
  }
}
`;

const CHAIR = `#usda 1.0
( defaultPrim = "Chair" )
class "_seat" {
  uniform token purpose = "render"
}
def Xform "Chair" (
  prepend payload = @legs.usda@</Legs>
) {
  def Mesh "Seat" ( inherits = </_seat> ) {
    int[] faceVertexCounts = [3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 0.5, 0)]
    rel material:binding = </Chair/Wood>
  }
}
`;

const LEGS = `#usda 1.0
def "Legs" {
  custom int[] ids = [${Array.from({ length: 65 }, (_, i) => i + 1).join(', ')}]
  custom float2[] few = [${Array.from({ length: 64 }, () => '(0, 1)').join(', ')}]
}
`;

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'art/room.usda', ROOM);
  put(folder, 'art/light.usda', LIGHT);
  put(folder, 'art/chair.usda', CHAIR);
  put(folder, 'art/legs.usda', LEGS);
  put(folder, 'plain.gltf', squareGltf());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function stage(...args: string[]) {
  const { code, stdout, stderr } = await untold(folder, ['inspect', '--stage', '--json', ...args]);
  return { code, stderr, document: stdout === '' ? null : JSON.parse(stdout) };
}

const reference = (path: string, ancestral: boolean) => ({
  type: 'reference',
  layer: 'art/chair.usda',
  path,
  ancestral,
});
const payload = (path: string, ancestral: boolean) => ({ type: 'payload', layer: 'art/legs.usda', path, ancestral });

const IDS = { type: 'int[]', value: { length: 65, first: 1, last: 65 } };
const FEW = { type: 'float2[]', value: Array.from({ length: 64 }, () => [0, 1]) };

const seat = (parent: string) => ({
  path: `${parent}/Seat`,
  type: 'Mesh',
  specifier: 'def',
  instance: false,
  attributes: {
    faceVertexCounts: { type: 'int[]', value: [3] },
    points: {
      type: 'point3f[]',
      value: [
        [0, 0, 0],
        [1, 0, 0],
        [0, 0.5, 0],
      ],
    },
    purpose: { type: 'token', value: 'render' },
  },
  relationships: { 'material:binding': [`${parent}/Wood`] },
  arcs: [
    reference('/Chair/Seat', true),
    { type: 'inherit', layer: 'art/chair.usda', path: '/_seat', ancestral: false },
  ],
});

describe('the composed stage', () => {
  test('as a document', async () => {
    const { code, document } = await stage('art/room.usda');
    expect(code).toBe(0);
    expect(document).toEqual({
      schemaVersion: 1,
      source: 'art/room.usda',
      kind: 'usda',
      prims: [
        {
          path: '/Room',
          type: 'Xform',
          specifier: 'def',
          instance: false,
          attributes: {
            // No double holds this number.
            big: { type: 'int64', value: '9007199254740993' },
            flags: { type: 'bool[]', value: [true, false] },
            odd: { type: 'double[]', value: ['NaN', 'Infinity', '-Infinity', 0.5] },
            'outputs:out': { type: 'token', value: null },
            picture: { type: 'asset', value: 'wood.png' },
            say: { type: 'string', value: 'night' },
            size: { type: 'double', value: 10 },
            small: { type: 'int64', value: -3 },
            // The real part first, as in text.
            spin: { type: 'quatf', value: [1, 0, 0.5, 0.25] },
            turn: {
              type: 'matrix2d',
              value: [
                [0, 1],
                [-1, 0],
              ],
            },
          },
          relationships: { lamp: ['/Room/Lamp'] },
          arcs: [{ type: 'variant', layer: 'art/room.usda', path: '/Room{mood=dark}', ancestral: false }],
        },
        {
          path: '/Room/Lamp',
          type: 'SphereLight',
          specifier: 'def',
          instance: false,
          attributes: {
            'inputs:intensity': { type: 'float', value: 5 },
            'inputs:radius': { type: 'float', value: null, connections: ['/Room.size'] },
          },
          relationships: {},
          arcs: [],
        },
        {
          path: '/Room/Left',
          type: 'Xform',
          specifier: 'def',
          instance: true,
          attributes: {
            few: FEW,
            ids: IDS,
            'xformOp:translate': { type: 'double3', value: [1, 2, 3] },
            xformOpOrder: { type: 'token[]', value: ['xformOp:translate'] },
          },
          relationships: {},
          arcs: [reference('/Chair', false), payload('/Legs', false)],
        },
        seat('/Room/Left'),
        {
          path: '/Room/Right',
          type: 'Xform',
          specifier: 'def',
          instance: true,
          attributes: { few: FEW, ids: IDS },
          relationships: {},
          arcs: [reference('/Chair', false), payload('/Legs', false)],
        },
        // Of the same prototype, with paths of its own.
        seat('/Room/Right'),
        {
          path: '/Room/Maybe',
          type: '',
          specifier: 'over',
          instance: false,
          attributes: {},
          relationships: {},
          arcs: [],
        },
      ],
      warnings: [],
    });
  });

  test('at a time, with other variants, and in part', async () => {
    const { document } = await stage(
      'art/room.usda',
      '--time',
      '2',
      '--variant',
      '/Room:mood=bright',
      '--exclude',
      '/Room/Left',
    );
    const [room] = document.prims;
    expect([room.attributes.size.value, room.attributes.say.value]).toEqual([20, 'day']);
    const paths = document.prims.map((prim: { path: string }) => prim.path);
    expect(paths).toEqual(['/Room', '/Room/Lamp', '/Room/Right', '/Room/Right/Seat', '/Room/Maybe']);
    const part = (await stage('art/room.usda', '--select', '/Room/Right/Seat')).document;
    expect(part.prims.map((prim: { path: string }) => prim.path)).toEqual(['/Room/Right/Seat']);
    expect(await stage('art/room.usda', '--select', '/Room/Gone')).toMatchObject({
      code: 2,
      document: { prims: [], warnings: [{ code: 'UC1726' }] },
    });
  });

  test('in words', async () => {
    const { code, stdout } = await untold(folder, ['inspect', '--stage', 'art/room.usda']);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 24)).toEqual([
      'art/room.usda: usda, 7 prims',
      '/Room Xform',
      '    <- variant art/room.usda</Room{mood=dark}>',
      '    int64 big = "9007199254740993"',
      '    bool[] flags = [true, false]',
      '    double[] odd = ["NaN", "Infinity", "-Infinity", 0.5]',
      '    token outputs:out = no value',
      '    asset picture = "wood.png"',
      '    string say = "night"',
      '    double size = 10',
      '    int64 small = -3',
      '    quatf spin = [1, 0, 0.5, 0.25]',
      '    matrix2d turn = [[0, 1], [-1, 0]]',
      '    rel lamp = </Room/Lamp>',
      '  Lamp SphereLight',
      '      float inputs:intensity = 5',
      '      float inputs:radius = no value, from </Room.size>',
      '  Left Xform (instance)',
      '      <- reference art/chair.usda</Chair>',
      '      <- payload art/legs.usda</Legs>',
      '      float2[] few = [[0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 1]…',
      '      int[] ids = 65 elements, 1 to 65',
      '      double3 xformOp:translate = [1, 2, 3]',
      '      token[] xformOpOrder = ["xformOp:translate"]',
    ]);
  });

  test('in words, of which an array of the shortest elements is cut like others', async () => {
    const zeros = Array(64).fill(0).join(', ');
    const empty = Array(64).fill('""').join(', ');
    const body = ` int[] all = [${zeros}]\n int[] some = [${zeros.slice(0, 70)}]\n string[] none = [${empty}]\n`;
    put(folder, 'arrays.usda', `#usda 1.0\ndef "A" {\n${body} float[] few = [0.1, 0.1, -0.0, 16777216, 1e30]\n}\n`);
    const { stdout } = await untold(folder, ['inspect', '--stage', 'arrays.usda']);
    expect(stdout.split('\n').slice(2, 6)).toEqual([
      `    int[] all = [${zeros.slice(0, 70)}…`,
      '    float[] few = [0.1, 0.1, 0, 16777220, 1e+30]',
      `    string[] none = [${empty.slice(0, 70)}…`,
      `    int[] some = [${zeros.slice(0, 70)}]`,
    ]);
  });

  test('with errors: what composed is shown, and the exit code is theirs', async () => {
    put(folder, 'broken.usda', '#usda 1.0\ndef "A" ( references = @nowhere.usda@ ) {\n  int n = 1\n}\ndef "B" {}\n');
    const { code, document } = await stage('broken.usda');
    expect(code).toBe(1);
    expect(document.prims.map((prim: { path: string }) => prim.path)).toEqual(['/A', '/B']);
    expect(document.prims[0].attributes).toEqual({ n: { type: 'int', value: 1 } });
    expect(document.warnings).toMatchObject([{ code: 'UC1711', severity: 'error', file: 'broken.usda', path: '/A' }]);
  });

  test('of names that JavaScript knows too', async () => {
    put(
      folder,
      'names.usda',
      '#usda 1.0\ndef "__proto__" {\n int __proto__ = 1\n int constructor = 2\n rel toString = </A>\n}\n',
    );
    const { stdout } = await untold(folder, ['inspect', '--stage', '--json', 'names.usda']);
    for (const text of ['"path": "/__proto__"', '"__proto__": {', '"constructor": {', '"toString": [']) {
      expect(stdout).toContain(text);
    }
  });
});

describe('what has no stage', () => {
  test.each(['plain.gltf', 'tiles/plain.json', 'one.untold'])('%s: exit 2', async (file) => {
    if (file !== 'plain.gltf') {
      const out = file === 'one.untold' ? file : 'tiles';
      expect((await untold(folder, ['cook', 'plain.gltf', '--out', out, '--force'])).code).toBe(0);
    }
    const { code, stderr, document } = await stage(file);
    expect([code, document]).toMatchObject([2, { diagnostics: [{ code: 'UC1016' }] }]);
    expect(stderr).toMatch(/UC1016.*--stage needs a USD source or a Galileo mesh/);
  });

  test.each([['--purpose', 'proxy'], ['--all-meshes'], ['--meters-per-unit', '1'], ['--up-axis', 'Z']])(
    '%s does not change a stage: exit 2',
    async (...args) => {
      const { code, stderr } = await stage('art/room.usda', ...(args as string[]));
      expect([code, stderr]).toEqual([2, expect.stringMatching(/UC1012.*--stage/)]);
    },
  );
});
