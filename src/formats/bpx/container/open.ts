// Opens a BPX container: which of the two layouts it has, its header, its table of sections, and what the sections hold once they are
// unpacked. What the bytes mean is for the readers of kinds. A broken rule becomes a finding, and reading goes on while it
// can.

import { crc32 } from '../../../bytes/crc32.ts';
import type { Findings } from '../../findings.ts';
import { decodeRecord } from '../../untold/container/layout.ts';
import { byteSum, fileChecksum, shortCrc } from './checksum.ts';
import { unpackXz, unpackZlib } from './compress.ts';
import {
  HEADER_OFFSETS,
  isBpx,
  KINDS,
  type Kind,
  LAYOUT_VERSION,
  LAYOUTS,
  type LayoutName,
  MAX_UNPACKED_BYTES,
  SECTION_TYPES,
  type SectionType,
} from './layout.ts';

export interface BpxSection {
  /** As references of this layout count it. */
  readonly number: number;
  readonly type: number;
  /** For messages: `sections/2 IndexArray`. */
  readonly place: string;
  readonly flags: number;
  /** Where it is stored in the file, and how many bytes of it are. */
  readonly pointer: number;
  readonly storedSize: number;
  /** Unpacked; a view of the file where it is not packed. Null when it cannot be read. */
  readonly bytes: Uint8Array | null;
}

export interface BpxContainer {
  readonly layout: LayoutName;
  readonly kind: Kind;
  readonly version: number;
  readonly typeExt: Uint8Array;
  readonly sections: readonly BpxSection[];
}

/** An entry of either table. The last two are null in `spec`. */
interface Entry {
  readonly pointer: number;
  readonly size: number;
  readonly type: number;
  readonly flags: number;
  readonly reserved: number;
  readonly plainSize: number | null;
  readonly checksum: number | null;
}

interface Opened {
  readonly layout: LayoutName;
  readonly kind: Kind;
  readonly version: number;
  readonly sectionCount: number;
  readonly types: readonly SectionType[];
}

/** Null, with UC3600, UC3601, UC3604, UC3605 or UC3610, when header or table cannot be read. `limit` is what sections may unpack to. */
export async function openBpx(
  file: Uint8Array,
  findings: Findings,
  limit = MAX_UNPACKED_BYTES,
): Promise<BpxContainer | null> {
  // slice() of a Buffer is a view; readers copy with it.
  const bytes = new Uint8Array(file.buffer, file.byteOffset, file.length);
  const opened = openHeader(bytes, findings);
  if (!opened) return null;
  const { layout, kind, version, sectionCount, types } = opened;
  const { headerBytes, sectionBytes, firstSection } = LAYOUTS[layout];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const checksum = fileChecksum(layout, bytes, sectionCount);
  const stated = view.getUint32(HEADER_OFFSETS.checksum, true);
  if (stated !== checksum) {
    findings.report(
      'UC3605',
      'header',
      `BPX checksum is not that of the file: ${stated} at byte ${HEADER_OFFSETS.checksum}, the file gives ${checksum}`,
    );
  }
  const entries = Array.from({ length: sectionCount }, (_, i): Entry => {
    const at = headerBytes + i * sectionBytes;
    if (layout === 'crate') return decodeRecord(LAYOUTS.crate.section, LAYOUT_VERSION, view, at);
    return { ...decodeRecord(LAYOUTS.spec.section, LAYOUT_VERSION, view, at), plainSize: null, checksum: null };
  });
  const places = entries.map(({ type }, i) => {
    const known = types.find((candidate) => candidate.type === type);
    return `sections/${firstSection + i}${known ? ` ${known.name}` : ''}`;
  });
  const tableEnd = headerBytes + sectionCount * sectionBytes;
  checkTypes(entries, types, places, findings);
  const unpacker = new Unpacker(layout, limit, findings);
  const areApart = checkPlaces(entries, places, tableEnd, bytes.length, findings);
  const sections: BpxSection[] = [];
  for (const [i, entry] of entries.entries()) {
    const { type, flags, pointer, size } = entry;
    const isStored = pointer + size <= bytes.length;
    const stored = bytes.subarray(pointer, pointer + size);
    const unpacked = areApart && isStored ? await unpacker.unpack(entry, stored, places[i]) : null;
    sections.push({
      number: firstSection + i,
      type,
      place: places[i],
      flags,
      pointer,
      storedSize: size,
      bytes: unpacked,
    });
  }
  return { layout, kind, version, sections, typeExt: bytes.slice(HEADER_OFFSETS.typeExt, headerBytes) };
}

