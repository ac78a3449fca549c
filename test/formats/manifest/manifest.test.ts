import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MANIFEST } from '../../../src/diagnostics/codes/output/manifest.ts';
import { loaderBands } from '../../../src/engine/streaming.ts';
import { type PayloadProbe, validateManifest } from '../../../src/formats/manifest/validate.ts';
import { fixture } from '../untold/edit.ts';

const tileFile = fixture('valid-v1-none.untold');
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A folder as values. */
function probe(files: Readonly<Record<string, Uint8Array>>): PayloadProbe {
  return {
    size: (path) => files[path]?.length ?? null,
    read: (path) => {
      if (!files[path]) throw new Error(`read of ${path}, which is not there`);
      return files[path];
    },
  };
}

const FOLDER = {
  'town/a.untold': tileFile,
  'town/b.untold': tileFile,
  'town/a_lod1.untold': tileFile,
  'town/a_hlod.untold': tileFile,
  'town/notes.txt': Uint8Array.of(1),
  'town/Textures/albedo.png': Uint8Array.of(2),
  'look.utex': Uint8Array.of(3),
  'look.cube': Uint8Array.of(4),
};

const tile = (id: string) => ({
  tile_id: id,
  path_relative_to_manifest: `town/${id}.untold`,
  file_size_bytes: 1212,
  bounds: { min: [5, 0, 0], max: [7, 1, 0] },
  center: [6, 0.5, 0],
});

// biome-ignore lint/suspicious/noExplicitAny: a manifest is edited into shapes that no type allows
type Loose = any;
const manifest = (): Loose => ({
  version: 3,
  partitioning_mode: 'uniform_grid',
  streaming_defaults: { streaming_radius: 50, unload_radius: 75, priority: 10 },
  shared_bucket: null,
  tiles: [tile('a'), tile('b')],
  files: [
    { path: 'town/a.untold', sha256: sha(tileFile) },
    { path: 'town/Textures/albedo.png', sha256: sha(Uint8Array.of(2)) },
  ],
});

const check = (value: unknown, files: Readonly<Record<string, Uint8Array>> = FOLDER) =>
  validateManifest(typeof value === 'string' ? value : JSON.stringify(value), 'out/town.json', probe(files));

describe('what the engine accepts', () => {
  it('a whole one', async () => {
    const report = await check(manifest());
    expect(report.diagnostics).toEqual([]);
    expect(report.payloads).toEqual(['town/a.untold', 'town/b.untold']);
    expect(report.manifest?.tiles[1].tile_id).toBe('b');
  });

  it('the smallest one', async () => {
    const smallest = `{"version":1,
      "streaming_defaults":{"streaming_radius":50,"unload_radius":120,"priority":0},
      "tiles":[{"tile_id":"t","path_relative_to_manifest":"t.untold","file_size_bytes":1212,
                "bounds":{"min":[-1,-1,-1],"max":[1,1,1]},"center":[0,0,0]}]}`;
    const files = { 't.untold': tileFile, 'Textures/albedo.png': Uint8Array.of(1) };
    expect((await check(smallest, files)).diagnostics).toEqual([]);
    expect(
      (
        await check(
          '{"version":1,"streaming_defaults":{"streaming_radius":5,"unload_radius":9,"priority":0},"tiles":[]}',
        )
      ).diagnostics,
    ).toEqual([]);
  });

  it('null for optional keys, unknown keys of any type, lights and cameras with nothing in them', async () => {
    const value = manifest();
    Object.assign(value, {
      tile_size: null,
      interior_zone: null,
      colorLUT: null,
      made_up: [{}, 1, 'x'],
      scene_bounds: 7,
    });
    Object.assign(value.tiles[0], { streaming_radius: null, lod_levels: null, interior: null, grid_coord: 'anything' });
    value.scene_lights = [{}, { light_type: 2, color: [1, 1, 1] }, { light_type: 'spot', kind: 'spot' }];
    value.scene_cameras = [{ fov_y_degrees: 50, local_transform_rows: [[1, 2], []] }];
    expect((await check(value)).diagnostics).toEqual([]);
  });

  it('the ladder of a real city, and its shared bucket with radii of its own', async () => {
    const value = manifest();
    value.streaming_defaults = { streaming_radius: 38.535, unload_radius: 57.803, priority: 10 };
    value.tiles[0].lod_levels = [
      { path: 'town/a_lod1.untold', switch_distance: 44.15 },
      { path: 'town/a_lod1.untold', switch_distance: 48.15 },
    ];
    value.tiles[0].hlod_levels = [{ path: 'town/a_hlod.untold', switch_distance: 53.8 }];
    value.shared_bucket = { ...tile('b'), tile_id: 'shared', streaming_radius: 110.1, unload_radius: 111 };
    const report = await check(value);
    expect(report.diagnostics).toEqual([]);
    expect(report.payloads).toEqual(['town/a.untold', 'town/a_lod1.untold', 'town/a_hlod.untold', 'town/b.untold']);
  });

  it('LUTs that are right', async () => {
    const value = manifest();
    value.colorLUT = {
      lutUri: 'look.utex',
      lutSize: 32,
      exposure: 0,
      gamma: 1,
      shaperMinStops: -10,
      shaperMaxStops: 6,
      displayDevice: 'sRGB',
    };
    value.colorGradeLUT = { lutUri: 'look.cube', lutSize: 33, domainMin: [0, 0, 0], domainMax: [1, 1, 1] };
    expect((await check(value)).diagnostics).toEqual([]);
  });
});

