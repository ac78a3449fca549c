// `npx tsx bench/textures.ts [SIDE [FORTIES]] [MODE …]`: a stage with forty square textures (2048 texels a side), or several
// times forty, cooked as a whole command in each way: wall and CPU seconds, peak memory, bytes of the textures, and with gzip. forties.ts has the
// stage.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeForties } from './forties.ts';
import { childSeconds } from './peer.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const numbers = process.argv.slice(2).map(Number).filter(Number.isFinite);
const [side = 2048, forties = 1] = numbers;

interface Cost {
  readonly wall: number;
  readonly cpu: number;
  readonly peak: number;
}

function cook(source: string, out: string, options: readonly string[]): Cost {
  rmSync(out, { recursive: true, force: true });
  const begin = performance.now();
  const words = [process.execPath, cli, 'cook', source, '--out', out, '--json', '--quiet', ...options];
  const script = '"$@"; code=$?; times >&2; exit $code';
  const child = spawnSync('sh', ['-c', script, 'sh', ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const wall = (performance.now() - begin) / 1000;
  if (child.status !== 0) throw new Error(child.stderr);
  const { run } = JSON.parse(child.stdout) as { run: { peakBytes: number } };
  return { wall, cpu: childSeconds(child.stderr.trim().split('\n').slice(-2).join('\n')), peak: run.peakBytes };
}

function hasAstcenc(): boolean {
  try {
    execFileSync(process.env.ASTCENC_BIN ?? 'astcenc', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'untold-textures-'));
try {
  const source = await writeForties(folder, side, forties);
  const cache = join(folder, 'cache');
  const ways: readonly (readonly [string, readonly string[]])[] = [
    ['keep', ['--textures', 'keep', '--no-cache']],
    ['utex', ['--no-cache']],
    ['engine', ['--texture-blocks', 'engine', '--no-cache']],
    ['medium', ['--texture-quality', 'medium', '--no-cache']],
    ['thorough', ['--texture-quality', 'thorough', '--no-cache']],
    ...(hasAstcenc() ? [['astcenc', ['--astc-encoder', 'astcenc', '--no-cache']] as const] : []),
    ['cold', ['--cache-dir', cache]],
    ['warm', ['--cache-dir', cache]],
  ];
  const asked = process.argv.slice(2).filter((word) => ways.some(([name]) => name === word));
  for (const [name, options] of ways) {
    if (asked.length > 0 ? !asked.includes(name) : name === 'thorough') continue;
    const out = join(folder, 'out');
    const { wall, cpu, peak } = cook(source, out, options);
    const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const textures = files.filter(({ parentPath }) => parentPath.endsWith('Textures'));
    const bytes = textures.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
    const packed = textures.reduce(
      (sum, file) => sum + gzipSync(readFileSync(join(file.parentPath, file.name))).length,
      0,
    );
    const figures = `${wall.toFixed(1)} s wall, ${cpu.toFixed(1)} s CPU, ${(peak / 1e6).toFixed(0)} MB peak`;
    process.stdout.write(
      `${name.padEnd(9)} ${figures}; ${textures.length} textures, ${(bytes / 1e6).toFixed(1)} MB, ${(packed / 1e6).toFixed(1)} MB packed by gzip\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
