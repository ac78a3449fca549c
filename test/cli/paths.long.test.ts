// Paths that name no readable file: pipes, loops, names that are too long, folders nobody may enter. Each ends in a coded
// error, soon, and stops nothing else.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeUsdz } from '../importers/usdz/usdzWriter.ts';
import { type Ran, untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf());
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `untold` and ends it after a while: what waits for a pipe would wait for ever. */
function soon(...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  return { code: status, stdout, stderr };
}

const LONG = 'x'.repeat(300);
const codes = ({ stderr }: Ran) => [...stderr.matchAll(/^error (UC\d{4})/gm)].map((match) => match[1]);

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  const pipe = (name: string) => {
    expect(spawnSync('mkfifo', [join(folder, name)]).status).toBe(0);
    return name;
  };

  test.each([
    [['cook', 'ff', '--out', 'o'], 3, 'UC1200'],
    [['inspect', 'ff'], 3, 'UC1200'],
    [['validate', 'ff'], 3, 'UC1200'],
    [['cook', 'town.gltf', '--out', 'o', '--pipeline', './ff'], 2, 'UC1007'],
    [['cook', 'town.gltf', '--out', 'o', '--depfile', 'ff'], 3, 'UC4000'],
  ])('is refused: %j', (args, code, said) => {
    pipe('ff');
    const ran = soon(...args);
    expect([ran.code, codes(ran)]).toEqual([code, [said]]);
    expect(ran.stderr).toContain('is a pipe or a device, not a file');
  });

  test('is refused as a buffer and as an output, and passed over in a folder', () => {
    pipe('ff.bin');
    const text = squareGltf().replace(/"uri":"data:[^"]*"/, '"uri":"ff.bin"');
    put(folder, 'bad/bad.gltf', text.replace('ff.bin', '../ff.bin'));
    const ran = soon('cook', 'bad/bad.gltf', '--out', 'o');
    expect([ran.code, codes(ran)]).toEqual([3, ['UC1200']]);
    pipe('o.untold');
    const out = soon('cook', 'town.gltf', '--out', 'o.untold', '--force');
    expect([out.code, codes(out)]).toEqual([2, ['UC4001']]);
    expect(statSync(join(folder, 'o.untold')).isFIFO()).toBe(true);
    mkdirSync(join(folder, 'art'));
    pipe('art/a.glb');
    put(folder, 'art/b.gltf', squareGltf());
    expect(soon('cook', 'art', '--out', 'o').code).toBe(0);
  });
});

describe('a path that leads to no file', () => {
  test.each([
    [['cook', 'town.gltf/x.glb', '--out', 'o']],
    [['cook', 'town.gltf/*.glb', '--out', 'o']],
    [['cook', `${LONG}.glb`, '--out', 'o']],
    [['cook', `*/${LONG}`, '--out', 'o']],
    [['cook', 'loopa', '--out', 'o']],
    [['cook', 'loopa/*', '--out', 'o']],
    [['validate', 'town.gltf/x.untold']],
    [['validate', LONG]],
    [['validate', `*/${LONG}`]],
    [['validate', 'loopa']],
    [['inspect', 'town.gltf/x.glb']],
    [['inspect', LONG]],
    [['inspect', 'loopa']],
  ])('is UC1200: %j', async (args) => {
    mkdirSync(join(folder, 'sub'));
    symlinkSync('loopb', join(folder, 'loopa'));
    symlinkSync('loopa', join(folder, 'loopb'));
    const ran = await untold(folder, args);
    expect([ran.code, codes(ran)]).toEqual([3, ['UC1200']]);
  });

  test.each([['town.gltf/x'], [LONG], ['loop']])('is no --root: %s', async (root) => {
    symlinkSync('loop', join(folder, 'loop'));
    for (const args of [
      ['cook', 'town.gltf', '--out', 'o', '--root', root],
      ['inspect', 'town.gltf', '--root', root],
    ]) {
      const ran = await untold(folder, args);
      expect([ran.code, codes(ran)]).toEqual([2, ['UC1003']]);
    }
  });

  test('is a fault of its own in a folder: the others are cooked', async () => {
    put(folder, 'art/a.gltf', squareGltf());
    symlinkSync('loop', join(folder, 'art/loop'));
    expect((await untold(folder, ['cook', 'art', '--out', 'o'])).code).toBe(0);
    symlinkSync('z.glb', join(folder, 'art/z.glb'));
    symlinkSync('gone.glb', join(folder, 'art/y.glb'));
    for (const word of ['art', 'art/*', 'art/**']) {
      const ran = await untold(folder, ['cook', word, '--out', 'o']);
      expect([word, ran.code, codes(ran)]).toEqual([word, 3, ['UC1200', 'UC1200']]);
      expect(ran.stderr).toContain('0 of 3 sources cooked, 1 up to date, 2 failed');
    }
  });

  test('of a manifest is a payload that is missing', async () => {
    expect((await untold(folder, ['cook', 'town.gltf', '--out', 'o'])).code).toBe(0);
    const path = join(folder, 'o/town.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    for (const wrong of [`${LONG}.untold`, 'town.json/y.untold']) {
      manifest.tiles[0].path_relative_to_manifest = wrong;
      writeFileSync(path, JSON.stringify(manifest));
      const ran = await untold(folder, ['validate', 'o/town.json']);
      expect([ran.code, codes(ran)]).toEqual([1, ['UC3214']]);
      expect((await untold(folder, ['inspect', 'o/town.json', '--json'])).code).toBe(1);
    }
  });
});