type Change = (value: Loose) => unknown;
const lut = { lutUri: 'look.utex', lutSize: 32, exposure: 0, gamma: 1, shaperMinStops: -10, shaperMaxStops: 6 };
const cube = { lutUri: 'look.cube', lutSize: 33, domainMin: [0, 0, 0], domainMax: [1, 1, 1] };
const level = (path: string, switch_distance: number) => ({ path, switch_distance });
const cases: readonly (readonly [code: string, path: string, what: string, change: Change])[] = [
  ['UC3200', '', 'no JSON', () => '{"version": 3,}'],
  ['UC3200', '', 'NaN', () => '{"version": NaN}'],
  ['UC3201', 'version', 'no version', (m) => delete m.version],
  ['UC3201', 'tiles', 'null for the tiles', (m) => (m.tiles = null)],
  ['UC3201', 'streaming_defaults/priority', 'defaults without priority', (m) => delete m.streaming_defaults.priority],
  ['UC3201', 'tiles/1/center', 'a tile without centre', (m) => delete m.tiles[1].center],
  ['UC3201', 'tiles/0/bounds/max', 'bounds without max', (m) => delete m.tiles[0].bounds.max],
  [
    'UC3201',
    'shared_bucket/bounds',
    'a bucket with null bounds',
    (m) => (m.shared_bucket = { ...tile('b'), bounds: null }),
  ],
  [
    'UC3201',
    'tiles/0/lod_levels/0/switch_distance',
    'a LOD without distance',
    (m) => (m.tiles[0].lod_levels = [{ path: 'x' }]),
  ],
  ['UC3201', 'tile_size/y', 'a tile size without y', (m) => (m.tile_size = { x: 25, z: 25 })],
  ['UC3201', 'colorLUT/gamma', 'a LUT without gamma', (m) => (m.colorLUT = { ...lut, gamma: undefined })],
  ['UC3202', '', 'an array at the top', () => '[]'],
  ['UC3202', 'version', 'a version in quotes', (m) => (m.version = '3')],
  ['UC3202', 'version', 'version 3.5', (m) => (m.version = 3.5)],
  ['UC3202', 'partitioning_mode', 'a number in an optional key', (m) => (m.partitioning_mode = 3)],
  ['UC3202', 'tiles/0/file_size_bytes', 'true as a size', (m) => (m.tiles[0].file_size_bytes = true)],
  ['UC3202', 'tiles/0/interior', '1 for true', (m) => (m.tiles[0].interior = 1)],
  ['UC3202', 'tiles/1/bounds/min/2', 'null among the bounds', (m) => (m.tiles[1].bounds.min = [0, 0, null])],
  ['UC3202', 'tiles/1', 'null among the tiles', (m) => (m.tiles[1] = null)],
  ['UC3202', 'scene_lights/0/color', 'a light colour in hex', (m) => (m.scene_lights = [{ color: '#fff' }])],
  ['UC3202', 'scene_lights/0/light_type', 'a light type of 1.5', (m) => (m.scene_lights = [{ light_type: 1.5 }])],
  ['UC3202', 'scene_cameras', 'cameras as an object', (m) => (m.scene_cameras = {})],
  [
    'UC3203',
    'streaming_defaults/streaming_radius',
    'a radius of 1e39',
    (m) => (m.streaming_defaults.streaming_radius = 1e39),
  ],
  ['UC3203', 'version', 'version 2^63', (m) => (m.version = 2 ** 63)],
  [
    'UC3203',
    'tile_size/x',
    '1e400',
    (m) => JSON.stringify({ ...m, tile_size: { x: 7, y: 8, z: 9 } }).replace('"x":7', '"x":1e400'),
  ],
  ['UC3210', 'tiles/0/bounds', 'bounds of two numbers', (m) => (m.tiles[0].bounds.max = [7, 1])],
  ['UC3210', 'tiles/0/center', 'a centre of two numbers', (m) => (m.tiles[0].center = [6, 0.5])],
  [
    'UC3211',
    'tiles/0/path_relative_to_manifest',
    'an absolute path',
    (m) => (m.tiles[0].path_relative_to_manifest = '/town/a.untold'),
  ],
  [
    'UC3211',
    'tiles/0/path_relative_to_manifest',
    'a network path',
    (m) => (m.tiles[0].path_relative_to_manifest = 'https://x.y/a.untold'),
  ],
  [
    'UC3211',
    'tiles/0/path_relative_to_manifest',
    'a drive',
    (m) => (m.tiles[0].path_relative_to_manifest = 'C:/a.untold'),
  ],
  [
    'UC3211',
    'tiles/0/path_relative_to_manifest',
    'backslashes',
    (m) => (m.tiles[0].path_relative_to_manifest = 'town\\a.untold'),
  ],
  ['UC3211', 'tiles/0/path_relative_to_manifest', 'an empty path', (m) => (m.tiles[0].path_relative_to_manifest = '')],
  [
    'UC3212',
    'tiles/0/path_relative_to_manifest',
    'a path that climbs out',
    (m) => (m.tiles[0].path_relative_to_manifest = 'town/../../a.untold'),
  ],
  [
    'UC3213',
    'tiles/0/path_relative_to_manifest',
    'another kind of file',
    (m) => Object.assign(m.tiles[0], { path_relative_to_manifest: 'town/notes.txt', file_size_bytes: 1 }),
  ],
  [
    'UC3214',
    'tiles/0/path_relative_to_manifest',
    'a missing tile',
    (m) => (m.tiles[0].path_relative_to_manifest = 'town/c.untold'),
  ],
  [
    'UC3214',
    'tiles/0/hlod_levels/0/path',
    'a missing HLOD',
    (m) => (m.tiles[0].hlod_levels = [level('town/c.untold', 60)]),
  ],
  ['UC3215', 'tiles/1/file_size_bytes', 'a wrong size', (m) => (m.tiles[1].file_size_bytes = 1213)],
  [
    'UC3215',
    'shared_bucket/file_size_bytes',
    'a wrong size of the bucket',
    (m) => (m.shared_bucket = { ...tile('b'), file_size_bytes: 0 }),
  ],
  ['UC3216', 'colorLUT', 'a LUT 65 wide', (m) => (m.colorLUT = { ...lut, lutSize: 65 })],
  ['UC3216', 'colorLUT', 'gamma 0', (m) => (m.colorLUT = { ...lut, gamma: 0 })],
  ['UC3216', 'colorLUT', 'stops the wrong way round', (m) => (m.colorLUT = { ...lut, shaperMaxStops: -10 })],
  ['UC3216', 'colorLUT', 'another display', (m) => (m.colorLUT = { ...lut, displayDevice: 'P3' })],
  ['UC3217', 'colorGradeLUT', 'a grade 130 wide', (m) => (m.colorGradeLUT = { ...cube, lutSize: 130 })],
  ['UC3217', 'colorGradeLUT', 'an empty domain', (m) => (m.colorGradeLUT = { ...cube, domainMax: [1, 0, 1] })],
  ['UC3218', 'colorLUT/lutUri', 'a missing LUT', (m) => (m.colorLUT = { ...lut, lutUri: 'gone.utex' })],
  [
    'UC3219',
    'files',
    'a listed file that is gone',
    (m) => m.files.push({ path: 'town/Textures/x.png', sha256: '0'.repeat(64) }),
  ],
  ['UC3220', 'files', 'a listed file of another content', (m) => (m.files[1].sha256 = '0'.repeat(64))],
  ['UC3230', 'tiles/1', 'two tiles of one name', (m) => (m.tiles[1].tile_id = 'a')],
  ['UC3231', 'streaming_defaults', 'unload 3 m beyond streaming', (m) => (m.streaming_defaults.unload_radius = 53)],
  ['UC3231', 'tiles/1', 'a tile with unload below streaming', (m) => (m.tiles[1].unload_radius = 20)],
  ['UC3232', 'tiles/0', 'radius 0', (m) => (m.tiles[0].streaming_radius = 0)],
  ['UC3233', 'tiles/0', 'prefetch beyond unload', (m) => (m.tiles[0].prefetch_radius = 80)],
  ['UC3234', 'tiles/0', 'a LOD too near', (m) => (m.tiles[0].lod_levels = [level('town/a_lod1.untold', 10)])],
  ['UC3234', 'tiles/0', 'an HLOD beyond unload', (m) => (m.tiles[0].hlod_levels = [level('town/a_hlod.untold', 75)])],
  [
    'UC3235',
    'tiles/0/hlod_levels',
    'two HLODs',
    (m) => (m.tiles[0].hlod_levels = [level('town/a_hlod.untold', 60), level('town/a_hlod.untold', 70)]),
  ],
  ['UC3236', 'tiles/0/bounds', 'bounds inside out', (m) => (m.tiles[0].bounds.min = [8, 0, 0])],
  ['UC3237', 'interior_zone', 'a flat zone', (m) => (m.interior_zone = { min: [0, 0], max: [1, 1] })],
  ['UC3238', 'files', 'files as an object', (m) => (m.files = {})],
  ['UC3238', 'files/0', 'a file without hash', (m) => (m.files = [{ path: 'town/a.untold' }])],
];

