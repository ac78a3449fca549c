// Reads .utex files strictly, and describes any that can be opened.

import { type Diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import { type PixelFormat, UTEX_FLAGS, VERSION } from './layout.ts';
import type { Utex, UtexHeader } from './open.ts';
import { checkUtex } from './validate.ts';

/** A texture without errors: the format is known, and each mip has as many bytes as its texels take. */
export interface SoundUtex extends Utex {
  readonly header: UtexHeader & { readonly format: PixelFormat };
  readonly mips: readonly { readonly width: number; readonly height: number; readonly bytes: Uint8Array }[] &
    Utex['mips'];
}

/** The texture; its mips are views of `bytes`. Throws a SourceError with every error that the validator finds. */
export function readUtex(bytes: Uint8Array, file: string): SoundUtex {
  const { utex, diagnostics } = checkUtex(bytes, file);
  const errors = diagnostics.filter((d) => d.severity === 'error');
  if (errors.length > 0 || !utex) throw new SourceError(errors);
  // Without errors no format is unknown and no mip lacks its bytes.
  return utex as SoundUtex;
}

/** What `untold inspect` shows of a texture; plain values in a fixed order, ready for JSON. */
export interface UtexDescription {
  readonly formatVersion: number;
  readonly bytes: number;
  readonly format: string;
  /** The raw value of MTLPixelFormat. */
  readonly pixelFormat: number;
  /** Null when the pixel format is not known. */
  readonly colorSpace: 'srgb' | 'linear' | null;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly width: number;
  readonly height: number;
  readonly flags: {
    readonly hasAlpha: boolean;
    readonly premultipliedAlpha: boolean;
    readonly normalPackedXY: boolean;
  };
  /** `offset` is that of the file. */
  readonly mips: readonly {
    readonly width: number;
    readonly height: number;
    readonly offset: number;
    readonly bytes: number;
  }[];
  /** What the texture takes on the GPU: its mips without padding. */
  readonly gpuBytes: number;
}

export interface DescribedUtex {
  readonly description: UtexDescription;
  readonly diagnostics: readonly Diagnostic[];
}

/** The description of a file with everything that is wrong with it. Throws a SourceError only when it cannot be opened. */
export function describeUtex(bytes: Uint8Array, file: string): DescribedUtex {
  const { utex, diagnostics } = checkUtex(bytes, file);
  if (!utex) throw new SourceError(diagnostics);
  const { header, mips } = utex;
  const has = (flag: number) => (header.flags & flag) !== 0;
  const description = {
    formatVersion: VERSION,
    bytes: bytes.length,
    format: header.format?.name ?? `unknown ${header.pixelFormat}`,
    pixelFormat: header.pixelFormat,
    colorSpace: header.format?.colorSpace ?? null,
    blockWidth: header.blockWidth,
    blockHeight: header.blockHeight,
    width: header.width,
    height: header.height,
    flags: {
      hasAlpha: has(UTEX_FLAGS.hasAlpha),
      premultipliedAlpha: has(UTEX_FLAGS.premultipliedAlpha),
      normalPackedXY: has(UTEX_FLAGS.normalPackedXY),
    },
    mips: mips.map(({ width, height, offset, size }) => ({
      width,
      height,
      offset: header.payloadOffset + offset,
      bytes: size,
    })),
    gpuBytes: mips.reduce((sum, { size }) => sum + size, 0),
  };
  return { description, diagnostics };
}
