// Runs the real command line, bundle and all, as a user does.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { inject } from 'vitest';

export const BIN = resolve(import.meta.dirname, '../../bin/untold.js');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of the tests, without what changes how things are printed. */
export function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { NO_COLOR, FORCE_COLOR, CI, NODE_OPTIONS, ...rest } = process.env;
  // Tests leave nothing in the caches of whoever runs them.
  return { ...rest, NODE_DISABLE_COMPILE_CACHE: '1', ...more };
}

/** test/recordCodes.ts counts the codes that commands print. */
function printed(args: readonly string[], text: string): void {
  (globalThis as { untoldPrinted?: (args: readonly string[], text: string) => void }).untoldPrinted?.(args, text);
}

/** Runs `untold` in a folder and waits for its end. */
export function untold(cwd: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Ran {
  const fault = inject('bundleFault');
  if (fault) throw new Error(fault);
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [BIN, ...args], {
    cwd,
    encoding: 'utf8',
    env: environment(more),
    maxBuffer: 2 ** 28,
  });
  if (error) throw error;
  printed(args, stdout + stderr);
  return { code: status, stdout, stderr };
}

/** Starts `untold` and hands over the process. */
export function start(cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.on('data', (text) => printed(args, String(text)));
  return child;
}

export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'untold-')));
}

/**
 * A glTF text of one square of two triangles, `size` metres wide, standing at x = `at`; `image` is the URI of a base
 * colour texture when given.
 */
export function squareGltf(
  options: { readonly at?: number; readonly size?: number; readonly image?: string } = {},
): string {
  const { at = 0, size = 1, image } = options;
  const floats = Float32Array.of(0, 0, 0, size, 0, 0, size, size, 0, 0, size, 0, 0, 1, 1, 1, 1, 0, 0, 0);
  const bytes = Buffer.concat([Buffer.from(floats.buffer), Buffer.from(Uint16Array.of(0, 1, 2, 0, 2, 3).buffer)]);
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [
      { name: 'Day', nodes: [0] },
      { name: 'Night', nodes: [1, 2] },
    ],
    nodes: [
      { name: 'square', mesh: 0, translation: [at, 0, 0] },
      { name: 'left', mesh: 0, translation: [at - 100, 0, 0] },
      { name: 'right', mesh: 0, translation: [at + 100, 0, 0] },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
    materials: [
      {
        name: 'paint',
        pbrMetallicRoughness: {
          baseColorFactor: [1, 0.5, 0.25, 1],
          ...(image === undefined ? {} : { baseColorTexture: { index: 0 } }),
        },
      },
    ],
    ...(image === undefined ? {} : { textures: [{ source: 0 }], images: [{ uri: image }] }),
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [size, size, 0] },
      { bufferView: 1, componentType: 5126, count: 4, type: 'VEC2' },
      { bufferView: 2, componentType: 5123, count: 6, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 32 },
      { buffer: 0, byteOffset: 80, byteLength: 12 },
    ],
    buffers: [{ byteLength: 92, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
  });
}

/** A PNG of one red texel. */
export const RED_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

export function put(folder: string, path: string, content: string | Uint8Array): string {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
  return place;
}
