// Writes BPX containers in both layouts: header, table, then the sections one after another.

import { encodeRecord } from '../../untold/container/layout.ts';
import { byteSum, fileChecksum } from './checksum.ts';
import { packZlib } from './compress.ts';
import {
  HEADER_OFFSETS,
  KINDS,
  type Kind,
  LAYOUT_VERSION,
  LAYOUTS,
  type LayoutName,
  MAGIC,
  MAX_SECTION_BYTES,
  type SectionType,
} from './layout.ts';

export interface WrittenSection {
  readonly type: SectionType;
  readonly bytes: Uint8Array;
  /** Asks for zlib where that makes the section smaller. The crate is given no packed section: it reads none but of xz. */
  readonly isPacked?: boolean;
}

export interface WrittenContainer {
  readonly layout: LayoutName;
  readonly kind: Kind;
  readonly typeExt: Uint8Array;
  readonly sections: readonly WrittenSection[];
}

/** Throws an Error, which is a bug of the caller, for a section of 4 GiB or more. */
export function writeBpx({ layout, kind, typeExt, sections }: WrittenContainer): Uint8Array {
  const { headerBytes, sectionBytes, version, flags } = LAYOUTS[layout];
  const stored = sections.map(({ bytes, isPacked }) => {
    const packed = isPacked && layout === 'spec' ? packZlib(bytes) : bytes;
    return packed.length < bytes.length ? packed : bytes;
  });
  const tableEnd = headerBytes + sections.length * sectionBytes;
  const length = stored.reduce((sum, bytes) => sum + bytes.length, tableEnd);
  const file = new Uint8Array(length);
  const view = new DataView(file.buffer);
  let pointer = tableEnd;
  for (const [i, { type, bytes: plain }] of sections.entries()) {
    const bytes = stored[i];
    if (plain.length > MAX_SECTION_BYTES) throw new Error(`a ${type.name} of ${plain.length} bytes`);
    const at = headerBytes + i * sectionBytes;
    const entry = { pointer, size: bytes.length, type: type.type, reserved: 0 };
    if (layout === 'spec') {
      const packedFlag = bytes === plain ? 0 : flags.zlib;
      encodeRecord(LAYOUTS.spec.section, LAYOUT_VERSION, { ...entry, flags: packedFlag }, view, at);
    } else {
      const more = { plainSize: plain.length, checksum: byteSum(plain), flags: flags.sum };
      encodeRecord(LAYOUTS.crate.section, LAYOUT_VERSION, { ...entry, ...more }, view, at);
    }
    file.set(bytes, pointer);
    pointer += bytes.length;
  }
  const header = {
    magic: [...Buffer.from(MAGIC, 'latin1')],
    kind: [...KINDS].find(([, name]) => name === kind)?.[0] ?? 0,
    checksum: 0,
    fileSize: layout === 'spec' ? length - headerBytes : length,
    sectionCount: sections.length,
    version,
    typeExt: [...typeExt],
  };
  encodeRecord(LAYOUTS[layout].header, LAYOUT_VERSION, header, view, 0);
  view.setUint32(HEADER_OFFSETS.checksum, fileChecksum(layout, file, sections.length), true);
  return file;
}
