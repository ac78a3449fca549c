// `npx tsx bench/materials.ts [FEATURE …]`: material features of glTF, each drawn by three.js from its GLB and from what is
// cooked of it, with the viewer's materials in the same light: PSNR over the pixels that the surfaces cover, in decibels, and
// the codes of what the cook reports. Words choose the features whose names hold one. Textures are kept as they are:
// bench/textureQuality.ts measures blocks. `--pictures FOLDER` writes both pictures of each feature beside one another.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { cook } from '../src/index.ts';
import { launch } from '../test/viewer/page/browser.ts';
import { type Pictures, psnrOf, writePictures } from './materials/compared.ts';
import { FEATURES, glbOf } from './materials/features.ts';

const dist = join(import.meta.dirname, '../dist');
const MEDIA: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };
/** From here on two pictures look alike. */
const ALIKE = 40;

async function script(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'materials/page/pictures.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** Serves the page, the reading thread of the built viewer, and the files of `folder` as `set/`. */
async function serve(folder: string, page: string): Promise<Server> {
  const own = new Map([
    ['/', '<!doctype html><link rel="icon" href="data:,"><script type="module" src="pictures.js"></script>'],
    ['/pictures.js', page],
  ]);
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(url);
    const file = path.startsWith('/set/')
      ? join(folder, path.slice(5))
      : join(dist, path === '/kernel.wasm' ? '' : 'viewer', path);
    try {
      const body = own.get(path) ?? readFileSync(file);
      response.setHeader('Content-Type', MEDIA[extname(path) || '.html'] ?? 'application/octet-stream');
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/** Cooks a feature; the codes of what was reported. */
async function cooked(glb: Uint8Array, path: string): Promise<string[]> {
  writeFileSync(`${path}.glb`, glb);
  const { results } = await cook(`${path}.glb`, { out: `${path}.untold`, textures: 'keep' });
  const [{ status, diagnostics }] = results;
  const lines = diagnostics.map(({ code, message }) => `${code} ${message}`);
  if (status !== 'ok') throw new Error(`${path} is not cooked: ${lines.join('; ')}`);
  return lines;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { pictures: { type: 'string' } } });
const chosen = FEATURES.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
if (values.pictures) mkdirSync(values.pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'untold-materials-'));
const server = await serve(folder, await script());
const browser = await launch();
let alike = 0;
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  process.stdout.write('| feature | dB | the cook reports |\n| --- | --- | --- |\n');
  for (const feature of chosen) {
    const name = feature.name.replaceAll(/\W+/g, '-');
    const said = await cooked(glbOf(feature), join(folder, name));
    const made = await page.evaluate(
      (of) => (globalThis as unknown as { pictures(of: string): Promise<Pictures> }).pictures(of),
      name,
    );
    const psnr = psnrOf(made);
    if (psnr >= ALIKE) alike++;
    process.stdout.write(`| ${feature.name} | ${psnr.toFixed(1)} | ${said.join('; ')} |\n`);
    if (values.pictures) await writePictures(join(values.pictures, `${name}.png`), made);
  }
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`\n${alike} of ${chosen.length} features reach ${ALIKE} dB.\n`);