test.each([
  [['cook', '', '--out', 'o'], 'UC1004'],
  [['validate', ''], 'UC1004'],
  [['inspect', ''], 'UC1003'],
])('an empty word is not the working folder: %j', async (args, said) => {
  const ran = await untold(folder, args);
  expect([ran.code, codes(ran)]).toEqual([2, [said]]);
});

test.each(['', '.', '..', 'sub', `${LONG}.bin`])(
  'a buffer that is a folder or no path is the fault of the scene: "%s"',
  async (uri) => {
    mkdirSync(join(folder, 'sub'));
    put(folder, 'bad.gltf', squareGltf().replace(/"uri":"data:[^"]*"/, `"uri":"${uri}"`));
    const ran = await untold(folder, ['cook', 'bad.gltf', '--out', 'o']);
    expect([ran.code, codes(ran)]).toEqual([1, ['UC1203']]);
  },
);

/** As a user whom permissions bind; root reads everything. */
function bound(...args: string[]): Ran {
  const isRoot = process.getuid?.() === 0;
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
    ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
  });
  if (error) throw error;
  return { code: status, stdout, stderr };
}

/** Whether such a user can start the program at all. */
const canBeBound =
  process.platform !== 'win32' &&
  spawnSync(process.execPath, [BIN, '-V'], process.getuid?.() === 0 ? { uid: 65534 } : {}).status === 0;

describe.skipIf(!canBeBound)('without permission', () => {
  beforeEach(() => {
    chmodSync(folder, 0o777);
    put(folder, 'art/a.gltf', squareGltf());
    put(folder, 'art/secret/b.gltf', squareGltf());
  });
  afterEach(() => chmodSync(join(folder, 'art/secret'), 0o755));

  test.each([['art'], ['art/**/*.gltf'], ['art/secret'], ['art/*/*.gltf']])(
    'a folder that cannot be listed is named: %s',
    (word) => {
      for (const mode of [0o000, 0o300]) {
        chmodSync(join(folder, 'art/secret'), mode);
        const ran = bound('cook', word, '--out', 'o');
        expect([ran.code, codes(ran)]).toEqual([3, ['UC1200']]);
        expect(ran.stderr).toContain('art/secret cannot be read (EACCES)');
      }
    },
  );

  test('a file that cannot be read stops no other', () => {
    chmodSync(join(folder, 'art/secret/b.gltf'), 0o000);
    const ran = bound('cook', 'art', '--out', 'o');
    expect([ran.code, codes(ran)]).toEqual([3, ['UC1200']]);
    expect(ran.stderr).toContain('1 of 2 sources cooked');
    chmodSync(put(folder, 'o/x.json', '{}'), 0o000);
    const checked = bound('validate', 'o', '--json');
    expect([checked.code, codes(checked)]).toEqual([3, ['UC1200']]);
    expect(
      JSON.parse(checked.stdout)
        .files.map((row: { ok: boolean }) => row.ok)
        .sort(),
    ).toEqual([false, true, true]);
  });

  test('a file in the way is in the way, even when it may be the same', () => {
    expect(bound('cook', 'town.gltf', '--out', 'o').code).toBe(0);
    const manifest = join(folder, 'o/town.json');
    chmodSync(manifest, 0o000);
    const ran = bound('cook', 'town.gltf', '--out', 'o');
    expect([ran.code, codes(ran)]).toEqual([2, ['UC4001']]);
  });
});

