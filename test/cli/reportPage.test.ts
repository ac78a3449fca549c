// `--report NAME.html`: the outcome of a call as one page that loads nothing.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gltf, plain, type Thing } from '../cook/things.ts';
import { sphere } from '../geometry/packed.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cook = (...args: string[]) =>
  untold(folder, ['cook', ...args, '--cache-dir', 'cache', '--quiet', '--report', 'page.html']);
const page = (name = 'page.html') => readFileSync(join(folder, name), 'utf8');

/** Elements that HTML closes by itself. */
const VOID = /<(meta|img|input|br)((?:"[^"]*"|[^">])*)>/g;

/** The elements of a page with their attributes, and its text. Fails where it is not well formed. */
function parsed(html: string): { elements: { name: string; attributes: Record<string, string> }[]; text: string } {
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  let text = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => elements.push({ name, attributes: attributes as never }));
  parser.on('text', (part) => {
    text += part;
  });
  // A script is text in HTML, and attributes without value are short.
  const script = /<script>([\s\S]*?)<\/script>/;
  const xml = html
    .replace(/^<!doctype html>/, '')
    .replace(script, '<script></script>')
    .replace(VOID, '<$1$2/>')
    .replace(/ data-sorts>/g, ' data-sorts="">')
    .replace(/<details open>/g, '<details open="">');
  parser.write(xml).close();
  return { elements, text };
}

