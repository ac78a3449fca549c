import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { presetSchema } from '../../docs/schemas/options.ts';
import { type OptionsOf, settle } from '../../src/config/options/option.ts';
import { COOK_OPTIONS, PRESET_OPTIONS, SETTING_OPTIONS } from '../../src/config/options/table.ts';
import { loadPreset, parsePreset, shippedPresets } from '../../src/config/presets.ts';
import { cookSettings } from '../../src/config/settings.ts';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';
import { DEFAULT_TILING } from '../../src/tiling/options.ts';

const FOLDER = resolve('/presets');

function parse(value: unknown): OptionsOf<typeof PRESET_OPTIONS> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return parsePreset(text, 'p.json', FOLDER);
}

function faults(action: () => unknown): string[] {
  try {
    action();
  } catch (error) {
    if (error instanceof SourceError)
      return error.diagnostics.map((d) => `${d.code} ${d.path}: ${d.message} | ${d.remedy}`);
    throw error;
  }
  return [];
}

describe('a preset', () => {
  test('holds options by their long names', () => {
    expect(
      parse({
        $schema: 'x',
        description: 'y',
        'tile-size': 12.5,
        strict: true,
        deny: ['UC3104'],
        'missing-texture': 'drop',
        scene: 'Night',
      }),
    ).toEqual({ tileSize: 12.5, strict: true, deny: ['UC3104'], missingTexture: 'drop', scene: 'Night' });
  });

  test('has paths relative to its own folder', () => {
    expect(parse({ root: '..', out: 'tiles' })).toEqual({ root: resolve('/'), out: join(FOLDER, 'tiles') });
  });

  test('has the files of a zone beside it, and its prims and boxes as they are', () => {
    const zones = ['points:seats.json', 'prim:/World/Seats', 'box:0,1,0,1,2,1'];
    expect(parse({ 'viewer-zone': zones, portal: ['prim:/World/Window'], 'keep-shadows': false })).toEqual({
      viewerZone: [`points:${join(FOLDER, 'seats.json')}`, 'prim:/World/Seats', 'box:0,1,0,1,2,1'],
      portal: ['prim:/World/Window'],
      keepShadows: false,
    });
  });

  test('may begin with a byte order mark', () => {
    expect(parse('\ufeff{"strict": false}')).toEqual({ strict: false });
  });

  test('with an unknown key is refused, and the nearest name is given', () => {
    expect(faults(() => parse({ tileSize: 3, zzzz: 1, pipeline: 'outdoor' }))).toEqual([
      'UC1009 tileSize: there is no option "tileSize" | did you mean "tile-size"?',
      expect.stringMatching(/^UC1009 zzzz: there is no option "zzzz" \| see /),
      expect.stringMatching(/^UC1009 pipeline: /),
    ]);
    expect(faults(() => parse('{"__proto__": 1, "constructor": 2}'))).toHaveLength(2);
  });

  test.each([
    ['tile-size', '25', 'a number from 0.1 to 10000'],
    ['tile-size', 0, 'a number from 0.1 to 10000'],
    ['tile-size', 1e9, 'a number from 0.1 to 10000'],
    ['format-version', 1.5, 'a whole number from 1 to 4'],
    ['format-version', 5, 'a whole number from 1 to 4'],
    ['compress', 'lz5', 'one of none, lz4, lz4-fast, zstd, meshopt, quantize, draco; did you mean lz4?'],
    ['strict', 'yes', 'true or false'],
    ['strict', null, 'true or false'],
    ['deny', 'UC3104', 'a list of texts'],
    ['deny', [1], 'a list of texts'],
    ['lod', '0.5,0.5', 'up to 8 falling numbers between 0 and 1 separated by commas, auto or none'],
    ['lod', '1', 'up to 8 falling numbers between 0 and 1 separated by commas, auto or none'],
    ['lod', [0.5], 'up to 8 falling numbers between 0 and 1 separated by commas, auto or none'],
    ['lod', '0.5,,0.2', 'up to 8 falling numbers between 0 and 1 separated by commas, auto or none'],
    ['hlod', '0.2,0.1', 'a number between 0 and 1, auto or none'],
    ['hlod', '0.0', 'a number between 0 and 1, auto or none'],
    ['scene', '', 'a text'],
    ['out', 3, 'a path'],
  ])('with %s: %j is refused', (key, value, allowed) => {
    expect(faults(() => parse({ [key]: value }))[0]).toContain(`UC1008 ${key}: "${key}" takes ${allowed} |`);
  });

  test.each(['', '[]', 'null', '3', '{', '{"a":}'])('that holds %j is malformed', (text) => {
    expect(faults(() => parse(text))[0]).toMatch(/^UC1008 :/);
  });
});

