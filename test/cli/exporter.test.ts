// export and export-tiles: the flags of the engine's own command line, what they write, and what they say of flags that untold
// has no use for.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExporterFlag } from '../../src/cli/exporter/exporterFlag.ts';
import { EXPORTER_FLAGS } from '../../src/cli/exporter/exporterTable.ts';
import { shownFlag } from '../../src/config/options/option.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import { character } from '../animation/characters.ts';
import { buildGlb, type SceneInput } from '../importers/gltf/build.ts';
import { untold } from '../support/command.ts';
import { contents, filesBelow, put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => untold(folder, args, { UNTOLD_CACHE_DIR: undefined });
const file = (path: string) => new Uint8Array(readFileSync(join(folder, path)));
/** Files below a folder, without the hashes in names. */
const names = (below: string) =>
  filesBelow(join(folder, below)).map((name) => name.replace(/[._][0-9a-f]{8}\./, '.').replace(/[0-9a-f]{16}/, 'HASH'));

/** Squares as roots of the scene, with a texture. */
function square(...nodes: string[]): void {
  const json = JSON.parse(squareGltf({ image: 'wall.png' }));
  json.nodes = nodes.map((name, i) => ({ name, mesh: 0, translation: [3 * i, 0, 0] }));
  json.scenes = [{ nodes: nodes.map((_, i) => i) }];
  put(folder, 'kit.gltf', JSON.stringify(json));
  put(folder, 'wall.png', RED_PNG);
}

/** A character with clips of these names. */
function hero(...clips: string[]): void {
  const scene = character() as SceneInput & { root: { animations: object[] } };
  const [walk] = scene.root.animations;
  const animations = clips.map((name) => ({ ...walk, name }));
  put(folder, 'hero.glb', buildGlb({ ...scene, root: { ...scene.root, animations } }));
}

const TWO_PRIMS = `#usda 1.0
( defaultPrim = "Town"
  metersPerUnit = 1
  upAxis = "Y" )
def Xform "Town" {
${['House', 'Tree']
  .map(
    (name, i) => `  def Xform "${name}" {
    double3 xformOp:translate = (${i * 5}, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Mesh "Shape" {
      int[] faceVertexCounts = [3]
      int[] faceVertexIndices = [0, 1, 2]
      point3f[] points = [(0, 0, 0), (1, 0, 0), (0, ${i + 1}, 0)]
      ${i === 0 ? '' : 'token visibility = "invisible"'}
    }
  }`,
  )
  .join('\n')}
}
`;

describe('export', () => {
  test('writes one file for one root object, geometry as it is and textures as PNG', async () => {
    square('chair');
    const { code, stdout, stderr } = await run('export', '--input', 'kit.gltf', '--output', 'out/chair.untold');
    expect([code, stdout, stderr.includes('warning')]).toEqual([0, '', false]);
    expect(names('out')).toEqual(['Textures/wall.png', 'chair.untold']);
    const inspected = JSON.parse((await run('inspect', 'out/chair.untold', '--json')).stdout);
    expect([...new Set(inspected.chunks.map(({ compression }: { compression: string }) => compression))]).toEqual([
      'none',
    ]);
    expect(inspected.fileType).toBe('tile');
  });

  test('writes a pack of the same stem for several root objects, and clears nothing', async () => {
    square('chair', 'table');
    put(folder, 'out/kit.untold', 'older');
    put(folder, 'out/Textures/other.png', 'foreign');
    const { code, stderr } = await run('export', '--input', 'kit.gltf', '--output', 'out/kit.untold');
    expect([code, stderr]).toEqual([0, expect.stringContaining('warning UC1045 out/kit.untold')]);
    expect(names('out')).toEqual([
      'Textures/HASH.png',
      'Textures/other.png',
      'chair/chair.untold',
      'kit.untold',
      'kit.untoldpack',
    ]);
    const pack = JSON.parse(readFileSync(join(folder, 'out/kit.untoldpack'), 'utf8'));
    expect(pack.models.map(({ displayName }: { displayName: string }) => displayName)).toEqual(['chair', 'table']);
    expect(new TextDecoder().decode(file('out/kit.untold'))).toBe('older');
    expect(new TextDecoder().decode(file('out/Textures/other.png'))).toBe('foreign');
  });

  test('keeps a pack that --output names, of one root object too', async () => {
    square('chair');
    expect((await run('export', '--input', 'kit.gltf', '--output', 'out/kit.untoldpack')).code).toBe(0);
    expect(names('out')).toEqual(['Textures/HASH.png', 'chair/chair.untold', 'kit.untoldpack']);
  });

  test('--optimize cooks textures, and an output of somebody else is replaced', async () => {
    square('chair');
    put(folder, 'out/chair.untold', 'of another program');
    const args = ['export', '--input', 'kit.gltf', '--output', 'out/chair.untold', '--optimize'];
    expect((await run(...args)).code).toBe(0);
    expect(names('out')).toEqual(['Textures/wall.utex', 'chair.untold']);
    const before = contents(join(folder, 'out'));
    expect((await run(...args)).code).toBe(0);
    expect(contents(join(folder, 'out'))).toEqual(before);
  });

  test.each(['lod', 'hlod', 'shared'])('--file-type %s is what the header says', async (type) => {
    square('chair');
    expect((await run('export', '--input', 'kit.gltf', '--output', 'a.untold', '--file-type', type)).code).toBe(0);
    expect((await readUntold(file('a.untold'), '')).fileType).toBe(type);
    expect((await run('validate', 'a.untold')).code).toBe(0);
  });

  test('--assets-dir takes the textures of a single file', async () => {
    square('chair');
    const args = ['export', '--input', 'kit.gltf', '--output', 'out/chair.untold', '--assets-dir', 'assets'];
    expect((await run(...args)).code).toBe(0);
    expect([names('out'), names('assets')]).toEqual([['chair.untold'], ['Textures/HASH.png']]);
    const [{ uri }] = (await readUntold(file('out/chair.untold'), '')).textures;
    expect(uri).toMatch(/^\.\.\/assets\/Textures\/\w+\.png$/);
  });

  test('--mesh-name chooses prims, and --include-hidden draws invisible ones', async () => {
    put(folder, 'town.usda', TWO_PRIMS);
    const triangles = async (...more: string[]) => {
      const args = ['export', '--input', 'town.usda', '--output', 'town.untold', '--json', ...more];
      const { code, stdout, stderr } = await run(...args);
      expect([code, stderr.includes('error')]).toEqual([0, false]);
      return JSON.parse(stdout).results[0].totals.trianglesOut;
    };
    expect(await triangles()).toBe(1);
    expect(await triangles('--include-hidden')).toBe(2);
    expect(await triangles('--include-hidden', '--mesh-name', 'Tree')).toBe(1);
    const { bounds } = JSON.parse((await run('inspect', 'town.untold', '--json')).stdout);
    expect(bounds.max).toEqual([6, 2, 0]);
  });

  test('--mesh-name chooses nodes of glTF by their names, else by those of their meshes', async () => {
    square('chair', 'table');
    const json = JSON.parse(readFileSync(join(folder, 'kit.gltf'), 'utf8'));
    json.nodes[1].children = [2];
    json.nodes.push({ name: 'vase', mesh: 1, translation: [0, 2, 0] });
    json.meshes.push({ ...json.meshes[0], name: 'Vase.001' });
    put(folder, 'kit.gltf', JSON.stringify(json));
    const exported = async (name: string) => {
      const args = ['--input', 'kit.gltf', '--output', `${name}.untold`, '--mesh-name', name];
      const { code, stderr } = await run('export', ...args);
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('UC')]);
      const { entities, bounds } = JSON.parse((await run('inspect', `${name}.untold`, '--json')).stdout);
      return [entities.map((entity: { name: string }) => entity.name), bounds.min];
    };
    expect(await exported('table')).toEqual([
      ['table', 'vase'],
      [3, 0, 0],
    ]);
    expect(await exported('vase')).toEqual([['vase'], [3, 2, 0]]);
    expect(await exported('Vase.001')).toEqual([['vase'], [3, 2, 0]]);
    const { code, stderr } = await run('cook', 'kit.gltf', '--out', 'a.untold', '--select', 'nodes/3');
    expect([code, stderr]).toEqual([2, expect.stringContaining('UC1726 kit.gltf: --select nodes/3: ')]);
    expect((await run('cook', 'kit.gltf', '--out', 'a.untold', '--exclude', 'nodes/1', '--json')).code).toBe(0);
    expect(JSON.parse((await run('inspect', 'a.untold', '--json')).stdout).bounds.max).toEqual([1, 1, 0]);
  });

  test('coarser levels made by hand are no roots of their own', async () => {
    square('Tree_LOD0', 'Tree_LOD1');
    expect((await run('export', '--input', 'kit.gltf', '--output', 'a/tree.untold')).code).toBe(0);
    expect(names('a')).toEqual(['Textures/wall.png', 'tree.untold']);
  });

  test('--animation writes the one clip to --output and nothing beside it', async () => {
    hero('Walk');
    const { code, stdout } = await run(
      'export',
      '--input',
      'hero.glb',
      '--output',
      'anim/hero.untoldanim',
      '--animation',
      '--json',
    );
    expect([code, names('anim')]).toEqual([0, ['hero.untoldanim']]);
    expect(JSON.parse(stdout)).toMatchObject({
      out: 'anim/hero.untoldanim',
      bytes: file('anim/hero.untoldanim').length,
    });
    expect((await readUntold(file('anim/hero.untoldanim'), '')).clips?.map(({ name }) => name)).toEqual(['hero|Walk']);
    expect((await run('validate', 'anim/hero.untoldanim')).code).toBe(0);
  });

  test('a model comes without its clips, as there', async () => {
    hero('Walk', 'Run');
    expect((await run('export', '--input', 'hero.glb', '--output', 'out/hero.untold')).code).toBe(0);
    expect(names('out')).toEqual(['hero.untold']);
  });
});

