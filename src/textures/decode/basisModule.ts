// The WASM module of ktx2-encoder, which is Basis Universal: its transcoder, which the interface of that package does not
// expose, and its encoder. Loaded when the first KTX2 image needs it.

import { loadLibrary, requireWasmMemory } from '../../diagnostics/environment.ts';

/** The part of the module's KTX2File that is used (Basis Universal 2.5, webgl/encoder/basis_wrappers.cpp). */
export interface Ktx2File {
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

/** The part of the module's BasisEncoder that is used. Its sources are RGBA, rows from the top. */
export interface BasisEncoder {
  /** Otherwise it prints on stdout. */
  setStatusOutput(on: boolean): void;
  setCreateKTX2File(on: boolean): void;
  /** Otherwise ETC1S. */
  setUASTC(on: boolean): void;
  setPerceptual(on: boolean): void;
  setKTX2AndBasisSRGBTransferFunc(isSrgb: boolean): void;
  setKTX2UASTCSupercompression(on: boolean): void;
  /** The effort for UASTC, 0 to 4. */
  setPackUASTCFlags(level: number): void;
  /** Of ETC1S, 1 to 255. */
  setQualityLevel(quality: number): void;
  /** The effort for ETC1S, 0 to 6. */
  setETC1SCompressionLevel(level: number): void;
  setMipGen(on: boolean): void;
  /** Whether mips are made in linear light of texels in sRGB. */
  setMipSRGB(on: boolean): void;
  setMipRenormalize(on: boolean): void;
  setMipFilter(name: string): void;
  /** Kind of the source: 0 for texels as they are. */
  setSliceSourceImage(slice: number, rgba: Uint8Array, width: number, height: number, kind: number): boolean;
  /** Gives how many bytes it wrote; 0: it failed. */
  encode(to: Uint8Array): number;
  delete(): void;
}

export interface BasisModule {
  readonly KTX2File: new (bytes: Uint8Array) => Ktx2File;
  readonly BasisEncoder: new () => BasisEncoder;
  readonly transcoder_texture_format: { readonly cTFRGBA32: { readonly value: number } };
}

let loading: Promise<BasisModule> | null = null;

/** Throws UC1101 and UC1102. */
export function loadBasis(): Promise<BasisModule> {
  loading ??= loadLibrary('ktx2-encoder', async () => {
    requireWasmMemory();
    const { NodeBasisEncoder } = await import('ktx2-encoder');
    return (await new NodeBasisEncoder().init()) as unknown as BasisModule;
  });
  return loading;
}

/** Whoever needs the module next gets a new one: the memory of this one may be corrupt, or have grown large. */
export function forgetBasis(): void {
  loading = null;
}
