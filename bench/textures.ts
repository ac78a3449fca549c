// `npx tsx bench/textures.ts [SIDE [FORTIES]] [MODE …]`: a stage with forty square textures (2048 texels a side), or several
// times forty, cooked as a whole command in each way: wall and CPU seconds, peak memory, bytes of the textures. Like a set of chessmen, it has base colours,
// normal maps whose scale is not the usual one, and packed maps whose roughness is inverted, so that texels have to change.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { childSeconds } from './peer.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');
const numbers = process.argv.slice(2).map(Number).filter(Number.isFinite);
const [side = 2048, forties = 1] = numbers;
const COLORS = 14 * forties;
const NORMALS = 13 * forties;
const PACKED = 13 * forties;

/** Waves of many sizes with grain, as photographs have it. `c`: the channel. */
function picture(kind: 'color' | 'normal' | 'packed', seed: number): Uint8Array {
  const data = new Uint8Array(side * side * 3);
  let state = seed * 7919 + 1;
  for (let y = 0, at = 0; y < side; y++) {
    for (let x = 0; x < side; x++, at += 3) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const grain = (state >>> 28) - 8;
      const wave =
        Math.sin(x / (37 + seed) + y / 300) + 0.5 * Math.cos(y / (9 + seed)) + 0.25 * Math.sin((x * y) / 9000);
      if (kind === 'normal') {
        const nx = 0.25 * Math.cos(x / (37 + seed)) + grain / 500;
        const ny = 0.2 * Math.sin(y / (19 + seed)) + grain / 700;
        data[at] = Math.round(127.5 + 127.5 * nx);
        data[at + 1] = Math.round(127.5 + 127.5 * ny);
        data[at + 2] = Math.round(127.5 + 127.5 * Math.sqrt(1 - nx * nx - ny * ny));
      } else if (kind === 'color') {
        data[at] = 130 + 60 * wave + grain;
        data[at + 1] = 110 + 50 * wave + grain;
        data[at + 2] = 90 + 30 * wave + grain;
      } else {
        data[at] = 200 + 20 * wave;
        data[at + 1] = 120 + 40 * wave + grain / 2;
        data[at + 2] = wave > 1 ? 255 : 0;
      }
    }
  }
  return data;
}

async function writeImage(path: string, kind: 'color' | 'normal' | 'packed', seed: number): Promise<void> {
  const image = sharp(picture(kind, seed), { raw: { width: side, height: side, channels: 3 } });
  writeFileSync(path, await image.png({ compressionLevel: 6 }).toBuffer());
}

const texture = (name: string, file: string, more: string) => `
      def Shader "${name}" {
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @textures/${file}@
        float2 inputs:st.connect = <../st.outputs:result>
        ${more}
        float3 outputs:rgb
        float outputs:r
        float outputs:g
        float outputs:b
      }`;

/** A square with a material of its own for each base colour. */
function stage(): string {
  const things = Array.from({ length: COLORS }, (_, i) => {
    const n = Math.min(i, NORMALS - 1);
    const p = Math.min(i, PACKED - 1);
    return `
  def Xform "Thing${i}" {
    def Mesh "square" (prepend apiSchemas = ["MaterialBindingAPI"]) {
      int[] faceVertexCounts = [4]
      int[] faceVertexIndices = [0, 1, 2, 3]
      point3f[] points = [(${i}, 0, 0), (${i}, 0, 1), (${i + 0.9}, 0, 1), (${i + 0.9}, 0, 0)]
      texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (interpolation = "vertex")
      rel material:binding = </Set/Thing${i}/Look>
    }
    def Material "Look" {
      token outputs:surface.connect = <../Look/surface.outputs:surface>
      def Shader "surface" {
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = <../color.outputs:rgb>
        normal3f inputs:normal.connect = <../normal.outputs:rgb>
        float inputs:occlusion.connect = <../packed.outputs:r>
        float inputs:roughness.connect = <../packed.outputs:g>
        float inputs:metallic.connect = <../packed.outputs:b>
        token outputs:surface
      }
      def Shader "st" {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname = "st"
        float2 outputs:result
      }${texture('color', `color${i}.png`, 'token inputs:sourceColorSpace = "sRGB"')}${texture('normal', `normal${n}.png`, 'token inputs:sourceColorSpace = "raw"\n        float4 inputs:scale = (2, -2, 2, 1)\n        float4 inputs:bias = (-1, 1, -1, 0)')}${texture('packed', `packed${p}.png`, 'token inputs:sourceColorSpace = "raw"\n        float4 inputs:scale = (1, -1, 1, 1)\n        float4 inputs:bias = (0, 1, 0, 0)')}
    }
  }`;
  });
  return `#usda 1.0
(
  defaultPrim = "Set"
  metersPerUnit = 1
  upAxis = "Y"
)
def Xform "Set" {${things.join('')}
}
`;
}

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
  mkdirSync(join(folder, 'textures'));
  for (let i = 0; i < COLORS; i++) await writeImage(join(folder, 'textures', `color${i}.png`), 'color', i);
  for (let i = 0; i < NORMALS; i++) await writeImage(join(folder, 'textures', `normal${i}.png`), 'normal', i);
  for (let i = 0; i < PACKED; i++) await writeImage(join(folder, 'textures', `packed${i}.png`), 'packed', i);
  const source = join(folder, 'set.usda');
  writeFileSync(source, stage());
  const cache = join(folder, 'cache');
  const ways: readonly (readonly [string, readonly string[]])[] = [
    ['keep', ['--textures', 'keep', '--no-cache']],
    ['utex', ['--no-cache']],
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
    const figures = `${wall.toFixed(1)} s wall, ${cpu.toFixed(1)} s CPU, ${(peak / 1e6).toFixed(0)} MB peak`;
    process.stdout.write(`${name.padEnd(9)} ${figures}; ${textures.length} textures, ${(bytes / 1e6).toFixed(1)} MB\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