describe('one manifest for every code', () => {
  it.each(cases)('%s at "%s": %s', async (code, path, _what, change) => {
    const value = manifest();
    const changed = change(value);
    const { diagnostics, manifest: decoded } = await check(
      typeof changed === 'string' && changed.length > 1 && /^[[{]/.test(changed) ? changed : value,
    );
    expect(diagnostics.map((d) => [d.code, d.path])).toEqual([[code, path]]);
    expect(diagnostics[0].severity).toBe(MANIFEST[code as keyof typeof MANIFEST].severity);
    expect(diagnostics[0].file).toBe('out/town.json');
    expect(decoded === null).toBe(code < 'UC3210');
  });

  it('leaves no code of the chapter out', () => {
    const covered = new Set(cases.map(([code]) => code));
    // From here on they are about folders, not about a manifest: test/cli/validate.test.ts and verify.test.ts.
    const ofFolders = ['UC3239', 'UC3240', 'UC3241', 'UC3242', 'UC3243', 'UC3244', 'UC3245', 'UC3246'];
    expect(Object.keys(MANIFEST).filter((code) => !covered.has(code))).toEqual(ofFolders);
  });
});

it('warns of textures that payloads name and that are not there', async () => {
  const { 'town/Textures/albedo.png': _, ...without } = FOLDER;
  const value = { ...manifest(), files: undefined };
  const { diagnostics } = await check(value, without);
  expect(diagnostics.map((d) => [d.code, d.severity, d.file])).toEqual([
    ['UC3108', 'warning', 'out/town/a.untold'],
    ['UC3108', 'warning', 'out/town/b.untold'],
  ]);
});

it('tells every fault of the decode at once', async () => {
  const { diagnostics } = await check({ version: 'x', tiles: [{}], streaming_defaults: [] });
  expect(diagnostics.map((d) => `${d.code} ${d.path}`)).toEqual([
    'UC3202 version',
    'UC3202 streaming_defaults',
    'UC3201 tiles/0/tile_id',
    'UC3201 tiles/0/path_relative_to_manifest',
    'UC3201 tiles/0/file_size_bytes',
    'UC3201 tiles/0/bounds',
    'UC3201 tiles/0/center',
  ]);
});

it('refuses nesting without end', async () => {
  const { diagnostics } = await check('['.repeat(200_000));
  expect(diagnostics.map((d) => d.code)).toEqual(['UC3200']);
  const deep = await check(`{"version":1,"tiles":[],"streaming_defaults":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
  expect(deep.manifest).toBe(null);
  expect(deep.diagnostics.length).toBe(1);
});

describe('loaderBands', () => {
  it('passes a real city untouched', () => {
    expect(loaderBands(38.535, 57.803, 53.8, [44.15, 48.15])).toEqual({
      unload: 57.803,
      hlod: 53.8,
      lods: [44.15, 48.15],
    });
  });

  it('keeps one LOD at 2.1 m of an indoor ladder of 4 and 8 with an HLOD at 10', () => {
    const { unload, hlod, lods } = loaderBands(6, 10, 10, [8, 4]);
    expect([unload, hlod, lods[1]]).toEqual([10, 10, null]);
    expect(lods[0]).toBeCloseTo(2.1, 10);
  });

  it('raises unload to 4 m beyond streaming and keeps the HLOD inside', () => {
    expect(loaderBands(20, 20, 30, [])).toEqual({ unload: 24, hlod: 24, lods: [] });
    expect(loaderBands(20, 40, 39.5, [])).toEqual({ unload: 40, hlod: 39, lods: [] });
  });
});
