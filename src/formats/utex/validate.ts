// Every rule for a .utex file, one code each: what the engine refuses, what it does not check and then reads wrongly, and what
// it passes over. What its own baker writes has no errors.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { kernel } from '../../kernel/kernel.ts';
import { Findings } from '../findings.ts';
import { isHalfFinite } from '../untold/container/layout.ts';
import {
  ALIGNMENT,
  aligned,
  fullMipCount,
  HEADER,
  HEADER_BYTES,
  KNOWN_FLAGS,
  MAX_SIDE,
  MIP_RECORD_BYTES,
  mipBytes,
  mipSide,
  type PixelFormat,
  UTEX_FLAGS,
} from './layout.ts';
import { openUtex, type Utex, type UtexMip } from './open.ts';

export interface CheckedUtex {
  /** Null when header or table of mips cannot be read. */
  readonly utex: Utex | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Opens a file and checks all of it; `file` is the name for messages. Never throws for what the bytes hold. */
export function checkUtex(bytes: Uint8Array, file: string): CheckedUtex {
  const findings = new Findings(file);
  const utex = openUtex(bytes, findings);
  if (utex) {
    checkHeader(utex, bytes, findings);
    checkMips(utex, findings);
    checkPayload(utex, bytes, findings);
    const { format } = utex.header;
    if (format?.kind === 'astc') checkBlocks(utex, format, findings);
    if (format?.kind === 'rgba16Float') checkHalves(utex, findings);
  }
  return { utex, diagnostics: findings.list() };
}

/** All findings of a file: errors and warnings, in the order of the checks. */
export function validateUtex(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  return checkUtex(bytes, file).diagnostics;
}

function checkHeader({ header, mips }: Utex, bytes: Uint8Array, findings: Findings): void {
  const { format, pixelFormat, blockWidth, blockHeight, width, height, flags } = header;
  if (!format)
    findings.report(
      'UC3303',
      'header',
      `unknown pixel format: pixel format ${pixelFormat} at byte ${HEADER.pixelFormat}`,
    );
  else if (blockWidth !== format.blockWidth || blockHeight !== format.blockHeight) {
    const message = `${blockWidth}x${blockHeight} at byte ${HEADER.blockWidth}, ${format.name} has blocks of`;
    findings.report(
      'UC3303',
      'header',
      `block size is not that of the pixel format: ${message} ${format.blockWidth}x${format.blockHeight}`,
    );
  }
  if (width === 0 || height === 0 || Math.max(width, height) > MAX_SIDE) {
    findings.report('UC3306', 'header', `${width} x ${height} texels`);
  }
  const [largest] = mips;
  if (largest.width !== width || largest.height !== height) {
    const message = `${width} x ${height} texels at byte ${HEADER.width}, mip 0 has ${largest.width} x ${largest.height}`;
    findings.report('UC3303', 'header', `size of the header is not that of the first mip: ${message}`);
  }
  const tableEnd = HEADER_BYTES + mips.length * MIP_RECORD_BYTES;
  if (header.payloadOffset !== tableEnd) {
    const message = `${header.payloadOffset} at byte ${HEADER.payloadOffset}, the table of mips ends at ${tableEnd}`;
    findings.report('UC3303', 'header', `payload does not follow the table of mips: ${message}`);
  }
  const unknown = (flags & ~KNOWN_FLAGS) >>> 0;
  if (unknown !== 0)
    findings.report(
      'UC3330',
      'header',
      `unknown flags of a texture: bits 0x${unknown.toString(16)} at byte ${HEADER.flags}`,
    );
  if ((flags & UTEX_FLAGS.premultipliedAlpha) !== 0) {
    findings.report('UC3332', 'header', `flags ${flags} at byte ${HEADER.flags}`);
  }
  if ((flags & UTEX_FLAGS.normalPackedXY) !== 0 && format && !holdsNormals(format)) {
    findings.report('UC3336', 'header', `${format.name} ${format.colorSpace}`);
  }
  const reserved = bytes.subarray(HEADER.reservedWords, HEADER_BYTES);
  if (bytes[HEADER.reservedBytes] !== 0 || bytes[HEADER.reservedBytes + 1] !== 0 || reserved.some((b) => b !== 0)) {
    findings.report(
      'UC3330',
      'header',
      `reserved bytes of a texture are not 0: bytes ${HEADER.reservedBytes} and ${HEADER.reservedWords} to 63 are not all 0`,
    );
  }
}

/** Only linear colours of four channels hold the X and Y of normals as green and alpha. */
function holdsNormals({ kind, colorSpace }: PixelFormat): boolean {
  return kind !== 'r16Unorm' && colorSpace === 'linear';
}

function checkMips({ header, mips }: Utex, findings: Findings): void {
  const { format, width, height } = header;
  // The rules of a chain follow from mip 0, of which the engine makes the texture.
  const [largest] = mips;
  for (const [level, mip] of mips.entries()) {
    const place = `mips/${level}`;
    const wanted = [mipSide(largest.width, level), mipSide(largest.height, level)];
    const isPast = level >= fullMipCount(Math.max(1, largest.width), Math.max(1, largest.height));
    if (mip.width !== wanted[0] || mip.height !== wanted[1] || isPast) {
      const why = isPast ? 'the mip before has one texel' : `mip 0 makes it ${wanted.join(' x ')}`;
      findings.report('UC3303', place, `mips are no chain: ${mip.width} x ${mip.height} texels, ${why}`);
    }
    const size = format ? mipBytes(format, mip.width, mip.height) : mip.size;
    if (mip.size !== size) {
      findings.report(
        'UC3303',
        place,
        `mip has not the bytes that its texels take: ${mip.size} bytes, ${mip.width} x ${mip.height} texels take ${size}`,
      );
    }
  }
  const full = fullMipCount(Math.max(1, width), Math.max(1, height));
  // A colour grade LUT is sampled without mips.
  const isLut = format?.kind === 'rgba16Float' && mips.length === 1;
  if (mips.length < full && !isLut) findings.report('UC3335', 'header', `${mips.length} mips of ${full}`);
}

/** Where the mips are, and what lies between and behind them. */
function checkPayload({ header, mips }: Utex, bytes: Uint8Array, findings: Findings): void {
  const { payloadOffset, payloadSize } = header;
  let end = 0;
  for (const [level, mip] of mips.entries()) {
    const place = `mips/${level}`;
    if (mip.bytes === null) {
      const from = payloadOffset + mip.offset;
      const held = `the payload has ${payloadSize} bytes from ${payloadOffset} on, the file ${bytes.length}`;
      findings.report(
        'UC3301',
        place,
        `mip outside the payload or the file: bytes ${from} to ${from + mip.size}; ${held}`,
      );
    }
    checkPadding(mip, payloadOffset, bytes, place, findings);
    if (mip.offset % ALIGNMENT !== 0)
      findings.report('UC3303', place, `mip not aligned to 16 bytes: begins at byte ${mip.offset} of the payload`);
    else if (mip.offset < end)
      findings.report(
        'UC3303',
        place,
        `mips overlap or are out of order: begins at byte ${mip.offset}, mips before end at ${end}`,
      );
    else if (mip.offset > aligned(end)) {
      findings.report(
        'UC3303',
        place,
        `bytes between mips that belong to none: begins at byte ${mip.offset}, mips before end at ${end}`,
      );
    }
    end = Math.max(end, mip.offset + mip.size);
  }
  if (payloadSize !== aligned(end)) {
    findings.report(
      'UC3303',
      'header',
      `payload size is not that of the mips: ${payloadSize} at byte ${HEADER.payloadSize}, the mips take ${aligned(end)}`,
    );
  }
  const fileEnd = payloadOffset + payloadSize;
  if (bytes.length > fileEnd)
    findings.report(
      'UC3330',
      '',
      `bytes behind the payload of a texture: ${bytes.length - fileEnd} bytes from byte ${fileEnd} on`,
    );
  // Mips that are cut off are reported each; this is padding of the last one.
  else if (bytes.length < fileEnd && mips.every((mip) => mip.bytes !== null)) {
    findings.report(
      'UC3301',
      '',
      `mip outside the payload or the file: the file has ${bytes.length} bytes of ${fileEnd}`,
    );
  }
}

function checkPadding(mip: UtexMip, payloadOffset: number, bytes: Uint8Array, place: string, findings: Findings): void {
  const from = payloadOffset + mip.offset + mip.size;
  const padding = bytes.subarray(from, payloadOffset + aligned(mip.offset + mip.size));
  if (mip.bytes !== null && mip.offset % ALIGNMENT === 0 && padding.some((byte) => byte !== 0)) {
    findings.report(
      'UC3330',
      place,
      `padding of a mip is not 0: ${padding.length} bytes from byte ${from} on are not all 0`,
    );
  }
}

/** Blocks that a GPU shows as magenta. */
function checkBlocks({ mips }: Utex, format: PixelFormat, findings: Findings): void {
  for (const [level, mip] of mips.entries()) {
    const blocks = mip.bytes;
    if (blocks === null || mip.size !== mipBytes(format, mip.width, mip.height)) continue;
    const count = blocks.length / format.blockBytes;
    const first = kernel.within((memory) =>
      memory.calls.firstIllegalBlock(memory.put(blocks), count, format.blockWidth, format.blockHeight),
    );
    if (first === count) continue;
    const columns = Math.ceil(mip.width / format.blockWidth);
    const where = `block ${first % columns}, ${Math.floor(first / columns)}`;
    findings.report(
      'UC3301',
      `mips/${level}`,
      `ASTC block that no LDR decoder takes: ${where} at byte ${first * format.blockBytes} of the mip`,
    );
  }
}

function checkHalves({ mips }: Utex, findings: Findings): void {
  for (const [level, { bytes }] of mips.entries()) {
    if (bytes === null) continue;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at + 2 <= bytes.length; at += 2) {
      if (isHalfFinite(view.getUint16(at, true))) continue;
      findings.report(
        'UC3330',
        `mips/${level}`,
        `texels that are not finite: bytes ${at} and ${at + 1} of the mip are no finite half float`,
      );
      break;
    }
  }
}
