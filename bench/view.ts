// `npx tsx bench/view.ts [MILLIONS]`: what `untold view` costs in headless Chromium, which draws in software. First the seconds
// from the start of the browser to the first picture of the sample town at 640 x 360. Then a flight over a town of so many
// million triangles (10 unless given), cooked with levels: what is loaded and dropped, and the memory that takes.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { view } from '../src/index.ts';
import type { Vec3 } from '../src/scene/types.ts';
import { placeAt, type Waypoint } from '../src/viewer/streaming/flight.ts';
import { ABSENT, CHROMIUM, launch, openPage, settled } from '../test/viewer/page/browser.ts';
import { writeTown } from './town.ts';

/** The page's own: what `evaluate` runs in the browser refers to it. */
declare const untoldViewer: {
  isPaused: boolean;
  mode: string;
  readonly rig: { place(position: Vec3, target: Vec3): void };
  advance(seconds: number): void;
  readonly state: { readonly loaded: ArrayLike<number> & Iterable<number>; readonly residentBytes: number } | null;
  readonly stage: { readonly counts: { readonly triangles: number } };
  readonly streamer: { readonly budget: number };
};

const print = (line: string) => process.stdout.write(`${line}\n`);
const root = resolve(import.meta.dirname, '..');
const WIDTH = 640;
const HEIGHT = 360;
const RUNS = 5;
/** Seconds between two looks at a flight, and of all of it. */
const STEP = 0.5;
const FLIGHT = 60;

function cooked(source: string, out: string, ...options: string[]): string {
  const args = [join(root, 'bin/untold.js'), 'cook', source, '--out', out, '--quiet', '--no-cache', ...options];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return out;
}

/** Bytes of memory of all processes of the browser, shared pages counted once. */
function browserBytes(): number {
  let bytes = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!/chrom/.test(readFileSync(`/proc/${id}/comm`, 'utf8'))) continue;
      const [, kilobytes] = /^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
      bytes += Number(kilobytes ?? 0) * 1024;
    } catch {
      // The process has ended.
    }
  }
  return bytes;
}

async function firstPicture(set: string): Promise<void> {
  const { url, close } = await view(set);
  const seconds: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const begin = performance.now();
    const browser = await launch();
    const { page } = await openPage(browser, url as string, { width: WIDTH, height: HEIGHT });
    seconds.push((performance.now() - begin) / 1000);
    await page.close();
    await browser.close();
  }
  await close();
  const sorted = seconds.sort((a, b) => a - b);
  const range = `${sorted[0].toFixed(2)} to ${sorted[RUNS - 1].toFixed(2)}`;
  print(
    `town sample, ${WIDTH} x ${HEIGHT}, start of the browser to the whole picture: ${sorted[RUNS >> 1].toFixed(2)} s (${range})`,
  );
}

async function flight(set: string, triangles: number): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(set, 'town.json'), 'utf8'));
  const { min, max } = manifest.scene_bounds as { min: Vec3; max: Vec3 };
  const high = max[1] + 20;
  // Once across, back on the other side, and out.
  const path: Waypoint[] = [
    { time: 0, position: [min[0], high, min[2]], target: [0, 0, 0] },
    { time: FLIGHT / 3, position: [max[0], high, max[2]], target: [2 * max[0], 0, 2 * max[2]] },
    { time: (2 * FLIGHT) / 3, position: [min[0], high, max[2]], target: [2 * min[0], 0, max[2]] },
    { time: FLIGHT, position: [4 * min[0], high, max[2]], target: [0, 0, 0] },
  ];
  const { url, close } = await view(set);
  const browser = await launch();
  const { page, said } = await openPage(browser, url as string, { width: WIDTH, height: HEIGHT });
  await page.evaluate(() => {
    untoldViewer.isPaused = true;
    untoldViewer.mode = 'streamed';
  });
  const peak = { resident: 0, heap: 0, browser: 0, triangles: 0 };
  let loads = 0;
  let drops = 0;
  let held = new Set<string>();
  for (let time = STEP; time <= FLIGHT; time += STEP) {
    const { position, target } = placeAt(path, time);
    const state = await page.evaluate(
      ([from, to, seconds]) => {
        untoldViewer.rig.place(from, to);
        untoldViewer.advance(seconds);
        const { loaded, residentBytes } = untoldViewer.state!;
        const { memory } = performance as unknown as { memory?: { usedJSHeapSize: number } };
        const { triangles } = untoldViewer.stage.counts;
        return { loaded: [...loaded], residentBytes, heap: memory?.usedJSHeapSize ?? 0, triangles };
      },
      [position, target, STEP] as const,
    );
    await settled(page);
    const now = new Set(state.loaded.flatMap((index, tile) => (index < 0 ? [] : [`${tile} ${index}`])));
    for (const one of now) if (!held.has(one)) loads++;
    for (const one of held) if (!now.has(one)) drops++;
    held = now;
    peak.resident = Math.max(peak.resident, state.residentBytes);
    peak.heap = Math.max(peak.heap, state.heap);
    peak.triangles = Math.max(peak.triangles, state.triangles);
    peak.browser = Math.max(peak.browser, browserBytes());
  }
  const budget = await page.evaluate(() => untoldViewer.streamer.budget);
  await browser.close();
  await close();
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  print(
    `town of ${(triangles / 1e6).toFixed(1)} M triangles, ${FLIGHT} s of flight: ${loads} payloads loaded, ${drops} dropped, ` +
      `${(peak.triangles / 1e6).toFixed(2)} M triangles drawn at most`,
  );
  print(
    `  geometry held ${mb(peak.resident)} of a budget of ${mb(budget)}, heap of the page ${mb(peak.heap)}, the whole browser ${mb(peak.browser)}`,
  );
  if (said.length > 0) print(`  said: ${said.join('; ')}`);
}

if (CHROMIUM === null) {
  print(ABSENT);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'untold-view-'));
  try {
    await firstPicture(cooked(join(root, 'samples/usda/town.usda'), join(folder, 'sample'), '--pipeline', 'outdoor'));
    const source = join(folder, 'town.glb');
    const triangles = writeTown(Number(process.argv[2] ?? 10) * 1e6, source);
    await flight(cooked(source, join(folder, 'large'), '--tile-size', '50'), triangles);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
