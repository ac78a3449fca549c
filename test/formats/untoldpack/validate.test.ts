// Packs that are broken: each fault has its code and names the element.

import { describe, expect, test } from 'vitest';
import { readPack, validatePack } from '../../../src/formats/untoldpack/validate.ts';
import { matrixRows, packText } from '../../../src/formats/untoldpack/write.ts';

const AT = [
  [1, 0, 0, 4],
  [0, 1, 0, 5],
  [0, 0, 1, 6],
  [0, 0, 0, 1],
];
const model = (more: object = {}) => ({ displayName: 'Body', path: 'Body/Body.untold', transform: AT, ...more });
const pack = (more: object = {}) => ({ formatVersion: 1, sourceAsset: 'Robot.blend', models: [model()], ...more });

function check(value: unknown, there: (path: string) => boolean = () => true) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const report = validatePack(text, 'robot.untoldpack', { size: (path) => (there(path) ? 1 : null) });
  return { ...report, found: report.diagnostics.map(({ code, path }) => `${code} ${path}`) };
}

test('the layout that the engine’s tests have is sound, and is what is written', () => {
  const { pack: read, models, found } = check(pack());
  expect([read, models, found]).toEqual([pack(), ['Body/Body.untold'], []]);
  const transform = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1);
  const text = packText('Robot.blend', [{ displayName: 'Body', path: 'Body/Body.untold', transform }], {});
  expect(JSON.parse(text)).toEqual(pack());
  expect(text).toBe(`{
  "formatVersion": 1,
  "sourceAsset": "Robot.blend",
  "models": [
    {
      "displayName": "Body",
      "path": "Body/Body.untold",
      "transform": [
        [1, 0, 0, 4],
        [0, 1, 0, 5],
        [0, 0, 1, 6],
        [0, 0, 0, 1]
      ]
    }
  ]
}
`);
});

test('numbers are the shortest that are the same float32', () => {
  const values = [0.1, -0, 1 / 3, 1e-20, 16777217, 0.30000001192092896];
  const rows = matrixRows(Float64Array.from({ length: 16 }, (_, i) => values[i] ?? 0));
  const written = Array.from({ length: 6 }, (_, i) => rows[i % 4][Math.floor(i / 4)]);
  expect(written).toEqual([0.1, 0, 0.33333334, 1e-20, 16777216, 0.3]);
});

test('names that look like rows of numbers stay as they are', () => {
  const displayName = '[ 1,  2 ] "\n  3"';
  const transform = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const text = packText('a', [{ displayName, path: 'a/a.untold', transform }], {});
  expect(readPack(text)?.models[0].displayName).toBe(displayName);
});

describe('is refused', () => {
  const row = (r: number, values: unknown) => AT.map((own, i) => (i === r ? values : own));
  test.each<[string, unknown, string]>([
    ['no JSON', '{"models"', 'UC3190 '],
    ['a list', [], 'UC3190 '],
    ['without a version', pack({ formatVersion: undefined }), 'UC3191 formatVersion'],
    ['with a version that is text', pack({ formatVersion: '1' }), 'UC3191 formatVersion'],
    ['of another version', pack({ formatVersion: 2 }), 'UC3192 formatVersion'],
    ['with a source that is a number', pack({ sourceAsset: 3 }), 'UC3191 sourceAsset'],
    ['without models', pack({ models: undefined }), 'UC3191 models'],
    ['with a model that is text', pack({ models: ['Body'] }), 'UC3191 models/0'],
    ['with a name that is a number', pack({ models: [model({ displayName: 3 })] }), 'UC3191 models/0/displayName'],
    ['with a model without a path', pack({ models: [model({ path: 7 })] }), 'UC3191 models/0/path'],
    ['with no transform', pack({ models: [model({ transform: undefined })] }), 'UC3193 models/0/transform'],
    ['with three rows', pack({ models: [model({ transform: AT.slice(1) })] }), 'UC3193 models/0/transform'],
    ['with a short row', pack({ models: [model({ transform: row(1, [0, 1, 0]) })] }), 'UC3193 models/0/transform'],
    ['with a text', pack({ models: [model({ transform: row(1, [0, 1, 0, '5']) })] }), 'UC3193 models/0/transform'],
    ['with null', pack({ models: [model({ transform: row(2, [0, null, 1, 0]) })] }), 'UC3193 models/0/transform'],
    ['beyond float32', pack({ models: [model({ transform: row(0, [1, 0, 0, 1e39]) })] }), 'UC3193 models/0/transform'],
    ['with columns', pack({ models: [model({ transform: row(3, [4, 5, 6, 1]) })] }), 'UC3193 models/0/transform'],
  ])('a pack %s', (_, value, wanted) => {
    const { pack: read, found } = check(value);
    expect([read, found]).toEqual([null, [wanted]]);
  });

  test('an infinite number', () => {
    const text = JSON.stringify(pack()).replace('[1,0,0,4]', '[1,0,0,1e999]');
    expect(check(text).found).toEqual(['UC3193 models/0/transform']);
  });

  test.each([
    '',
    '/Body/Body.untold',
    'Body/../../Body.untold',
    './Body.untold',
    'Body//Body.untold',
    'Body\\Body.untold',
    'C:/Body.untold',
    'https://host/Body.untold',
    'Body/\0.untold',
    'Body/Body.glb',
  ])('the path %j', (path) => {
    const { pack: read, models, found } = check(pack({ models: [model({ path })] }));
    expect([read, models, found]).toEqual([null, [], ['UC3194 models/0/path']]);
  });
});

