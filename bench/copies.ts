// `npx tsx bench/copies.ts [TRIANGLES]`: what the search for copies costs and brings. A thousand stones, turned, moved and scaled into
// their vertices so that no node says that they are one; a thousand of as many vertices that all differ, which is the worst case: every mesh is
// read and none is a copy. Each is cooked whole, with and without the search. Seconds are those of the processor.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCopies } from '../src/cook/steps/copies/findCopies.ts';
import { Diagnostics } from '../src/diagnostics/diagnostic.ts';
import { diskFiles } from '../src/importers/files.ts';
import { importSource } from '../src/importers/index.ts';
import { Glb } from './glb.ts';
import { untold } from './measure.ts';
import { Shape } from './shape.ts';

const COUNT = 1000;

type Point = readonly [number, number, number];

/** Numbers from 0 to 1 that follow from a seed. */
function numbers(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A ball with bumps of `rings` rings of twice as many segments, placed by a turn about all axes, a scale and a place. */
function stone(rings: number, form: number, place: number): Shape {
  const bump = numbers(form);
  const waves = Array.from({ length: 6 }, () => [bump() * 5, bump() * 5, bump() * 0.1] as const);
  const at = numbers(place + 7);
  const [a, b, c] = [at() * 6, at() * 6, at() * 6];
  const scale = 0.5 + at();
  const centre: Point = [(place % 32) * 4, at(), Math.floor(place / 32) * 4];
  const turn = ([x, y, z]: Point): Point => {
    const [x1, y1] = [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)];
    const [y2, z2] = [y1 * Math.cos(b) - z * Math.sin(b), y1 * Math.sin(b) + z * Math.cos(b)];
    return [x1 * Math.cos(c) - z2 * Math.sin(c), y2, x1 * Math.sin(c) + z2 * Math.cos(c)];
  };
  const shape = new Shape();
  const segments = 2 * rings;
  for (let i = 0; i <= rings; i++) {
    for (let k = 0; k <= segments; k++) {
      const [u, v] = [(k / segments) * 2 * Math.PI, (i / rings) * Math.PI];
      const normal: Point = [Math.sin(v) * Math.cos(u), Math.cos(v), Math.sin(v) * Math.sin(u)];
      const radius = waves.reduce((sum, [p, q, r]) => sum + r * Math.sin(p * normal[0] + q * normal[1]), 1);
      const [x, y, z] = turn([normal[0] * radius, normal[1] * radius, normal[2] * radius]);
      const point: Point = [x * scale + centre[0], y * scale + centre[1], z * scale + centre[2]];
      shape.vertex(point, turn(normal), k / segments, i / rings);
    }
  }
  for (let i = 0; i < rings; i++) {
    for (let k = 0; k < segments; k++) {
      const first = i * (segments + 1) + k;
      const below = first + segments + 1;
      shape.indices.push(first, first + 1, below, first + 1, below + 1, below);
    }
  }
  return shape;
}

/** Writes the stones, all of one form or each of its own; gives their triangles. */
export function writeStones(triangles: number, isOneForm: boolean, path: string): number {
  const glb = new Glb(path, [{ name: 'Stone', pbrMetallicRoughness: { baseColorFactor: [0.5, 0.5, 0.45, 1] } }]);
  const rings = Math.max(3, Math.round(Math.sqrt(triangles / COUNT / 4)));
  let made = 0;
  for (let i = 0; i < COUNT; i++) {
    const shape = stone(rings, isOneForm ? 1 : i + 1, i);
    made += shape.indices.length / 3;
    glb.addNode({ name: `Stone_${i}`, mesh: glb.addMesh(`Stone_${i}`, [{ shape, material: 0 }]) });
  }
  glb.write();
  return made;
}

interface Cooked {
  /** Of the processor. */
  readonly seconds: number;
  readonly bytes: number;
}

function cooked(source: string, out: string, options: readonly string[]): Cooked {
  rmSync(out, { recursive: true, force: true });
  const { cpu: seconds } = untold('cook', source, '--out', out, '--no-cache', '--quiet', ...options);
  const isFolder = statSync(out).isDirectory();
  const files = isFolder
    ? readdirSync(out, { recursive: true, encoding: 'utf8' }).map((file) => join(out, file))
    : [out];
  const sizes = files.map((file) => statSync(file)).map((stat) => (stat.isFile() ? stat.size : 0));
  return { seconds, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Seconds of the processor that the search takes, reading meshes among them, and how many copies it finds. */
async function searched(source: string): Promise<{ readonly seconds: number; readonly found: number }> {
  const context = { files: diskFiles(null), diagnostics: new Diagnostics(), options: {} };
  const scene = await importSource(source, source, context);
  const before = process.cpuUsage();
  const { size: found } = await findCopies(scene, scene.meshes.keys());
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, found };
}

/** Ways to cook the stones. With levels a cook takes many times as long, and the search as long as without. */
const WAYS: readonly (readonly [name: string, ...options: string[]])[] = [
  ['stones.untold'],
  ['tiles', '--lod', 'none', '--hlod', 'none'],
];

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'untold-copies-'));
  try {
    for (const isOneForm of [true, false]) {
      const source = join(folder, 'stones.glb');
      const triangles = writeStones(Number(process.argv[2] ?? 10e6), isOneForm, source);
      const { seconds: search, found } = await searched(source);
      const what = `${COUNT} ${isOneForm ? 'copies' : 'different meshes'}, ${(triangles / 1e6).toFixed(2)} M triangles`;
      process.stdout.write(`${what}: the search takes ${search.toFixed(2)} s and finds ${found}\n`);
      for (const [name, ...options] of WAYS) {
        const out = join(folder, name);
        const [always, never] = ['always', 'never'].map((how) =>
          cooked(source, out, [...options, '--find-copies', how]),
        );
        const shown = ({ seconds, bytes }: Cooked) => `${seconds.toFixed(1)} s, ${(bytes / 1e6).toFixed(2)} MB`;
        const share = `${((search / never.seconds) * 100).toFixed(1)} % of the cook without it`;
        const line = `  ${[name, ...options].join(' ')}: always ${shown(always)}; never ${shown(never)}; the search is ${share}`;
        process.stdout.write(`${line}\n`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await main();
