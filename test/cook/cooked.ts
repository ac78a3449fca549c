// Cooks sources for tests and reads the single .untold back as plain triangles: the packed vertex taken apart here by the
// words of the format text, not by the code that packed it.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { CookSettings } from '../../src/config/types.ts';
import { cookSource } from '../../src/cook/cookSource.ts';
import type { CookOutcome } from '../../src/cook/types.ts';
import type { Limits } from '../../src/diagnostics/limits.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import type { UntoldMesh, UntoldScene } from '../../src/formats/untold/types.ts';

export interface Corner {
  readonly position: readonly number[];
  readonly normal: readonly number[];
  readonly uv: readonly number[];
}

export interface Triangle {
  readonly corners: readonly [Corner, Corner, Corner];
  readonly material: number;
}

export interface Cooked {
  readonly outcome: CookOutcome;
  readonly codes: readonly string[];
  readonly scene: UntoldScene;
  /** Content of a file beside the .untold, by the uri of a texture. */
  readonly texture: (uri: string) => Uint8Array;
  /** The clips beside the .untold, by their path relative to it. */
  readonly clips: ReadonlyMap<string, UntoldScene>;
  /** The bytes of the .untold and of its clips, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** A signed ten bit field of a word, as a fraction of 511. */
const tenBits = (word: number, shift: number) => ((word << (22 - shift)) >> 22) / 511;

/** IEEE 754 half precision. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The 32 bytes of each vertex: position, normal 10:10:10, tangent, UV as two halves, a second UV, colour. */
export function verticesOf({ vertices, vertexCount }: UntoldMesh): Corner[] {
  const view = new DataView(vertices.buffer, vertices.byteOffset, vertices.byteLength);
  return Array.from({ length: vertexCount }, (_, v) => {
    const at = v * 32;
    const normal = view.getUint32(at + 12, true);
    return {
      position: [0, 4, 8].map((k) => view.getFloat32(at + k, true)),
      normal: [0, 10, 20].map((shift) => tenBits(normal, shift)),
      uv: [half(view.getUint16(at + 20, true)), half(view.getUint16(at + 22, true))],
    };
  });
}

/** The corner where a column-major matrix puts it; normals by the inverse transpose, here the cross products of columns. */
function placed(corner: Corner, m: ArrayLike<number>): Corner {
  const [x, y, z] = corner.position;
  const column = (c: number) => [m[c * 4], m[c * 4 + 1], m[c * 4 + 2]];
  const [a, b, c] = [column(0), column(1), column(2)];
  const cross = (u: number[], v: number[]) =>
    [0, 1, 2].map((k) => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
  const [p, q, r] = [cross(b, c), cross(c, a), cross(a, b)];
  const normal = [0, 1, 2].map((k) => p[k] * corner.normal[0] + q[k] * corner.normal[1] + r[k] * corner.normal[2]);
  const length = Math.hypot(...normal);
  return {
    ...corner,
    position: [0, 1, 2].map((k) => Math.fround(a[k] * x + b[k] * y + c[k] * z + m[12 + k])),
    normal: normal.map((value) => value / length),
  };
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** a · b of column-major matrices. */
const product = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  Array.from({ length: 16 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + (i % 4)] * b[(i >> 2) * 4 + k], 0),
  );

/** All triangles where their entities and the parents of these put them. */
export function trianglesOf(scene: UntoldScene): Triangle[] {
  const transforms = new Map<number, ArrayLike<number>>();
  // Parents stand before their children.
  for (const { id, parent, localTransform } of scene.entities) {
    const above = transforms.get(parent);
    const isPlaced = above && IDENTITY.some((value, i) => above[i] !== value);
    transforms.set(id, isPlaced ? product(above, localTransform) : localTransform);
  }
  return scene.meshes.flatMap((mesh) => {
    const transform = transforms.get(mesh.entity) ?? IDENTITY;
    const isMoved = IDENTITY.some((value, i) => transform[i] !== value);
    const stored = verticesOf(mesh);
    const vertices = isMoved ? stored.map((vertex) => placed(vertex, transform)) : stored;
    return Array.from({ length: mesh.indices.length / 3 }, (_, t): Triangle => {
      const [a, b, c] = [0, 1, 2].map((k) => vertices[mesh.indices[t * 3 + k]]);
      return { corners: [a, b, c], material: mesh.material };
    });
  });
}

/** Cooks a file to a single .untold below `folder`; its triangles can be had when it is 'ok'. */
export async function cookToFile(
  source: string,
  folder: string,
  settings: Partial<CookSettings> = {},
  limits?: Limits,
): Promise<CookOutcome & { readonly file: string }> {
  const file = join(folder, 'out.untold');
  const outcome = await cookSource({
    source,
    root: null,
    target: { kind: 'file', path: file },
    settings: { missingTexture: 'error', tileSize: 25, compress: 'lz4', ...settings },
    policy: LENIENT,
    force: true,
    ...(limits && { limits }),
  });
  return { ...outcome, file };
}

/** Cooks files given by name (the first is the source); the single file is read back. */
export async function cookFiles(
  files: Readonly<Record<string, Uint8Array>>,
  settings: Partial<CookSettings> = {},
  limits?: Limits,
): Promise<Cooked> {
  const folder = mkdtempSync(join(tmpdir(), 'untold-item-'));
  try {
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const outcome = await cookToFile(join(folder, Object.keys(files)[0]), folder, settings, limits);
    const codes = outcome.diagnostics.map((item) => item.code);
    if (outcome.status !== 'ok') {
      const nothing = { clips: new Map(), files: new Map() };
      return { outcome, codes, scene: EMPTY, texture: () => new Uint8Array(0), ...nothing };
    }
    const scene = await readUntold(new Uint8Array(readFileSync(outcome.file)), outcome.file);
    const textures = new Map(
      scene.textures.map(({ uri }) => [
        uri,
        existsSync(join(folder, uri)) ? new Uint8Array(readFileSync(join(folder, uri))) : new Uint8Array(0),
      ]),
    );
    const written = new Map<string, Uint8Array>();
    const clips = new Map<string, UntoldScene>();
    for (const { path } of outcome.outputs) {
      if (!/\.untold(anim)?$/.test(path)) continue;
      const bytes = new Uint8Array(readFileSync(path));
      const name = relative(folder, path).replaceAll('\\', '/');
      written.set(name, bytes);
      if (path.endsWith('.untoldanim')) clips.set(name, await readUntold(bytes, path));
    }
    return { outcome, codes, scene, texture: (uri) => textures.get(uri) ?? new Uint8Array(0), clips, files: written };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const EMPTY: UntoldScene = {
  fileType: 'tile',
  worldBounds: { min: [0, 0, 0], max: [0, 0, 0] },
  entities: [],
  meshes: [],
  materials: [],
  textures: [],
};