test('what is not there, missing words and an empty list are said, and the pack is still read', () => {
  const absent = check(pack({ models: [model(), model({ path: 'b/b.untold' })] }), (path) => path !== 'b/b.untold');
  expect([absent.found, absent.models]).toEqual([['UC3195 models/1/path'], ['Body/Body.untold']]);
  expect(absent.pack).not.toBeNull();
  expect(check(pack({ models: [] })).found).toEqual(['UC3196 models']);
  const nameless = check(pack({ sourceAsset: undefined }));
  expect([nameless.found, nameless.pack === null]).toEqual([['UC3197 sourceAsset'], false]);
  expect(nameless.diagnostics[0].severity).toBe('warning');
});

test('a model that stands twice is one file, and keys that are not known are passed over', () => {
  const { models, found } = check(pack({ models: [model(), model({ displayName: 'Other' })], author: [{}] }));
  expect([models, found]).toEqual([['Body/Body.untold'], []]);
});

test('a model without a name is called by its path, and may lie outside of the folder', () => {
  const path = '../shared/Body/Body.untold';
  const { pack: read, models, found, diagnostics } = check(pack({ models: [model({ displayName: undefined, path })] }));
  expect([read?.models[0].displayName, models, found]).toEqual([path, [path], ['UC3198 models/0/path']]);
  expect(diagnostics[0].severity).toBe('info');
});

describe('LOD chains', () => {
  const level = (n: number, screenSize: unknown, more: object = {}) => ({
    path: `Body/Body_LOD${n}.untold`,
    screenSize,
    ...more,
  });
  const chained = (levels: unknown, key = 'Body/Body.untold') => pack({ lodChains: { [key]: levels } });

  test('are written as worked out by hand, numbers with five digits', () => {
    const transform = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    const text = packText('a.glb', [{ displayName: 'Tree', path: 'Tree/Tree.untold', transform }], {
      'Tree/Tree.untold': [
        { path: 'Tree/Tree_LOD1.untold', screenSize: 0.86602540378, triangles: 926291, error: 0.0373194 },
        { path: 'Tree/Tree_LOD2.untold', screenSize: 0.10825317547, triangles: 83611, error: 0 },
      ],
    });
    expect(text).toBe(`{
  "formatVersion": 1,
  "sourceAsset": "a.glb",
  "models": [
    {
      "displayName": "Tree",
      "path": "Tree/Tree.untold",
      "transform": [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1]
      ]
    }
  ],
  "lodChains": {
    "Tree/Tree.untold": [
      {
        "path": "Tree/Tree_LOD1.untold",
        "screenSize": 0.86603,
        "triangles": 926291,
        "error": 0.037319
      },
      {
        "path": "Tree/Tree_LOD2.untold",
        "screenSize": 0.10825,
        "triangles": 83611,
        "error": 0
      }
    ]
  }
}
`);
    expect(check(text).found).toEqual([]);
    expect(check(text).levels).toEqual(['Tree/Tree_LOD1.untold', 'Tree/Tree_LOD2.untold']);
  });

  test('may lack triangles and error, and sizes above 1 are sound', () => {
    const { pack: read, levels, found } = check(chained([level(1, 1.7823), level(2, 0.5)]));
    expect([read === null, levels.length, found]).toEqual([false, 2, []]);
  });

  test.each<[string, unknown, string]>([
    ['a list', pack({ lodChains: [] }), 'lodChains'],
    ['of a model that the pack has not', chained([level(1, 1)], 'a.untold'), 'lodChains/a.untold'],
    ['a text in place of levels', chained('none'), 'lodChains/Body/Body.untold'],
    ['a level that is a number', chained([1]), 'lodChains/Body/Body.untold/0'],
    ['a level without a path', chained([{ screenSize: 1 }]), 'lodChains/Body/Body.untold/0/path'],
    ['a level of another kind', chained([level(1, 1, { path: 'a.glb' })]), 'lodChains/Body/Body.untold/0/path'],
    ['a level without a size', chained([level(1, undefined)]), 'lodChains/Body/Body.untold/0/screenSize'],
    ['a size of 0', chained([level(1, 0)]), 'lodChains/Body/Body.untold/0/screenSize'],
    ['a size beyond float32', chained([level(1, 1e39)]), 'lodChains/Body/Body.untold/0/screenSize'],
    ['half a triangle', chained([level(1, 1, { triangles: 0.5 })]), 'lodChains/Body/Body.untold/0/triangles'],
    ['an error beyond float32', chained([level(1, 1, { error: 1e39 })]), 'lodChains/Body/Body.untold/0/error'],
    ['an error below 0', chained([level(1, 1, { error: -1 })]), 'lodChains/Body/Body.untold/0/error'],
  ])('are refused: %s', (_, value, place) => {
    const { pack: read, found } = check(value);
    expect([read, found]).toEqual([null, [`UC3270 ${place}`]]);
  });

  test('have sizes that fall, and levels that are missing are warned of', () => {
    const equal = check(chained([level(1, 0.5), level(2, 0.5)]));
    expect(equal.found).toEqual(['UC3271 lodChains/Body/Body.untold/1/screenSize']);
    const absent = check(chained([level(1, 0.5)]), (path) => !path.includes('_LOD'));
    expect([absent.found, absent.pack === null]).toEqual([['UC3272 lodChains/Body/Body.untold/0/path'], false]);
    expect(absent.diagnostics[0].severity).toBe('warning');
  });
});