describe('export-tiles', () => {
  test('writes the manifest beside the folder of payloads, whose name is free', async () => {
    put(folder, 'town.gltf', squareGltf({ image: 'wall.png' }));
    put(folder, 'wall.png', RED_PNG);
    put(folder, 'build/tile_exports/Textures/other.png', 'foreign');
    const tiles = (...more: string[]) =>
      run('export-tiles', '--input', 'town.gltf', '--output-dir', 'build/tile_exports', ...more);
    expect((await tiles()).code).toBe(0);
    expect(names('build')).toEqual([
      'tile_exports/Textures/other.png',
      'tile_exports/Textures/wall.png',
      'tile_exports/tile_0_0_0.untold',
      'town.json',
      'town.plan.svg',
    ]);
    const manifest = JSON.parse(readFileSync(join(folder, 'build/town.json'), 'utf8'));
    expect(manifest.payload_dir_relative_to_manifest).toBe('tile_exports');
    const payloads = manifest.files.filter(({ path }: { path: string }) => path.endsWith('.untold'));
    expect(payloads).toEqual([expect.objectContaining({ path: expect.stringMatching(/^tile_exports\/tile_0_0_0/) })]);
    expect((await run('validate', 'build/town.json')).code).toBe(0);
    // Another export replaces its own payloads and leaves the others.
    expect((await tiles('--kdtree', '--optimize')).code).toBe(0);
    expect(names('build').filter((name) => !name.startsWith('town'))).toEqual([
      'tile_exports/F01_K_RC.untold',
      'tile_exports/Textures/other.png',
      'tile_exports/Textures/wall.utex',
    ]);
  });

  test('makes the levels that are asked for, and none otherwise', async () => {
    put(folder, 'town.gltf', squareGltf());
    const levels = async (...more: string[]) => {
      const args = ['export-tiles', '--input', 'town.gltf', '--output-dir', 'a/t', '--json', ...more];
      const { stdout } = await run(...args);
      return JSON.parse(stdout).results[0].totals.levels.map(({ level }: { level: string }) => level);
    };
    expect(await levels()).toEqual([]);
    expect(await levels('--generate-lod')).toEqual(['lod1', 'lod2']);
    expect(await levels('--generate-lod', '--lod-level', '(0.3:0.4)', '--generate-hlod')).toEqual(['lod1', 'hlod']);
  });

  test('--dry-run prints a plan and writes nothing', async () => {
    put(folder, 'town.gltf', squareGltf());
    const args = ['--input', 'town.gltf', '--output-dir', 'a/t', '--dry-run', '--write-manifest-in-dry-run'];
    const { code, stdout } = await run('export-tiles', ...args, '--parallel-workers', '0');
    expect([code, filesBelow(join(folder, 'a'))]).toEqual([0, []]);
    expect(stdout).toContain('tile_0_0_0');
  });

  test('a manifest of others cannot have files removed that are not as it lists them', async () => {
    put(folder, 'town.gltf', squareGltf());
    put(folder, 'a/precious/notes.txt', 'mine');
    put(folder, 'a/.hidden/notes.txt', 'mine');
    const files = ['precious/notes.txt', '.hidden/notes.txt'].map((path) => ({ path }));
    for (const payloads of ['precious', '.hidden', '..']) {
      const text = { generator: 'untold-cook', payload_dir_relative_to_manifest: payloads, files };
      put(folder, 'a/town.json', JSON.stringify(text));
      expect((await run('export-tiles', '--input', 'town.gltf', '--output-dir', 'a/t')).code).toBe(0);
      expect(filesBelow(join(folder, 'a'))).toEqual(expect.arrayContaining(files.map(({ path }) => path)));
    }
  });
});

