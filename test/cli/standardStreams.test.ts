// `-` as a source and as an output: what is piped in and out is what files would hold.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { untold, untoldBytes } from '../support/command.ts';
import { contents, put, temporaryFolder } from '../support/files.ts';
import { BIN, environment, untoldProcess } from '../support/process.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Through pipes of a process, whose temporary files lie in `tmp`. */
function piped(input: string | Uint8Array, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'cook', ...args], {
    cwd: folder,
    input,
    env: environment({ TMPDIR: join(folder, 'tmp') }),
  });
  return { code: status, stdout: new Uint8Array(stdout), stderr: stderr.toString() };
}

/** In this process. */
const given = (input: string | Uint8Array, ...args: string[]) =>
  untoldBytes(folder, ['cook', ...args], { stdin: input });

beforeEach(() => {
  mkdirSync(join(folder, 'tmp'));
});

/** A GLB that holds the glTF text. */
function glb(text: string): Uint8Array {
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4));
  const head = Buffer.alloc(20);
  head.write('glTF');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + json.length, 8);
  head.writeUInt32LE(json.length, 12);
  head.write('JSON', 16);
  return Buffer.concat([head, json]);
}

const USDA = `#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
)
def Mesh "Square"
{
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
}
`;

describe('standard input', () => {
  test.each([
    ['a GLB', 'square.glb', glb(squareGltf())],
    ['glTF text', 'square.gltf', Buffer.from(squareGltf())],
    ['USD text', 'square.usda', Buffer.from(USDA)],
  ])('gives the bytes that a file of %s gives', async (_, name, content) => {
    put(folder, name, content);
    expect((await untold(folder, ['cook', name, '--out', 'file'])).code).toBe(0);
    expect((await given(content, '-', '--stdin-name', name, '--out', 'given')).code).toBe(0);
    const file = contents(join(folder, 'file'));
    expect(contents(join(folder, 'given'))).toEqual(file);
    expect(Object.keys(file).length).toBeGreaterThan(1);
  });

  test('is read of a pipe', () => {
    put(folder, 'square.usda', USDA);
    expect(untoldProcess(folder, ['cook', 'square.usda', '--out', 'file']).code).toBe(0);
    expect(piped(USDA, '-', '--stdin-name', 'square.usda', '--out', 'piped').code).toBe(0);
    expect(contents(join(folder, 'piped'))).toEqual(contents(join(folder, 'file')));
  });

  test('is called stdin where it has no name, and is no dependency', async () => {
    put(folder, 'red.png', RED_PNG);
    const ran = await given(squareGltf({ image: 'red.png' }), '-', '--out', 'tiles', '--depfile', 'tiles.d');
    expect(ran).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'tiles/stdin.json'))).toBe(true);
    expect(readFileSync(join(folder, 'tiles.d'), 'utf8')).toBe('tiles/stdin.json: \\\n  red.png\n\nred.png:\n');
  });

  test('has relative paths begin where its name says', async () => {
    put(folder, 'art/red.png', RED_PNG);
    const text = squareGltf({ image: 'red.png' });
    expect((await given(text, '-', '--stdin-name', 'art/square.gltf', '--out', 'tiles')).code).toBe(0);
    const lost = await given(text, '-', '--stdin-name', 'square.gltf', '--out', 'tiles');
    expect(lost.code).toBe(1);
    expect(lost.stderr).toContain('UC1203');
  });

  test('stands beside files, and is read once', async () => {
    put(folder, 'other.gltf', squareGltf({ size: 3 }));
    expect((await given(squareGltf(), 'other.gltf', '-', '--out', 'tiles')).code).toBe(0);
    expect(readdirSync(join(folder, 'tiles')).sort()).toContain('stdin.json');
    const twice = await given(squareGltf(), '-', '-', '--out', 'tiles');
    expect(twice).toMatchObject({ code: 2 });
    expect(twice.stderr).toContain('UC1060');
  });

  test.each([
    ['', 'UC1206'],
    ['garbage', 'UC1201'],
    [Buffer.from('glTF\x02\x00\x00\x00\xff\xff\xff\x7f', 'latin1'), 'UC1206'],
    ['version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n', 'UC1202'],
  ])('is refused as a file would be: %j', async (content, code) => {
    const { code: exit, stderr } = await given(content, '-', '--out', 'tiles');
    expect(exit).toBe(1);
    expect(stderr).toContain(`error ${code}`);
  });

  test('needs no --stdin-name without -', async () => {
    put(folder, 'square.gltf', squareGltf());
    const ran = await untold(folder, ['cook', 'square.gltf', '--stdin-name', 'x.glb', '--out', 'tiles']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('UC1012');
  });
});

describe('standard output', () => {
  test('takes the file that --out FILE would write, and nothing else', async () => {
    put(folder, 'square.gltf', squareGltf());
    expect((await untold(folder, ['cook', 'square.gltf', '--out', 'square.untold'])).code).toBe(0);
    const expected = new Uint8Array(readFileSync(join(folder, 'square.untold')));
    const ran = piped('', 'square.gltf', '--out', '-', '--verbose');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toEqual(expected);
    expect(ran.stderr).not.toContain(join(folder, 'tmp'));
    expect(piped(squareGltf(), '-', '--stdin-name', 'square.gltf', '--out', '-').stdout).toEqual(expected);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    expect(existsSync(join(folder, '-'))).toBe(false);
  });

  test('takes nothing of a scene with textures, of a source that fails, and beside what is written there too', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'tmp'));
    put(folder, 'red.png', RED_PNG);
    put(folder, 'red.gltf', squareGltf({ image: 'red.png' }));
    put(folder, 'square.gltf', squareGltf());
    put(folder, 'broken.gltf', '{');
    for (const [args, exit, code] of [
      [['red.gltf'], 2, 'UC1061'],
      [['broken.gltf'], 1, 'UC1301'],
      [['red.gltf', 'square.gltf'], 2, 'UC1006'],
      [['square.gltf', '--json'], 2, 'UC1061'],
      [['square.gltf', '--dry-run'], 2, 'UC1061'],
      [['square.gltf', '--depfile', 'x.d'], 2, 'UC1061'],
    ] as const) {
      const ran = await given('', ...args, '--out', '-');
      expect([args, ran.code, ran.stderr.includes(`error ${code}`)]).toEqual([args, exit, true]);
      if (!args.includes('--json' as never)) expect(ran.stdout.length).toBe(0);
      expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    }
  });

  test('is a folder where it is written ./-', async () => {
    put(folder, 'square.gltf', squareGltf());
    expect((await untold(folder, ['cook', 'square.gltf', '--out', './-'])).code).toBe(0);
    expect(existsSync(join(folder, '-/square.json'))).toBe(true);
  });
});
