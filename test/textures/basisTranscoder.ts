// The Basis Universal transcoder that comes with three: another build, of another version, than the one that encodes.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';

interface Ktx2File {
  isValid(): boolean;
  getWidth(): number;
  getHeight(): number;
  getLevels(): number;
  getHasAlpha(): boolean;
  isUASTC(): boolean;
  startTranscoding(): number;
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number;
  transcodeImage(
    to: Uint8Array,
    level: number,
    layer: number,
    face: number,
    format: number,
    unused: number,
    channel0: number,
    channel1: number,
  ): number;
  close(): void;
  delete(): void;
}

interface Transcoder {
  readonly KTX2File: new (bytes: Uint8Array) => Ktx2File;
  initializeBasis(): void;
}

/** transcoder_texture_format::cTFRGBA32 */
const RGBA = 13;

let loading: Promise<Transcoder> | null = null;

/** Its script is written for browsers and CommonJS, in a package of modules. */
async function load(): Promise<Transcoder> {
  const require = createRequire(import.meta.url);
  const script = require.resolve('three/examples/jsm/libs/basis/basis_transcoder.js');
  const module: { exports: unknown } = { exports: {} };
  const names = ['module', 'exports', 'require', '__filename', '__dirname'];
  const run = compileFunction(readFileSync(script, 'utf8'), names, { filename: script });
  run(module, module.exports, require, script, dirname(script));
  const wasmBinary = readFileSync(script.replace(/js$/, 'wasm'));
  const transcoder = await (module.exports as (options: object) => Promise<Transcoder>)({ wasmBinary });
  transcoder.initializeBasis();
  return transcoder;
}

/** What the transcoder says of a KTX2 file, and the RGBA of each level, from the largest. */
export async function transcoded(bytes: Uint8Array) {
  loading ??= load();
  const { KTX2File } = await loading;
  const file = new KTX2File(bytes);
  try {
    if (!file.isValid() || !file.startTranscoding()) throw new Error('the transcoder refuses the file');
    const levels = Array.from({ length: file.getLevels() }, (_, level) => {
      const texels = new Uint8Array(file.getImageTranscodedSizeInBytes(level, 0, 0, RGBA));
      if (!file.transcodeImage(texels, level, 0, 0, RGBA, 0, -1, -1)) throw new Error(`level ${level} is refused`);
      return texels;
    });
    return {
      width: file.getWidth(),
      height: file.getHeight(),
      hasAlpha: file.getHasAlpha(),
      isUastc: file.isUASTC(),
      levels,
    };
  } finally {
    file.close();
    file.delete();
  }
}