describe('layers', () => {
  test('the command line is stronger than the preset, the preset than the defaults', () => {
    const preset = { tileSize: 50, compress: 'none' } as const;
    const settings = cookSettings(settle(SETTING_OPTIONS, preset, { compress: 'zstd', tileSize: undefined }));
    expect(settings).toEqual({
      source: { purposes: ['render', 'default'], bindingPurpose: 'preview', missingAsset: 'error' },
      subdivide: 0,
      missingTexture: 'error',
      textures: {
        mode: 'utex',
        quality: null,
        maxSize: null,
        pot: 'nearest',
        mipFilter: 'linear',
        blocks: 'auto',
        psnr: 42,
        encoder: 'wasm',
        encoderVersion: null,
      },
      tileSize: 50,
      tiling: DEFAULT_TILING,
      lods: 'auto',
      hlod: 'auto',
      hlodLevels: 1,
      hlodTextureSize: 1024,
      lodCheck: 'pictures',
      lodQuality: 'good',
      instances: 'auto',
      compress: 'zstd',
      formatVersion: undefined,
    });
  });

  test('an HLOD has textures up to 1024 pixels unless told otherwise', () => {
    const size = (value: 'auto' | 'none' | '256' | undefined) =>
      cookSettings(settle(SETTING_OPTIONS, { hlod: 0.1, hlodTextureSize: value })).hlodTextureSize;
    expect([size(undefined), size('auto'), size('256'), size('none')]).toEqual([1024, 1024, 256, null]);
    expect(cookSettings(settle(SETTING_OPTIONS, { hlod: null })).hlodTextureSize).toBe(null);
  });
});

describe('the presets that come with the package', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'presets-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const load = (name: string) => loadPreset(name, folder, (path) => path);

  test('are valid, described, and differ from one another', () => {
    const shipped = shippedPresets();
    expect(shipped.map((preset) => preset.name)).toEqual(['default', 'indoor', 'outdoor']);
    const settings = shipped.map(({ name, description }) => {
      expect(description.length).toBeGreaterThan(10);
      return JSON.stringify(cookSettings(settle(PRESET_OPTIONS, load(name).values)));
    });
    expect(new Set(settings).size).toBe(settings.length);
  });

  test('default says what applies without a preset', () => {
    const defaults = cookSettings(settle(SETTING_OPTIONS));
    expect(cookSettings(settle(PRESET_OPTIONS, load('default').values))).toEqual(defaults);
  });

  test('are found by name, others by path', () => {
    writeFileSync(join(folder, 'mine.json'), '{"tile-size": 7}');
    expect(load('mine.json').values.tileSize).toBe(7);
    expect(load('./mine.json').path).toBe(join(folder, 'mine.json'));
    expect(load('outdoor').values.tileSize).toBe(50);
    expect(faults(() => load('mine'))[0]).toMatch(/UC1007.*default, indoor, outdoor/);
    expect(faults(() => load('outdor'))[0]).toMatch(/did you mean outdoor\?$/);
    expect(faults(() => load('nowhere/x.json'))[0]).toMatch(/UC1007.*does not exist/);
    expect(faults(() => load('./'))[0]).toMatch(/UC1007.*is a folder, not a file/);
  });
});

test('the schema for editors holds every option of a preset, with its values and default', () => {
  const { properties, additionalProperties } = JSON.parse(presetSchema(PRESET_OPTIONS));
  const { $schema, description, ...options } = properties;
  expect([$schema.type, description.type, additionalProperties]).toEqual(['string', 'string', false]);
  expect(Object.keys(options).sort()).toEqual(PRESET_OPTIONS.map(({ name }): string => name).sort());
  // One of each kind.
  expect(options).toMatchObject({
    remote: { type: 'boolean' },
    partition: { enum: ['grid', 'quadtree', 'kdtree'], default: 'grid' },
    'tile-size': { type: 'number', minimum: 0.1, maximum: 10000, default: 25 },
    lod: { type: 'string', minLength: 1, default: 'auto' },
    hlod: { type: 'string', minLength: 1, default: 'auto' },
    purpose: { type: 'array', items: { enum: ['default', 'render', 'proxy', 'guide'] }, minItems: 1 },
    select: { type: 'array', items: { type: 'string', pattern: '^(?:(?:\\/[^/.:,<>{}[\\]]+)+|nodes\\/\\d{1,9})$' } },
  });
  expect(options['up-axis']).not.toHaveProperty('default');
});

test('a preset may hold every option of cook but the preset itself, what is of one run only', () => {
  const cook = COOK_OPTIONS.map((spec): string => spec.name).filter(
    (name) =>
      ![
        'pipeline',
        'config',
        'dry-run',
        'stdin-name',
        'only',
        'shard',
        'jobs',
        'lock-timeout',
        'memory-limit',
        'watch',
        'cache-dir',
        'cache-size',
        'cache',
        'incremental',
        'force-rebuild',
        'explain-rebuild',
        'remote-cache',
        'remote-cache-read-only',
        'report-pictures',
        'timing',
        'log',
        'report',
        'annotations',
      ].includes(name),
  );
  expect([...cook].sort()).toEqual(PRESET_OPTIONS.map((spec) => spec.name).sort());
});