test('holds the picture, the map, the tiles, levels, textures and time of a set, and loads nothing', async () => {
  expect(await cook('town.gltf', '--scene', 'Night', '--out', 'tiles')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const { elements, text } = parsed(page());
  const named = (name: string) => elements.filter((element) => element.name === name);
  for (const { attributes } of elements) {
    for (const name of ['src', 'href', 'action', 'data']) {
      expect(attributes[name] ?? '#').toMatch(/^(#[\w-]+|#|data:image\/png;base64,[\w+/=]+)$/);
    }
  }
  expect(named('link')).toEqual([]);
  expect(named('script')).toHaveLength(1);
  const policy = named('meta').find(({ attributes }) => attributes['http-equiv']);
  expect(policy?.attributes.content).toContain("default-src 'none'");
  expect(named('img').length).toBeGreaterThan(0);
  for (const { attributes } of named('img')) expect(attributes.alt).not.toBe('');
  expect(named('rect')).toHaveLength(
    readdirSync(join(folder, 'tiles/town')).filter((file) => /^tile/.test(file)).length,
  );
  const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { attributes } of named('a')) expect(ids).toContain(attributes.href.slice(1));
  for (const words of ['Tiles', 'Levels', 'Largest meshes and textures', 'Time and memory', 'red', 'ASTC']) {
    expect(text).toContain(words);
  }
});

test('what a source calls itself is text', async () => {
  const name = '<script>alert(1)</script>"onload="x" \' ]]> &lt; \u0007';
  const gltf = JSON.parse(squareGltf({ image: 'red.png' })) as Record<string, { name?: string }[]>;
  for (const list of ['nodes', 'meshes', 'materials']) for (const item of gltf[list] ?? []) item.name = name;
  put(folder, '<b>"town\'.gltf', JSON.stringify(gltf));
  expect((await cook('<b>"town\'.gltf', '--out', 'tiles')).code).toBe(0);
  const { elements, text } = parsed(page());
  expect(elements.filter((element) => element.name === 'script')).toHaveLength(1);
  expect(elements.filter((element) => element.name === 'b')).toEqual([]);
  expect(elements.flatMap(({ attributes }) => Object.keys(attributes)).filter((key) => /^on/.test(key))).toEqual([]);
  expect(text).toContain('<b>"town\'.gltf');
  expect(text).toContain('<script>alert(1)');
  expect(page()).not.toContain('<script>alert');
});

test('a source that fails, one that is skipped, and a call that is refused', async () => {
  put(folder, 'art/broken.gltf', '{');
  put(folder, 'art/empty.gltf', '{"asset":{"version":"2.0"}}');
  expect((await cook('town.gltf', 'art', '--out', 'tiles')).code).toBe(1);
  const { text } = parsed(page());
  expect(text).toMatch(/exit 1/);
  expect(text).toMatch(/art\/broken\.gltf\s+failed/);
  expect(text).toMatch(/art\/empty\.gltf\s+skipped/);
  expect(text).toMatch(/error\s+UC1301/);
  expect((await cook('gone.gltf', '--out', 'tiles')).code).toBe(3);
  expect(parsed(page()).text).toMatch(/exit 3/);
});

test('a cook is compared with the one before, and one that finds nothing changed says so', async () => {
  const again = () => cook('town.gltf', '--scene', 'Night', '--out', 'tiles');
  await again();
  expect(page()).not.toContain('Compared with the cook before');
  await again();
  expect(parsed(page()).text).toContain('Nothing has changed since it was cooked last');
  put(folder, 'town.gltf', squareGltf({ image: 'red.png', size: 3 }));
  await again();
  expect(parsed(page()).text).toContain('Compared with the cook before');
});

test('single files, plans and parts of sets', async () => {
  expect((await cook('town.gltf', '--out', 'one.untold')).code).toBe(0);
  expect(parsed(page()).elements.filter(({ name }) => name === 'img')).toHaveLength(1);
  expect((await cook('town.gltf', '--out', 'tiles', '--dry-run')).code).toBe(0);
  expect(parsed(page()).elements.filter(({ name }) => name === 'img')).toEqual([]);
  expect((await cook('town.gltf', '--out', 'part', '--shard', '0/2')).code).toBe(0);
  expect(parsed(page()).text).toContain('town.gltf');
});

describe('a file that is in the way', () => {
  test('is replaced if it is a page of ours, and else refused before anything is cooked', async () => {
    writeFileSync(join(folder, 'page.html'), '<!doctype html>\n<p>mine</p>');
    const { code, stderr } = await cook('town.gltf', '--out', 'tiles');
    expect([code, stderr]).toEqual([2, expect.stringContaining('UC4001')]);
    expect(page()).toBe('<!doctype html>\n<p>mine</p>');
    rmSync(join(folder, 'page.html'));
    expect((await cook('town.gltf', '--out', 'tiles')).code).toBe(0);
    expect((await cook('town.gltf', '--out', 'tiles')).code).toBe(0);
  });
});

test('validate writes one too', async () => {
  await cook('town.gltf', '--out', 'tiles');
  expect((await untold(folder, ['validate', 'tiles', '--quiet', '--report', 'sound.html'])).code).toBe(0);
  expect(parsed(page('sound.html')).text).toContain('tiles/town.json');
});

test('a report says what its page takes, and draws ten levels of many, or all that there are', async () => {
  const things = [0, 1, 2, 3].map(
    (i): Thing => ({ mesh: sphere(12 + 60 * i, 2, 12, 2, 24), material: 0, name: `Ball_${i}` }),
  );
  put(folder, 'balls.gltf', gltf(things, [plain('paint', [1, 0, 0])]));
  const settings = ['--tile-size', '25', '--lod', '0.5,0.2', '--hlod', '0.1', '--lod-check', 'geometry'];
  const out = ['--out', 'balls', '--cache-dir', 'cache', '--report', 'page.html'];
  const cooked = (...more: string[]) => untold(folder, ['cook', 'balls.gltf', ...settings, ...out, ...more]);
  expect((await cooked()).stderr).toMatch(/^the page of the report took [\d.]+ m?s$/m);
  const levels = () => page().match(/<article class="level"/g)?.length ?? 0;
  expect(page()).toMatch(/The tables and pictures of this page took [\d.]+ s besides/);
  expect(levels()).toBe(10);
  expect(page()).toContain('--report-pictures all');
  await cooked('--report-pictures', 'all');
  expect(levels()).toBeGreaterThan(10);
  expect(page()).not.toContain('--report-pictures all');
  expect((await cooked('--report-pictures', 'some')).code).toBe(2);
});
