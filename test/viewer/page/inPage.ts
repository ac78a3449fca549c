// Functions of the tests that run inside the page.

import { join } from 'node:path';
import { build } from 'esbuild';
import type { Viewer } from '../../../src/viewer/page/viewer.ts';

declare global {
  var colorsAt: (viewer: Viewer, places: readonly (readonly number[])[]) => number[][];
  var gltfPicture: (viewer: Viewer, glb: string, pose?: { clip: string; seconds: number }) => Promise<string>;
  var pixelsOf: (stage: Viewer['stage']) => string;
}

let script: Promise<string> | null = null;

/** A script for the page that makes `colorsAt`, `gltfPicture` and `pixelsOf`. */
export function bundled(): Promise<string> {
  script ??= build({
    entryPoints: [join(import.meta.dirname, 'gltfPicture.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  }).then(({ outputFiles }) => outputFiles[0].text);
  return script;
}
