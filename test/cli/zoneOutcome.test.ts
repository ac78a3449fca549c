// What is said of a cook for a zone: the line after the source, the plan of a dry run, the log, the page, and why it is cooked again.

import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zoneLine } from '../../src/cli/documents/zoneLine.ts';
import type { ZoneFigures } from '../../src/index.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

const FIGURES: ZoneFigures = {
  boxes: [{ min: [0, 1, 0], max: [4, 2, 4] }],
  eyes: 23,
  rounds: 2,
  newShare: 0.00002,
  trianglesBefore: 1_016_896,
  trianglesSeen: 160_565,
  trianglesKept: 201_000,
  trianglesAfter: 160_519,
  casters: 3,
  whole: 0,
  trianglesWhole: 0,
  sectors: 8,
  draws: 88,
  joined: 0,
  error: 0.78125,
  proof: {
    eyes: 64,
    holes: 0,
    largestHole: 0,
    pictures: { pictures: 64, ssimMean: 0.999, ssimMin: 0.9977, colorMean: 0.0002, worst: [] },
  },
  objects: [],
};

test('the line on a zone', () => {
  expect(zoneLine(FIGURES)).toBe(
    'seen from the zone: 160,565 of 1,016,896 triangles, 201,000 with their neighbours; 160,519 in the output, simplified up to 0.78 pixels, 88 draws in 8 sectors; 0 holes from 64 places, SSIM 0.998 and more',
  );
  const one = { ...FIGURES, whole: 1, trianglesWhole: 1200, error: 0.5, draws: 1, sectors: 1 };
  expect(zoneLine(one)).toContain(
    '160,519 in the output, with 1,200 more of 1 object that stays whole, simplified up to 0.5 pixels, 1 draw in 1 sector; ',
  );
});

const schema = (name: string) =>
  new Ajv2020({ allErrors: true, validateFormats: false, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(resolve(import.meta.dirname, `../../schemas/${name}.schema.json`), 'utf8')),
  );
const LINE =
  '  seen from the zone: 2 of 2 triangles, 2 with their neighbours; 2 in the output, simplified up to 0.5 pixels, 1 draw in 8 sectors; 0 holes from 1 place';
/** Of a cook, which compares pictures too. */
const COOKED = `${LINE}, SSIM 1.000 and more`;

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
  put(folder, 'art/town.gltf', squareGltf());
  put(folder, 'art/seats.json', '[[-2, 0.5, 2]]');
  put(
    folder,
    'art/untold.config.json',
    '{"sources": ["town.gltf"], "out": "town.untold", "viewer-zone": ["points:seats.json"], "device": "iphone"}',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const cook = (...args: string[]) => untold(folder, ['cook', '--config', 'art/untold.config.json', ...args]);

test('a dry run looks, and its plan says what was seen', async () => {
  const { code, stdout } = await cook('--dry-run', '--quiet');
  expect([code, stdout.split('\n')[1]]).toEqual([0, LINE]);
});

test('a project file has its zone beside it; the outcome is in the document, the log and the page', async () => {
  const { code, stdout, stderr } = await cook(
    '--json',
    '--log-format',
    'json',
    '--report',
    'page.html',
    '--depfile',
    'town.d',
  );
  expect(code).toBe(0);
  const document = JSON.parse(stdout);
  const check = schema('cook');
  check(document);
  expect(check.errors).toBe(null);
  expect(document.results[0].totals).toMatchObject({
    trianglesIn: 2,
    zone: { trianglesBefore: 2, draws: 1, objects: [{ path: 'nodes/0', triangles: 2, seen: 2, kept: 2 }] },
  });
  expect(document.results[0].diagnostics).toEqual([]);
  const events = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const log = schema('log');
  for (const event of events) expect([event, log(event)]).toEqual([event, true]);
  const seen = events.find(({ event }) => event === 'seen');
  expect([seen.msg, seen.objects, seen.eyes]).toEqual([COOKED, undefined, 1]);
  expect(events.find(({ event }) => event === 'cooked').zone).toBe(undefined);
  const page = readFileSync(join(folder, 'page.html'), 'utf8');
  expect(page).toContain('<h3 id="s0-zone">Seen from the zone</h3>');
  expect(page).toContain('<td class="name">nodes/0</td>');
  // make cooks again when the places have changed.
  expect(readFileSync(join(folder, 'town.d'), 'utf8')).toContain(' art/seats.json');
});

test('a changed file of places, and another device, are why it is cooked again', async () => {
  const again = async (...args: string[]) => {
    const { code, stderr } = await cook('--explain-rebuild', ...args);
    expect(code).toBe(0);
    return stderr.split('\n').slice(0, 3);
  };
  expect(await again()).toEqual([expect.stringContaining('up to date'), COOKED, expect.stringContaining('up to date')]);
  put(folder, 'art/seats.json', '[[-2, 0.5, 2.1]]');
  expect((await again())[2]).toBe('  the places of --viewer-zone, or the numbers of --device, are others');
  expect((await again('--device', 'vision-pro'))[2]).toBe('  --device vision-pro, before iphone');
});