describe('a texture at an absolute path', () => {
  /** One triangle with a UsdUVTexture as its base colour. */
  const usd = (path: string) => `#usda 1.0
(
  metersPerUnit = 1
)
def Mesh "Helmet" (
  prepend apiSchemas = ["MaterialBindingAPI"]
)
{
  int[] faceVertexCounts = [3]
  int[] faceVertexIndices = [0, 1, 2]
  point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
  texCoord2f[] primvars:st = [(0, 0), (1, 0), (0, 1)] (
    interpolation = "vertex"
  )
  rel material:binding = </Paint>
}
def Material "Paint"
{
  token outputs:surface.connect = </Paint/Surface.outputs:surface>
  def Shader "Surface"
  {
    uniform token info:id = "UsdPreviewSurface"
    color3f inputs:diffuseColor.connect = </Paint/Image.outputs:rgb>
  }
  def Shader "Image"
  {
    uniform token info:id = "UsdUVTexture"
    asset inputs:file = @${path}@
    token outputs:rgb
  }
}
`;
  const cook = async (source: string, ...args: string[]) => {
    const ran = await untold(folder, ['cook', source, '--out', 'o', '--json', '--depfile', 'o.d', ...args]);
    const [result] = JSON.parse(ran.stdout).results;
    const all = result.diagnostics as { code: string; severity: string; message: string }[];
    // Of files and of textures; the scene is too plain to be free of remarks.
    const found = all.filter(({ code }) => /^UC(?:12|21)/.test(code));
    return {
      exit: ran.code,
      textures: result.totals?.textures as number | undefined,
      codes: found.map(({ code, severity }) => `${code} ${severity}`),
      first: found[0]?.message,
    };
  };

  test.each(['town.usda', 'town.gltf'])('%s: is missing, and is not opened even where a file is', async (source) => {
    const image = put(folder, 'elsewhere/red.png', RED_PNG);
    for (const path of [image, 'C:/Users/artist/red.png']) {
      put(folder, source, source.endsWith('.usda') ? usd(path) : squareGltf({ image: path }));
      const failed = await cook(source);
      expect([failed.exit, failed.codes, failed.first]).toEqual([
        1,
        ['UC1205 error'],
        `absolute or remote path: ${path}`,
      ]);
      const dropped = await cook(source, '--missing-texture', 'drop');
      expect([dropped.exit, dropped.textures, dropped.codes]).toEqual([0, 0, ['UC2105 warning']]);
      expect(dropped.first).toContain(`UC1205 ${source}`);
      expect(dropped.first).toContain(`absolute or remote path: ${path}`);
      expect(readFileSync(join(folder, 'o.d'), 'utf8')).not.toContain('red.png');
      const replaced = await cook(source, '--missing-texture', 'placeholder');
      expect([replaced.exit, replaced.textures, replaced.codes]).toEqual([0, 1, ['UC2106 warning']]);
    }
  });

  test.each(['town.usda', 'town.gltf'])('%s: one that climbs out of the root stays an error', async (source) => {
    put(folder, 'red.png', RED_PNG);
    put(folder, `town/${source}`, source.endsWith('.usda') ? usd('../red.png') : squareGltf({ image: '../red.png' }));
    for (const what of ['error', 'drop', 'placeholder']) {
      const climbing = await cook(`town/${source}`, '--root', 'town', '--missing-texture', what);
      expect([what, climbing.exit, climbing.codes]).toEqual([what, 1, ['UC1204 error']]);
    }
  });
});

describe('a message', () => {
  const message = async (args: readonly string[]) => {
    const { results } = JSON.parse((await untold(folder, [...args, '--json'])).stdout);
    const found = results[0].diagnostics as { code: string; severity: string; file: string; message: string }[];
    return found.find(({ severity }) => severity === 'error')!;
  };

  test('quotes an absolute path as the source has it', async () => {
    const uri = join(folder, 'a.bin');
    put(folder, 'bad.gltf', squareGltf().replace(/"uri":"data:[^"]*"/, `"uri":${JSON.stringify(uri)}`));
    const said = await message(['cook', 'bad.gltf', '--out', 'o']);
    expect([said.code, said.file]).toEqual(['UC1205', 'bad.gltf']);
    expect(said.message).toBe(`absolute or remote path: ${uri}`);

    put(folder, 'bad.usda', `#usda 1.0\ndef "A" (references = @${uri}@) {}\n`);
    const usd = await message(['cook', 'bad.usda', '--out', 'o', '--missing-asset', 'error']);
    expect([usd.code, usd.file]).toEqual(['UC1711', 'bad.usda']);
    expect(usd.message).toBe(`reference @${uri}@: UC1205 absolute or remote path: ${uri}`);
  });

  test('shows a path that we made from the folder we work in', async () => {
    put(folder, 'bad.gltf', squareGltf().replace(/"uri":"data:[^"]*"/, '"uri":"a.bin"'));
    expect((await message(['cook', 'bad.gltf', '--out', 'o'])).message).toBe('no such file: a.bin');
  });
});

test('a package that would unpack to far more than it holds is a limit', async () => {
  // Sizes of the root layer's records (APPNOTE.TXT 4.3.7 and 4.3.12): deflated, 300 MB.
  const bytes = writeUsdz([{ name: 'scene.usda', bytes: new Uint8Array(300_000) }]);
  const view = new DataView(bytes.buffer);
  const central = view.getUint32(bytes.length - 22 + 16, true);
  view.setUint16(8, 8, true);
  view.setUint16(central + 10, 8, true);
  view.setUint32(22, 300_000_000, true);
  view.setUint32(central + 24, 300_000_000, true);
  put(folder, 'bomb.usdz', bytes);
  for (const command of ['cook', 'inspect']) {
    const ran = await untold(folder, [command, 'bomb.usdz', ...(command === 'cook' ? ['--out', 'o'] : [])]);
    expect([ran.code, codes(ran)]).toEqual([5, ['UC1611']]);
  }
});