function openHeader(bytes: Uint8Array, findings: Findings): Opened | null {
  if (!isBpx(bytes)) {
    findings.report('UC3600', '', bytes.length === 0 ? 'the file is empty' : 'the file begins with other bytes');
    return null;
  }
  if (bytes.length < LAYOUTS.spec.headerBytes) {
    findings.report(
      'UC3601',
      'header',
      `BPX file shorter than its header: ${bytes.length} bytes of ${LAYOUTS.spec.headerBytes}`,
    );
    return null;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const { fileSize } = decodeRecord(LAYOUTS.spec.header, LAYOUT_VERSION, view, 0);
  const layout = layoutOf(fileSize, bytes.length);
  if (layout === null) {
    const message = `${fileSize} at byte ${HEADER_OFFSETS.fileSize}, the file has ${bytes.length} bytes`;
    findings.report('UC3601', 'header', `size in the header is not that of the BPX file: ${message}`);
    return null;
  }
  const { headerBytes, sectionBytes } = LAYOUTS[layout];
  if (bytes.length < headerBytes) {
    findings.report('UC3601', 'header', `BPX file shorter than its header: ${bytes.length} bytes of ${headerBytes}`);
    return null;
  }
  const { kind: letter, version, sectionCount } = decodeRecord(LAYOUTS[layout].header, LAYOUT_VERSION, view, 0);
  const kind = KINDS.get(letter);
  if (kind === undefined) {
    findings.report('UC3610', 'header', `unknown kind of BPX file: type ${letter} at byte ${HEADER_OFFSETS.kind}`);
    return null;
  }
  if (version !== LAYOUTS[layout].version) {
    const wanted = `version ${version} at byte ${HEADER_OFFSETS.version}, this layout has ${LAYOUTS[layout].version}`;
    findings.report('UC3604', 'header', `BPX version not supported: ${wanted}`);
    return null;
  }
  const types = SECTION_TYPES[layout][kind];
  if (types === null) {
    findings.report(
      'UC3604',
      'header',
      `kind of file that the layout of the crate does not have: a ${kind} in the layout of the crate`,
    );
    return null;
  }
  const tableEnd = headerBytes + sectionCount * sectionBytes;
  if (tableEnd > bytes.length) {
    const message = `${sectionCount} sections at byte ${HEADER_OFFSETS.sectionCount}, their table ends at ${tableEnd}`;
    findings.report('UC3601', 'header', `more sections than the BPX file holds: ${message} of ${bytes.length} bytes`);
    return null;
  }
  return { layout, kind, version, sectionCount, types };
}

/** No file size fits both. */
function layoutOf(fileSize: number, length: number): LayoutName | null {
  if (fileSize + LAYOUTS.spec.headerBytes === length) return 'spec';
  return fileSize === length ? 'crate' : null;
}

/** Which sections there are. */
function checkTypes(
  entries: readonly Entry[],
  types: readonly SectionType[],
  places: readonly string[],
  findings: Findings,
): void {
  const counts = new Map<number, number>();
  for (const [i, { type, reserved }] of entries.entries()) {
    if (reserved !== 0)
      findings.report(
        'UC3610',
        places[i],
        `reserved bytes of a section entry are not 0: ${reserved} in the reserved bytes of its entry`,
      );
    const known = types.find((candidate) => candidate.type === type);
    if (!known) findings.report('UC3610', places[i], `unknown type of section: type ${type}`);
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    if (known?.isSingle && count === 2)
      findings.report('UC3621', places[i], `section that there is only one of comes twice: a second ${known.name}`);
  }
  for (const { name, type, isRequired } of types) {
    if (isRequired && !counts.has(type))
      findings.report('UC3621', '', `required section is missing: no ${name}, type ${type}`);
  }
}

/** Whether no two sections share a byte; where they are, and what lies between them. */
function checkPlaces(
  entries: readonly Entry[],
  places: readonly string[],
  tableEnd: number,
  length: number,
  findings: Findings,
): boolean {
  for (const [i, { pointer, size }] of entries.entries()) {
    if (pointer < tableEnd)
      findings.report(
        'UC3607',
        places[i],
        `section inside of header or table: begins at byte ${pointer}, the table ends at ${tableEnd}`,
      );
    if (pointer + size > length)
      findings.report(
        'UC3601',
        places[i],
        `section beyond the BPX file: bytes ${pointer} to ${pointer + size} of ${length}`,
      );
  }
  const order = entries.map((_, i) => i).filter((i) => entries[i].size > 0);
  order.sort((a, b) => entries[a].pointer - entries[b].pointer);
  let areApart = true;
  let end = tableEnd;
  for (const i of order) {
    const { pointer, size } = entries[i];
    if (pointer < end && pointer >= tableEnd) {
      areApart = false;
      findings.report(
        'UC3607',
        places[i],
        `sections of a BPX file overlap: begins at byte ${pointer}, a section before ends at ${end}`,
      );
    }
    if (pointer > end)
      findings.report(
        'UC3627',
        '',
        `bytes of a BPX file that belong to no section: bytes ${end} to ${Math.min(pointer, length)}`,
      );
    end = Math.max(end, pointer + size);
  }
  if (end < length)
    findings.report('UC3627', '', `bytes of a BPX file that belong to no section: bytes ${end} to ${length}`);
  return areApart && entries.every(({ pointer }) => pointer >= tableEnd);
}

/** Unpacks the sections of a file, within what is allowed for all of them. */
class Unpacker {
  readonly #layout: LayoutName;
  readonly #findings: Findings;
  #left: number;

  constructor(layout: LayoutName, limit: number, findings: Findings) {
    this.#layout = layout;
    this.#left = limit;
    this.#findings = findings;
  }

  /** Null, with a finding, when the section is damaged. */
  async unpack(entry: Entry, stored: Uint8Array, place: string): Promise<Uint8Array | null> {
    const { flags, plainSize } = entry;
    const known = LAYOUTS[this.#layout].flags;
    const all = known.zlib | known.xz | known.crc32 | known.sum;
    if ((flags & ~all) !== 0) this.#findings.report('UC3610', place, `unknown flags of a section: flags ${flags}`);
    const isZlib = (flags & known.zlib) !== 0;
    const isXz = (flags & known.xz) !== 0;
    if ((isZlib && isXz) || ((flags & known.crc32) !== 0 && (flags & known.sum) !== 0)) {
      this.#findings.report('UC3610', place, `flags of a section contradict one another: flags ${flags}`);
      return null;
    }
    let bytes = stored;
    if (isZlib || isXz) {
      // A declared size is never allocated; it ends the unpacking of what goes beyond it.
      const declared = plainSize ?? this.#left;
      const unpacked = await (isZlib ? unpackZlib : unpackXz)(stored, Math.min(declared, this.#left));
      if ('fault' in unpacked) {
        const { code, message } = unpacked.fault;
        const isBeyondDeclared = code === 'UC3614' && declared <= this.#left && plainSize !== null;
        const where = `${entry.size} bytes from byte ${entry.pointer} of the file on`;
        this.#findings.report(isBeyondDeclared ? 'UC3601' : code, place, `${where}: ${message}`);
        return null;
      }
      bytes = unpacked.bytes;
      this.#left -= bytes.length;
    }
    if (plainSize !== null && bytes.length !== plainSize) {
      this.#findings.report(
        'UC3601',
        place,
        `section has another size than its entry says: ${bytes.length} bytes, its entry says ${plainSize}`,
      );
      return null;
    }
    this.#checkChecksum(entry, bytes, place);
    return bytes;
  }

  #checkChecksum({ flags, checksum }: Entry, bytes: Uint8Array, place: string): void {
    const { crc32: crcFlag, sum } = LAYOUTS[this.#layout].flags;
    if (checksum === null || (flags & (crcFlag | sum)) === 0) return;
    const computed = (flags & sum) !== 0 ? byteSum(bytes) : crc32(bytes);
    if (checksum === computed) return;
    if ((flags & crcFlag) !== 0 && checksum === shortCrc(bytes)) {
      this.#findings.report('UC3617', place, `checksum ${checksum}, CRC-32 is ${computed}`);
      return;
    }
    this.#findings.report(
      'UC3605',
      place,
      `checksum of a section is not that of its bytes: checksum ${checksum}, its bytes give ${computed}`,
    );
  }
}
