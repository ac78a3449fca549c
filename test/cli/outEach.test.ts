// One file a source through the command line, with the textures of all in one folder.

import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';
import { chunk, rgb } from '../textures/fixture.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PATTERN = 'props/{dir}/{name}.untold';
const cook = (...args: string[]) => untold(folder, ['cook', ...args, '--no-cache', '--textures', 'keep']);
const list = (path: string) => readdirSync(join(folder, path)).sort();
const blue = () => rgb([[0, 0, 255]]);

/** Props that share an image, in two folders. */
function putKit(count: number): void {
  for (const kit of ['kit', 'town']) put(folder, `${kit}/wood.png`, RED_PNG);
  for (let i = 0; i < count; i++) {
    const kit = i % 2 ? 'kit' : 'town';
    put(folder, `${kit}/prop ${i}.gltf`, squareGltf({ size: 1 + i / 100, image: 'wood.png' }));
  }
}

describe('--out-each', () => {
  test('9 props that share a texture are 9 files with one image, cooked again and with one changed', async () => {
    putKit(9);
    const first = await cook('kit', 'town', '--out-each', PATTERN);
    expect(first.stderr).toMatch(/9 of 9 sources cooked/);
    expect(first.code).toBe(0);
    expect([list('props/kit').length, list('props/town').length]).toEqual([4, 5]);
    const [image, ...others] = list('props/Textures');
    expect([image, others]).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.png$/), []]);
    expect((await untold(folder, ['validate', 'props'])).stderr).not.toContain('UC3108');
    expect((await untold(folder, ['validate', 'props'])).code).toBe(0);

    const files = list('props/kit').map((name) => join(folder, 'props/kit', name));
    const bytes = files.map((path) => readFileSync(path));
    const made = statSync(join(folder, 'props/Textures', image)).mtimeMs;
    expect((await cook('kit', 'town', '--out-each', PATTERN)).code).toBe(0);
    expect(files.map((path, i) => readFileSync(path).equals(bytes[i]))).not.toContain(false);
    expect(statSync(join(folder, 'props/Textures', image)).mtimeMs).toBe(made);

    // One gets another image: it is beside the first, which the others still name.
    put(folder, 'kit/steel.png', blue());
    put(folder, 'kit/prop 1.gltf', squareGltf({ image: 'steel.png' }));
    expect((await cook('kit/prop 1.gltf', '--out-each', PATTERN)).code).toBe(0);
    expect(list('props/Textures')).toHaveLength(2);
    // And goes with the last file that names it.
    put(folder, 'kit/prop 1.gltf', squareGltf({ image: 'wood.png' }));
    expect((await cook('kit/prop 1.gltf', '--out-each', PATTERN)).code).toBe(0);
    expect(list('props/Textures')).toEqual([image]);
    put(folder, 'kit/wood.png', blue());
    put(folder, 'town/wood.png', blue());
    expect((await cook('kit', 'town', '--out-each', PATTERN)).code).toBe(0);
    expect(list('props/Textures')).toHaveLength(1);
    expect(list('props/Textures')).not.toContain(image);
    expect((await untold(folder, ['validate', 'props'])).code).toBe(0);
  });

  test('a file that cannot replace what stands there leaves no texture', async () => {
    put(folder, 'kit/wood.png', RED_PNG);
    put(folder, 'kit/a.gltf', squareGltf({ image: 'wood.png' }));
    put(folder, 'props/a.untold', 'mine');
    const { code, stderr } = await cook('kit/a.gltf', '--out-each', 'props/{name}.untold');
    expect([code, stderr]).toEqual([2, expect.stringContaining('UC4001')]);
    expect(list('props')).toEqual(['a.untold']);
  });

  test('textures too large to wait in memory reach the shared folder whole, and leave nothing else', async () => {
    // Of one set 16 MB wait in memory: the image of `a` does, the one of `b` waits in a file.
    const sizes = { a: 1e6, b: 17e6 };
    for (const [name, bytes] of Object.entries(sizes)) {
      put(folder, `${name}.gltf`, squareGltf({ image: `${name}.png` }));
      put(folder, `${name}.png`, rgb([[1, 2, 3]], [chunk('puDd', new Uint8Array(bytes))]));
    }
    const args = ['a.gltf', 'b.gltf', '--out-each', 'o/{name}.untold', '--textures-dir', 'shared'];
    const whole = () => list('shared').map((name) => readFileSync(join(folder, 'shared', name)));
    for (let times = 0; times < 2; times++) {
      expect((await cook(...args, '--force')).code).toBe(0);
      expect([list('o'), list('shared').length]).toEqual([['a.untold', 'b.untold'], 2]);
      const sources = ['a.png', 'b.png'].map((name) => readFileSync(join(folder, name)));
      expect(whole().every((bytes) => sources.some((source) => source.equals(bytes)))).toBe(true);
      expect((await untold(folder, ['validate', 'o'])).code).toBe(0);
    }
  });

  test('equal images of different names are one file, drawn by the pictures of render', async () => {
    put(folder, 'a.gltf', squareGltf({ image: 'red.png' }));
    put(folder, 'b.gltf', squareGltf({ image: 'wood.png' }));
    put(folder, 'red.png', RED_PNG);
    put(folder, 'wood.png', RED_PNG);
    expect((await cook('a.gltf', 'b.gltf', '--out-each', 'o/{name}.untold', '--textures-dir', 'o/shared')).code).toBe(
      0,
    );
    expect([list('o'), list('o/shared').length]).toEqual([['a.untold', 'b.untold', 'shared'], 1]);
    const drawn = async (name: string) => {
      expect(
        (await untold(folder, ['render', `o/${name}.untold`, '--out', `${name}.png`, '--size', '32x32'])).code,
      ).toBe(0);
      return readFileSync(join(folder, `${name}.png`));
    };
    const before = await drawn('a');
    expect(await drawn('b')).toEqual(before);
    writeFileSync(join(folder, 'o/shared', list('o/shared')[0]), blue());
    expect(await drawn('a')).not.toEqual(before);
  });

  test('a source that fails leaves the others, and its file as it was', async () => {
    putKit(2);
    expect((await cook('kit', 'town', '--out-each', PATTERN)).code).toBe(0);
    const old = readFileSync(join(folder, 'props/kit/prop_1.untold'));
    put(folder, 'kit/prop 1.gltf', '{');
    put(folder, 'town/prop 0.gltf', squareGltf({ size: 5, image: 'wood.png' }));
    const { code, stderr } = await cook('kit', 'town', '--out-each', PATTERN);
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 of 2 sources cooked')]);
    expect(readFileSync(join(folder, 'props/kit/prop_1.untold'))).toEqual(old);
    expect(list('props/Textures')).toHaveLength(1);
  });

  test('a texture stays while another file names it, or one that cannot be read may', async () => {
    putKit(1);
    expect((await cook('town', '--out-each', PATTERN)).code).toBe(0);
    const [image] = list('props/Textures');
    put(folder, 'props/other.untold', readFileSync(join(folder, 'props/town/prop_0.untold')));
    put(folder, 'town/wood.png', blue());
    expect((await cook('town', '--out-each', PATTERN)).code).toBe(0);
    expect(list('props/Textures')).toContain(image);
    expect(list('props/Textures')).toHaveLength(2);
    rmSync(join(folder, 'props/other.untold'));
    const whole = readFileSync(join(folder, 'props/town/prop_0.untold'));
    put(folder, 'props/broken.untold', Buffer.from('UNTOLD\0\0'));
    put(folder, 'town/wood.png', rgb([[0, 255, 0]]));
    expect((await cook('town', '--out-each', PATTERN)).code).toBe(0);
    expect(readFileSync(join(folder, 'props/town/prop_0.untold'))).not.toEqual(whole);
    expect(list('props/Textures')).toHaveLength(3);
  });

  test('two sources to one path end with 2, and nothing is written for them', async () => {
    put(folder, 'a/x.gltf', squareGltf());
    put(folder, 'b/x.gltf', squareGltf());
    put(folder, 'b/y.gltf', squareGltf());
    const { code, stderr } = await cook('a', 'b', '--out-each', 'o/{name}.untold');
    expect([code, list('o')]).toEqual([2, ['y.untold']]);
    expect(stderr).toContain('UC1005');
    expect((await cook('a', 'b', '--out-each', 'o/{dir}-{name}.untold')).code).toBe(0);
    expect(list('o')).toEqual(['a-x.untold', 'b-x.untold', 'b-y.untold', 'y.untold']);
  });

  test.each([
    [['--out-each', 'o/{stem}.untold'], /UC1003.*\{stem\}/],
    [['--out-each', 'o/{name}.obj'], /UC1003.*does not end in/],
    [['--out-each', 'o/{name}.untold', '--out', 'o'], /UC1012.*--out was given too/],
    [['--out', 'o', '--textures-dir', 'o/t'], /UC1012.*tile set/],
  ])('with %j is refused', async (args, said) => {
    put(folder, 'a.gltf', squareGltf());
    const { code, stderr } = await cook('a.gltf', ...args);
    expect([code, existsSync(join(folder, 'o'))]).toEqual([2, false]);
    expect(stderr).toMatch(said);
  });
});

test('--on-clash rename tells two sources of one name apart; otherwise that pair alone fails', async () => {
  put(folder, 'ball.gltf', squareGltf());
  put(
    folder,
    'ball.usda',
    '#usda 1.0\ndef Mesh "m" {\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\npoint3f[] points = [(0,0,0), (1,0,0), (0,1,0)]\n}',
  );
  put(folder, 'cube.gltf', squareGltf());
  const refused = await cook('.', '--out', 'o');
  expect([refused.code, list('o')]).toEqual([2, ['cube', 'cube.json', 'cube.plan.svg']]);
  expect(refused.stderr.match(/^error UC1005/gm)).toHaveLength(2);
  expect((await cook('.', '--out', 'o', '--on-clash', 'rename')).code).toBe(0);
  expect(list('o').filter((name) => /\w+\.json/.test(name))).toEqual(['ball_gltf.json', 'ball_usda.json', 'cube.json']);
});
