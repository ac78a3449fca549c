// `cook --share-textures`: the sets of one output with their textures in one folder, through the command line.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { validateManifest } from '../../src/formats/manifest/validate.ts';
import { cook as cookSources } from '../../src/index.ts';
import { diskProbe } from '../../src/library/diskProbe.ts';
import { setFacts } from '../../src/library/report/setFacts.ts';
import { untold } from '../support/command.ts';
import { contents, filesBelow, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';
import { chunk, rgb } from '../textures/fixture.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  // Two names of one image.
  put(folder, 'art/wood.png', RED_PNG);
  put(folder, 'art/deep/oak.png', RED_PNG);
  put(folder, 'art/a.gltf', squareGltf({ image: 'wood.png' }));
  put(folder, 'art/deep/b.gltf', squareGltf({ image: 'oak.png', size: 2 }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => untold(folder, args);
const PLAIN = ['--no-cache', '--textures', 'keep'];
const SETS = ['--root', 'art', '--out', 'tiles', '--share-textures'];
const cook = (...args: string[]) => run('cook', ...args, ...PLAIN);
const tiles = (name = 'tiles') => filesBelow(join(folder, name));
const textures = (name = 'tiles') => filesBelow(join(folder, name, 'Textures'));
const manifest = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));
const blue = () => rgb([[0, 0, 255]]);

async function cooked(...args: string[]): Promise<void> {
  const { code, stderr } = await cook(...args);
  expect([code, stderr]).toEqual([0, expect.anything()]);
}

async function expectSound(name = 'tiles'): Promise<void> {
  for (const args of [
    ['validate', '--strict', name],
    ['verify', name],
  ]) {
    const { code, stderr } = await run(...args);
    expect([code, stderr.split('\n').length]).toEqual([0, 2]);
  }
}

/** The texture URIs of the only tile of a set. */
async function uris(path: string): Promise<string[]> {
  const { stdout } = await run('inspect', path, '--json');
  return JSON.parse(stdout).textures.map(({ uri }: { uri: string }) => uri);
}

describe('two sets that use one texture', () => {
  test('keep it once, by its relative path, and list it', async () => {
    await cooked('art', ...SETS);
    const found = tiles();
    expect(found).toEqual([
      expect.stringMatching(/^Textures\/[0-9a-f]{16}\.png$/),
      'a.json',
      'a.plan.svg',
      expect.stringMatching(/^a\/tile_0_0_0_[0-9a-f]{8}\.untold$/),
      'deep/b.json',
      'deep/b.plan.svg',
      expect.stringMatching(/^deep\/b\/tile_0_0_0_[0-9a-f]{8}\.untold$/),
    ]);
    const [image, , , a, , , b] = found;
    const { [image]: sha256 } = contents(join(folder, 'tiles'));
    expect(image).toBe(`Textures/${sha256.slice(0, 16)}.png`);
    expect(await uris(`tiles/${a}`)).toEqual([`../${image}`]);
    expect(await uris(`tiles/${b}`)).toEqual([`../../${image}`]);
    expect(manifest('tiles/a.json').shared_textures).toEqual([{ path: image, sha256 }]);
    expect(manifest('tiles/deep/b.json').shared_textures).toEqual([{ path: `../${image}`, sha256 }]);
    expect(manifest('tiles/a.json').files.map(({ path }: { path: string }) => path)).toEqual([a]);
    await expectSound();

    rmSync(join(folder, 'tiles', image));
    const { code, stderr } = await run('validate', 'tiles');
    expect(code).toBe(1);
    expect(stderr).toContain(`UC3219 tiles/deep/b.json shared_textures: no file ../${image}`);
    writeFileSync(join(folder, 'tiles', image), blue());
    expect((await run('validate', 'tiles')).stderr).toContain(`UC3220 tiles/a.json shared_textures: ${image}`);
  });

  test('are the same bytes for any number of threads, cooked at once and again', async () => {
    for (const name of ['c', 'd', 'e']) put(folder, `art/${name}.gltf`, squareGltf({ image: 'wood.png' }));
    await cooked('art', ...SETS, '--jobs', '1');
    const first = contents(join(folder, 'tiles'));
    expect(textures()).toHaveLength(1);
    await cooked('art', ...SETS, '--jobs', '3');
    expect(contents(join(folder, 'tiles'))).toEqual(first);
    rmSync(join(folder, 'tiles'), { recursive: true });
    await cooked('art', ...SETS, '--jobs', '3');
    expect(contents(join(folder, 'tiles'))).toEqual(first);
    rmSync(join(folder, 'tiles'), { recursive: true });
    // Two calls, as from two processes.
    const options = {
      root: join(folder, 'art'),
      out: join(folder, 'tiles'),
      shareTextures: true,
      textures: 'keep',
    } as const;
    const sources = [
      ['a', 'c', 'd'],
      ['deep/b', 'e'],
    ];
    const calls = sources.map((names) =>
      cookSources(
        names.map((name) => join(folder, `art/${name}.gltf`)),
        { ...options, jobs: 1 },
      ),
    );
    expect((await Promise.all(calls)).map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(contents(join(folder, 'tiles'))).toEqual(first);
  });

  test('are drawn, shown and compared as sets with textures of their own', async () => {
    await cooked('art', '--root', 'art', '--out', 'plain');
    await cooked('art', ...SETS);
    const facts = await setFacts(join(folder, 'tiles/deep'), 'b.json');
    expect(facts?.textures.map(({ name, bytes }) => [name, bytes])).toEqual([[textures()[0], RED_PNG.length]]);
    for (const set of ['a', 'deep/b']) {
      const pictures = ['plain', 'tiles'].map(async (name) => {
        const ran = await run('render', `${name}/${set}.json`, '--out', `${name}.png`, '--size', '32x32');
        expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('UC5003')]);
        return readFileSync(join(folder, `${name}.png`), 'hex');
      });
      const [own, shared] = await Promise.all(pictures);
      expect(shared).toBe(own);
      const { stdout } = await run('diff', `plain/${set}.json`, `tiles/${set}.json`, '--json');
      expect(JSON.parse(stdout).tiles.map(({ levels }: { levels: { level: string }[] }) => levels.length)).toEqual([1]);
    }
  });

  test('lose it when no set names it any more', async () => {
    await cooked('art', ...SETS);
    const [red] = textures();
    put(folder, 'art/wood.png', blue());
    await cooked('art/a.gltf', ...SETS);
    expect(textures()).toHaveLength(2);
    await expectSound();
    put(folder, 'art/deep/oak.png', blue());
    await cooked('art/deep/b.gltf', ...SETS);
    expect(textures()).toEqual([expect.not.stringContaining(red)]);
    await expectSound();
    // One set goes back to a folder of its own, then the other.
    await cooked('art/a.gltf', '--root', 'art', '--out', 'tiles');
    expect(textures()).toHaveLength(1);
    await cooked('art/deep/b.gltf', '--root', 'art', '--out', 'tiles');
    expect(textures()).toEqual([]);
    expect(tiles().filter((path) => /\/Textures\//.test(path))).toHaveLength(2);
    expect(existsSync(join(folder, 'tiles/Textures'))).toBe(false);
    await cooked('art', ...SETS);
    expect(tiles().filter((path) => /\/Textures\//.test(path))).toEqual([]);
    await expectSound();
  });

  test('keep what files of others name', async () => {
    await cooked('art/a.gltf', ...SETS);
    const [red] = textures();
    const { code } = await cook('art/deep/b.gltf', '--out-each', 'tiles/{name}.untold');
    expect([code, textures()]).toEqual([0, [red]]);
    put(folder, 'art/wood.png', blue());
    await cooked('art/a.gltf', ...SETS);
    expect(textures()).toHaveLength(2);
    expect(textures()).toContain(red);
  });

  test('are up to date until one of the textures changes', async () => {
    const cached = ['cook', 'art', ...SETS, '--textures', 'keep', '--cache-dir', 'cache'];
    expect((await run(...cached)).code).toBe(0);
    const first = contents(join(folder, 'tiles'));
    expect((await run(...cached)).stderr).toMatch(/\[1\/2\] art\/a\.gltf: up to date/);
    rmSync(join(folder, 'tiles/Textures'), { recursive: true });
    const again = await run(...cached);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('up to date')]);
    expect(contents(join(folder, 'tiles'))).toEqual(first);
    expect((await run('verify', 'tiles', '--against', 'art', '--root', 'art', '--share-textures', ...PLAIN)).code).toBe(
      0,
    );
  });

  test('are cleaned of sets without a source, and of textures that nothing names', async () => {
    put(folder, 'art/deep/oak.png', blue());
    await cooked('art', ...SETS);
    expect(textures()).toHaveLength(2);
    const [kept] = manifest('tiles/a.json').shared_textures;
    rmSync(join(folder, 'art/deep/b.gltf'));
    put(folder, 'tiles/Textures/mine.png', 'mine');
    const clean = ['clean', 'tiles', '--sources', 'art', '--root', 'art', '--share-textures', '--json'];
    const dry = JSON.parse((await run(...clean, '--dry-run')).stdout);
    expect(dry.removed.map(({ path }: { path: string }) => path)).toEqual([
      'tiles/deep/b.json',
      expect.stringMatching(/^tiles\/Textures\/[0-9a-f]{16}\.png$/),
    ]);
    const { removed } = JSON.parse((await run(...clean)).stdout);
    expect(removed).toEqual(dry.removed);
    expect(textures()).toEqual([kept.path.slice('Textures/'.length), 'mine.png'].sort());
    await run('validate', 'tiles').then(({ code }) => expect(code).toBe(0));
  });
});

describe('parts of a set', () => {
  /** A square on each of two tiles; `size`: of the second. */
  function town(size: number): string {
    const square = JSON.parse(squareGltf({ image: 'wood.png' }));
    square.scenes = [{ nodes: [0, 1] }];
    square.nodes = [
      { name: 'one', mesh: 0 },
      { name: 'two', mesh: 0, translation: [100, 0, 0], scale: [size, 1, 1] },
    ];
    return JSON.stringify(square);
  }

  test('one tile with --only becomes what a cook of all gives', async () => {
    put(folder, 'art/a.gltf', town(1));
    await cooked('art', ...SETS, '--tile-size', '50');
    put(folder, 'art/a.gltf', town(2));
    const { tiles: planned } = manifest('tiles/a.json');
    const only = ['art/a.gltf', ...SETS, '--tile-size', '50', '--only', planned[1].tile_id];
    await cooked(...only);
    await expectSound();
    const one = contents(join(folder, 'tiles'));
    await cooked('art', ...SETS, '--tile-size', '50');
    expect(contents(join(folder, 'tiles'))).toEqual(one);
    expect(manifest('tiles/a.json').shared_textures).toHaveLength(1);
    // What the other tiles name must be there, and the settings are those of the set.
    renameSync(join(folder, 'tiles/Textures'), join(folder, 'away'));
    expect((await cook(...only)).stderr).toMatch(/UC4003 tiles\/Textures\/[0-9a-f]{16}\.png: the file is not there/);
    renameSync(join(folder, 'away'), join(folder, 'tiles/Textures'));
    expect((await cook(...only.filter((word) => word !== '--share-textures'))).stderr).toContain('UC2207');
  });

  test('shards are merged into the set that one cook writes', async () => {
    put(folder, 'art/deep/b.gltf', town(1).replace('wood.png', 'oak.png'));
    await cooked('art', ...SETS, '--tile-size', '50');
    const whole = contents(join(folder, 'tiles'));
    for (const part of [0, 1]) {
      await cooked(
        'art',
        '--root',
        'art',
        '--out',
        `p${part}`,
        '--share-textures',
        '--tile-size',
        '50',
        '--shard',
        `${part}/2`,
      );
    }
    for (const _ of ['new', 'over itself']) {
      expect((await run('merge', 'p0', 'p1', '--out', 'merged')).code).toBe(0);
      expect(contents(join(folder, 'merged'))).toEqual(whole);
    }
    await expectSound('merged');
    // The earlier texture of the merged sets goes with them.
    put(folder, 'art/wood.png', blue());
    put(folder, 'art/deep/oak.png', blue());
    for (const part of [0, 1]) {
      await cooked(
        'art',
        '--root',
        'art',
        '--out',
        `p${part}`,
        '--share-textures',
        '--tile-size',
        '50',
        '--shard',
        `${part}/2`,
      );
      expect(textures(`p${part}`)).toHaveLength(1);
    }
    expect((await run('merge', 'p0', 'p1', '--out', 'merged')).code).toBe(0);
    expect(textures('merged')).toEqual(textures('p0'));
    rmSync(join(folder, 'p0/Textures'), { recursive: true });
    expect((await run('merge', 'p0', 'p1', '--out', 'merged')).stderr).toContain('UC4204');
  });
});

test.each([
  [['--out', 'tiles', '--remote'], 'and --remote was given'],
  [['--out', 'a.untold'], 'the output is one file'],
  [['--out', 'tiles', '--textures-dir', 't'], 'a tile set keeps its textures'],
  [['--out', 'tiles', '--target', 'urho3d'], 'no meaning with --target urho3d'],
  [['--out', 'a.glb'], 'no meaning with --target glb'],
])('%j is refused', async (args, why) => {
  const { code, stderr } = await cook('art/a.gltf', '--share-textures', ...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^error UC1012 .*${why}`))]);
});

test('a set whose tiles would lie among the textures is not cooked, the others are', async () => {
  put(folder, 'art/textures.gltf', squareGltf());
  const { code, stderr } = await cook('art', ...SETS);
  expect([code, stderr]).toEqual([2, expect.stringContaining('UC1005')]);
  expect(stderr).toContain('2 of 3 sources cooked, 1 failed');
  expect((await cook('art', '--root', 'art', '--out', 'tiles')).code).toBe(0);
});

test('a manifest that somebody else made opens nothing above it but textures that it lists', async () => {
  await cooked('art', ...SETS);
  const { shared_textures: listed, ...document } = manifest('tiles/deep/b.json');
  const probe = diskProbe(join(folder, 'tiles/deep'));
  const check = async (shared: readonly { path: string }[]) => {
    const text = JSON.stringify({ ...document, shared_textures: shared });
    const { diagnostics } = await validateManifest(text, 'b.json', probe);
    return diagnostics.map(({ code, path }) => `${code} ${path}`);
  };
  expect(await check(listed)).toEqual([]);
  const paths = [
    '../secret.png',
    '../Textures/secret.png',
    '../../Textures/../x.png',
    'Textures/../../0123456789abcdef.png',
  ];
  for (const path of paths) {
    expect(await check([...listed, { path, sha256: '0'.repeat(64) }])).toEqual(['UC3212 shared_textures/1']);
  }
  expect(await check([])).toEqual(['UC3108 texture/0']);
});

describe('what sharing would save', () => {
  const grain = (seed: number) => rgb([[seed, 2, 3]], [chunk('puDd', new Uint8Array(1_000_000))]);
  const LINE =
    /^1 texture file is a copy of one in other sets: --share-textures saves 1\.0 MB where sets are read from disk$/m;

  test('is said where sets hold equal textures', async () => {
    for (const path of ['art/wood.png', 'art/deep/oak.png']) put(folder, path, grain(1));
    const args = ['art', '--root', 'art', '--out', 'own'];
    expect((await cook(...args)).stderr).toMatch(LINE);
    const { repeated } = JSON.parse((await cook(...args, '--json')).stdout);
    expect(repeated).toEqual({ files: 1, bytes: grain(1).length });
    for (const [more, out] of [
      ['--remote', 'far'],
      ['--share-textures', 'shared'],
    ]) {
      const ran = await cook('art', '--root', 'art', '--out', out, more, '--json');
      expect([ran.code, JSON.parse(ran.stdout).repeated]).toEqual([0, undefined]);
    }
    put(folder, 'art/wood.png', grain(2));
    expect((await cook(...args)).stderr).not.toContain('--share-textures');
  });

  test('is not, where it is little', async () => {
    expect((await cook('art', '--root', 'art', '--out', 'own')).stderr).not.toContain('--share-textures');
  });
});

test('files of --out-each share their textures anyway', async () => {
  const plain = await cook('art/a.gltf', '--out-each', 'o/{name}.untold');
  const asked = await cook('art/a.gltf', '--share-textures', '--force', '--out-each', 'p/{name}.untold');
  expect([plain.code, asked.code]).toEqual([0, 0]);
  expect(contents(join(folder, 'p'))).toEqual(contents(join(folder, 'o')));
});

test.each([
  [['--share-textures', '--out', 'tiles'], 'tiles/Textures'],
  [['--out-each', 'o/{name}.untold'], 'o/Textures'],
])('a texture that was damaged is made again by a cook of %j; what never was one stays', async (args, place) => {
  expect((await cook('art/a.gltf', ...args)).code).toBe(0);
  const before = contents(join(folder, place));
  const [name] = Object.keys(before);
  writeFileSync(join(folder, place, name), 'damaged');
  expect((await cook('art/a.gltf', ...args)).code).toBe(0);
  expect(contents(join(folder, place))).toEqual(before);
  rmSync(join(folder, place), { recursive: true });
  rmSync(join(folder, args.at(-1)?.split('/')[0] ?? ''), { recursive: true });
  put(folder, `${place}/${name}`, 'not ours');
  const { code, stderr } = await cook('art/a.gltf', ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining('UC4001')]);
});
