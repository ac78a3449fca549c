// `untold view SOURCE`: the source is cooked, and both are served until the view is closed.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readUntold } from '../../../src/formats/untold/read.ts';
import { view } from '../../../src/index.ts';
import { put, temporaryFolder } from '../../support/files.ts';

const source = resolve(import.meta.dirname, '../../../samples/courtyard.usdz');

let folder: string;
const { TMPDIR } = process.env;
beforeAll(() => {
  folder = temporaryFolder();
  // A place of its own for what calls make for themselves.
  process.env.TMPDIR = folder;
});
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true, force: true });
});

/** Folders that calls have made for themselves, and not removed. */
const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('untold-view-')).length;

test('the cook is shown, the source in full detail beside it, and nothing is left', async () => {
  const before = left();
  const { url, source: name, tiles, diagnostics, close, exitCode } = await view(source);
  expect([exitCode, tiles, diagnostics]).toEqual([0, 1, []]);
  expect(name).toMatch(/courtyard\.usdz \(cooked\)$/);
  expect(left()).toBe(before + 1);
  const json = async (path: string) => (await fetch(`${url}${path}`)).json();
  const description = (await json('view.json')) as { manifest: string; against: { name: string; file: string } };
  expect(description.manifest).toBe('courtyard.json');
  expect(description.against.name).toMatch(/courtyard\.usdz$/);
  const manifest = (await json(`set/${description.manifest}`)) as { tiles: unknown[] };
  expect(manifest.tiles).toHaveLength(1);
  const whole = new Uint8Array(await (await fetch(`${url}against/${description.against.file}`)).arrayBuffer());
  const scene = await readUntold(whole, 'whole');
  // The textures are those of the source, byte for byte.
  const texture = scene.textures.find(({ uri }) => /bricks_[0-9a-f]{8}\.png$/.test(uri))!;
  const bytes = new Uint8Array(await (await fetch(`${url}against/${texture.uri}`)).arrayBuffer());
  const original = readFileSync(resolve(import.meta.dirname, '../../../samples/textures/bricks.png'));
  expect(original.equals(bytes)).toBe(true);
  await close();
  expect(left()).toBe(before);
});

test('a source beside another output is cooked once, and an export of it is whole', async () => {
  const before = left();
  const site = join(folder, 'site');
  const { exported } = await view(source, { export: site });
  expect(exported?.files).toBeGreaterThan(10);
  expect(readdirSync(join(site, 'against'))).toContain('courtyard.untold');
  expect(left()).toBe(before);
});

test('the clips of a source are part of its export', async () => {
  const site = join(folder, 'moving');
  const sprout = resolve(import.meta.dirname, '../../../samples/glb/sprout.glb');
  expect(await view(sprout, { export: site })).toMatchObject({ exitCode: 0 });
  const { against } = JSON.parse(readFileSync(join(site, 'view.json'), 'utf8'));
  expect(against.clips.length).toBeGreaterThan(0);
  for (const { path } of against.clips) expect(readFileSync(join(site, 'against', path)).length).toBeGreaterThan(100);
});

test('what ends a cook ends the view, with its codes, and nothing is left', async () => {
  const before = left();
  const broken = put(folder, 'broken.gltf', '{"asset":{"version":"2.0"},"scenes":[{"nodes":[3]}],"scene":0}');
  const { url, exitCode, diagnostics } = await view(broken);
  expect([url, exitCode === 0]).toEqual([null, false]);
  expect(diagnostics.some(({ severity, file }) => severity === 'error' && file.endsWith('broken.gltf'))).toBe(true);
  const aborted = await view(source, { signal: AbortSignal.abort() });
  expect(aborted.diagnostics.map(({ code }) => code)).toEqual(['UC1098']);
  expect(left()).toBe(before);
});

test('a project file has no say in the cook of a source, and one that is named is refused', async () => {
  const config = put(folder, 'untold.config.json', '{}');
  const { url, exitCode, diagnostics } = await view(source, { config });
  expect([url, exitCode, diagnostics.map(({ code, path }) => [code, path])]).toEqual([
    null,
    2,
    [['UC1012', '--config']],
  ]);
});

test('a Radiance picture lights the page: its server has it, and so has an export; a broken one is told of at once', async () => {
  const head = '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n';
  const bytes = Buffer.concat([Buffer.from(head), Uint8Array.of(1, 1, 2, 120, 200, 20, 20, 129)]);
  const environmentMap = put(folder, 'sky.hdr', bytes);
  const { url, close } = await view(source, { environmentMap });
  const { environment } = (await (await fetch(`${url}view.json`)).json()) as { environment: string };
  expect(environment).toBe('sky.hdr');
  const served = Buffer.from(await (await fetch(`${url}environment.hdr`)).arrayBuffer());
  expect(served.equals(bytes)).toBe(true);
  await close();
  const site = join(folder, 'lit');
  expect((await view(source, { environmentMap, export: site })).exitCode).toBe(0);
  expect(readFileSync(join(site, 'environment.hdr')).equals(bytes)).toBe(true);
  const broken = await view(source, { environmentMap: put(folder, 'cut.hdr', bytes.subarray(0, -1)) });
  expect([broken.exitCode, broken.diagnostics.map(({ code }) => code)]).toEqual([1, ['UC2102']]);
  const plain = await view(source);
  expect((await fetch(`${plain.url}environment.hdr`)).status).toBe(404);
  await plain.close();
});
