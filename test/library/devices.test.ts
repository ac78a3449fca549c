// Devices of a project file: numbers of known devices that it replaces, and devices of its own.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deviceNamed, parseDevices } from '../../src/config/projectDevices.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { check, cook } from '../../src/index.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'red.png', RED_PNG);
  put(folder, 'square.gltf', squareGltf({ image: 'red.png' }));
  expect((await cook(at('square.gltf'), { out: at('one.untold'), root: folder })).exitCode).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parsed = (devices: unknown) => {
  const faults: Diagnostic[] = [];
  return { devices: parseDevices(devices, { file: 'untold.config.json', faults }), faults };
};

test('a device takes the numbers of its base, replaces some, and takes some away', () => {
  const { devices, faults } = parsed({
    headset: { base: 'vision-pro', title: 'My headset', textures: '300MB', draws: 250, triangles: null },
    next: { base: 'headset', draws: 10, 'pixels-per-degree': 50, 'microseconds-a-draw': 4 },
    bare: { entities: 5 },
    mac: { textures: '1GB' },
  });
  expect(faults).toEqual([]);
  const headset = deviceNamed('headset', devices, 'untold.config.json');
  expect(headset.title).toBe('My headset');
  expect(headset.limits.textures).toEqual({ value: 3e8, kind: 'advice', source: 'untold.config.json sets it' });
  expect([headset.limits.draws?.value, headset.limits.triangles, headset.limits.entities?.value]).toEqual([
    250,
    undefined,
    200,
  ]);
  const next = deviceNamed('next', devices, '');
  expect([next.limits.draws?.value, next.limits.textures?.value, next.pixelsPerDegree, next.secondsADraw]).toEqual([
    10, 3e8, 50, 4e-6,
  ]);
  expect(deviceNamed('bare', devices, '').limits).toEqual({
    entities: { value: 5, kind: 'advice', source: ' sets it' },
  });
  const mac = deviceNamed('mac', devices, '');
  expect([mac.title, mac.limits.textures?.value, mac.limits.geometry?.kind]).toEqual(['Mac', 1e9, 'limit']);
});

test('what a device cannot say is refused, with the nearest name', () => {
  const { faults } = parsed({
    a: { texture: '1MB', draws: '100', base: 'vision-por' },
    b: { base: 'c' },
    c: { base: 'b' },
    d: { base: 'd' },
    'no name': {},
    e: 5,
  });
  expect(faults.map(({ code, path, message, remedy }) => [code, path, message, remedy.slice(0, 27)])).toEqual([
    ['UC1009', 'devices/a/texture', 'a device has no "texture"', 'did you mean "textures"?'],
    ['UC1008', 'devices/a/draws', '"draws" takes a whole number from 1 to 1000000000000', expect.any(String)],
    ['UC1008', 'devices/no name', expect.stringContaining('is no name of a device'), expect.any(String)],
    ['UC1008', 'devices/e', 'a device is a JSON object with its numbers', expect.any(String)],
    ['UC1008', 'devices/a/base', 'there is no device "vision-por"', 'did you mean "vision-pro"?'],
    ['UC1008', 'devices/b/base', '"b" stands on itself', 'name a device that does not'],
    ['UC1008', 'devices/c/base', '"c" stands on itself', 'name a device that does not'],
    ['UC1008', 'devices/d/base', '"d" stands on itself', 'name a device that does not'],
  ]);
  expect(parsed([]).faults).toMatchObject([{ code: 'UC1008', path: 'devices' }]);
});

test('cook and check take the devices of the project, and refuse names that nothing has', async () => {
  put(
    folder,
    'untold.config.json',
    JSON.stringify({ device: 'tiny', devices: { tiny: { base: 'mac', textures: '8B' } } }),
  );
  const cooked = await untold(folder, ['cook', 'square.gltf', '--out', 'again.untold', '--json']);
  const [verdict] = JSON.parse(cooked.stdout).verdicts;
  expect([verdict.device, verdict.fits]).toEqual(['tiny', false]);
  expect(cooked.stderr).toContain('UC2241');
  expect(cooked.stderr).toContain('untold.config.json sets it');
  const checked = await untold(folder, ['check', 'one.untold']);
  expect(checked.stdout).toContain('over for tiny: textures');
  // The library reads a project file only where it is asked to.
  expect((await check(at('one.untold'))).document?.device).toBe('vision-pro');
  const named = await check(at('one.untold'), { device: 'tiny', config: at('untold.config.json') });
  expect(named.document?.fits).toBe(false);
  for (const command of [
    ['check', 'one.untold'],
    ['cook', 'square.gltf', '--out', 'x.untold'],
  ]) {
    const { code, stderr } = await untold(folder, [...command, '--device', 'tny']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/UC1003.*tny.*vision-pro.*tiny; did you mean tiny\?/s)]);
  }
});