describe('flags', () => {
  // As the documents of the engine list them.
  const LISTED: Readonly<Record<string, string>> = {
    export: `--input --output --blender --file-type --mesh-name --convert-orientation --ConvertOrientation --source-orientation
      --assets-dir --include-hidden --animation --no-material-bake --material-bake-size --material-bake-tile --compress-geometry
      --optimize --color-grade-lut --validate --lod-levels --splat-chunk-splats --splat-coarse-levels --splat-coarse-ratio-log2
      --splat-sh-degree --splat-min-opacity --splat-max-count --splat-crop --splat-crop-margin --splat-scale
      --splat-yaw-degrees --splat-translate --splat-up-axis --splat-flip-yz --splat-environment --splat-antialiased
      --bake-color-management --color-lut-size --bake-materials`,
    'export-tiles': `--input --output-dir --blender --tile-size-x --tile-size-z --tile-size-y --auto-tile-size --quadtree --kdtree
      --min-objects-per-tile-tier --scene-profile --tier-radius --untagged-semantic-tier --floor-count --floor-band-height
      --visible-only --all-meshes --generate-lod --generate-hlod --lod-level --hlod-level --compress-geometry --optimize
      --parallel-workers --dry-run --write-manifest-in-dry-run --debug-aabb-only --sample --sample-fraction --perimeter
      --perimeter-depth --bake-color-management --color-lut-size --color-grade-lut --bake-materials --bake-resolution
      --no-bake-cache`,
    'bake-lods': '--input --ratios --min-triangles --pixels-per-triangle',
    texbake: '--input --output --slot --dir --quality --keep-temp --patch-refs',
  };

  test.each(Object.entries(EXPORTER_FLAGS))('of %s are all in the table', (command, table) => {
    expect(table.map(shownFlag).sort()).toEqual(LISTED[command].split(/\s+/).sort());
  });

  const SOURCES = {
    export: ['--input', 'kit.gltf', '--output', 'a/b.untold'],
    'export-tiles': ['--input', 'kit.gltf', '--output-dir', 'a/b'],
    texbake: ['--input', 'wall.png'],
  };

  const IDLE = Object.entries(EXPORTER_FLAGS).filter(([, table]) =>
    (table as readonly ExporterFlag[]).some(({ how }) => how === 'info'),
  );

  test.each(IDLE)('of %s without effect are accepted, each with a note', async (command, table) => {
    square('chair');
    const idle = table.filter(({ how }) => how === 'info');
    const given = idle.flatMap((row) => [shownFlag(row), ...('placeholder' in row ? ['1'] : [])]);
    const { code, stdout } = await run(command, ...SOURCES[command as keyof typeof SOURCES], ...given, '--json');
    expect(code).toBe(0);
    const notes = JSON.parse(stdout).diagnostics.filter((item: { code: string }) => item.code === 'UC1043');
    expect(notes.map(({ path }: { path: string }) => path)).toEqual(idle.map(shownFlag));
  });

  test.each([
    ['export', ['--output', 'a.untold'], 2, 'UC1002 --input'],
    ['export', ['--input', 'kit.gltf'], 2, 'UC1002 --output'],
    ['export', ['--input', 'kit.gltf', '--output', 'a.glb'], 2, 'UC1003 --output'],
    ['export', ['--input', 'kit.gltf', '--output', 'a.untold', '--animation'], 2, 'UC1003 --output'],
    ['export', ['--input', 'cloud.ply', '--output', 'a.untold'], 1, 'UC1046 cloud.ply'],
    ['export', ['--input', 'kit.gltf', '--output', 'a.untoldgs'], 1, 'UC1046 a.untoldgs'],
    ['export', ['--input', 'kit.gltf', '--output', 'a.untold', '--assets-dir', 'b'], 2, 'UC1044 --assets-dir'],
    ['export', ['--input', 'kit.gltf', '--output', 'a.untold', '--file-type', 'lod'], 2, 'UC1044 --file-type'],
    [
      'export',
      ['--input', 'kit.gltf', '--output', 'a.untold', '--mesh-name', 'sofa'],
      2,
      'UC1003 kit.gltf --mesh-name',
    ],
    ['export', ['--input', 'hero.glb', '--output', 'a.untoldanim', '--animation'], 1, 'UC1047 hero.glb'],
    ['export', ['--input', 'gone.glb', '--output', 'a.untold'], 3, 'UC1200 gone.glb'],
    ['export-tiles', ['--input', 'kit.gltf'], 2, 'UC1002 --output-dir'],
    ['export-tiles', ['--input', 'kit.gltf', '--output-dir', '.a'], 2, 'UC1003 --output-dir'],
    ['export-tiles', ['--input', 'kit.gltf', '--output-dir', 'a/b', '--tile-size-x', '10'], 2, 'UC1044 --tile-size-x'],
    ['export-tiles', ['--input', 'kit.gltf', '--output-dir', 'a/b', '--quadtree', '--kdtree'], 2, 'UC1012 --kdtree'],
    [
      'export-tiles',
      ['--input', 'kit.gltf', '--output-dir', 'a/b', '--debug-aabb-only'],
      2,
      'UC1044 --debug-aabb-only',
    ],
    [
      'export-tiles',
      ['--input', 'kit.gltf', '--output-dir', 'a/b', '--generate-lod', '--lod-level', '0.5'],
      2,
      'UC1003 --lod-level',
    ],
  ])('%s %j is refused', async (command, args, exit, said) => {
    square('chair', 'table');
    hero('Walk', 'Run');
    put(folder, 'cloud.ply', 'ply\n');
    const before = filesBelow(folder);
    const { code, stderr } = await run(command, ...args);
    expect([code, stderr]).toEqual([exit, expect.stringContaining(`error ${said}`)]);
    expect(filesBelow(folder)).toEqual(before);
  });

  test('a look has no place in a pack, which is said', async () => {
    square('chair', 'table');
    const args = ['--input', 'kit.gltf', '--output', 'a/kit.untold', '--color-grade-lut', 'look.cube', '--json'];
    const { code, stdout } = await run('export', ...args);
    expect([code, JSON.parse(stdout).diagnostics[0]]).toEqual([0, expect.objectContaining({ code: 'UC1043' })]);
  });

  test('after an unknown option of cook the message says what it is here', async () => {
    square('chair');
    const { stderr } = await run('cook', 'kit.gltf', '--output', 'a.untold');
    expect(stderr).toContain('use --out FILE.untold');
  });
});
