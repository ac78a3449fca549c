// Decodes Basis Universal texels to RGBA with the transcoder in the WASM module of ktx2-encoder, which the interface of that
// package does not expose. Takes only files that ktx2.ts has checked. Loaded when the first KTX2 image needs it.

import { SourceError } from '../../diagnostics/diagnostic.ts';
import { environmentFault, loadLibrary, requireWasmMemory } from '../../diagnostics/environment.ts';
import { ImageFault } from './fault.ts';
import type { Pixels } from './pixels.ts';

/** The part of the module's KTX2File that is used (Basis Universal 2.5, webgl/encoder/basis_wrappers.cpp). */
interface Ktx2File {
  isValid(): boolean;
  getWidth(): number;
  getHeight(): number;
  startTranscoding(): number;
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number;
  /** Returns 0 when it failed. Flags: none; -1 leaves the choice of channels to the format. */
  transcodeImage(
    to: Uint8Array,
    level: number,
    layer: number,
    face: number,
    format: number,
    getAlphaForOpaqueFormats: number,
    channel0: number,
    channel1: number,
  ): number;
  close(): void;
  delete(): void;
}

interface BasisModule {
  readonly KTX2File: new (bytes: Uint8Array) => Ktx2File;
  readonly transcoder_texture_format: { readonly cTFRGBA32: { readonly value: number } };
}

let loading: Promise<BasisModule> | null = null;

/** Throws UC1101 and UC1102. */
function loadBasis(): Promise<BasisModule> {
  loading ??= loadLibrary('ktx2-encoder', async () => {
    requireWasmMemory();
    const { NodeBasisEncoder } = await import('ktx2-encoder');
    return (await new NodeBasisEncoder().init()) as unknown as BasisModule;
  });
  return loading;
}

/** The first level of a checked KTX2 file; a fault when the decoder refuses its texels. */
export async function transcodeKtx2(bytes: Uint8Array, width: number, height: number): Promise<Pixels | ImageFault> {
  const module = await loadBasis();
  const damaged = (what: string) => new ImageFault('damaged', `KTX2 image ${what}`);
  let file: Ktx2File | null = null;
  try {
    file = new module.KTX2File(bytes);
    if (!file.isValid() || file.getWidth() !== width || file.getHeight() !== height) return damaged('is refused');
    if (!file.startTranscoding()) return damaged('has codebooks or blocks that cannot be decoded');
    const format = module.transcoder_texture_format.cTFRGBA32.value;
    const size = file.getImageTranscodedSizeInBytes(0, 0, 0, format);
    if (size !== width * height * 4) return damaged(`decodes to ${size} bytes`);
    const data = new Uint8Array(size);
    if (!file.transcodeImage(data, 0, 0, 0, format, 0, -1, -1)) return damaged('cannot be decoded');
    return { width, height, data };
  } catch (error) {
    // The module's memory may be corrupt: the next image gets a new module.
    loading = null;
    file = null;
    const fault = environmentFault(error, '');
    if (fault) throw new SourceError(fault);
    return damaged(`cannot be decoded: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  } finally {
    file?.close();
    file?.delete();
  }
}
