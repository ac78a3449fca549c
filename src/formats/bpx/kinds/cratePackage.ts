// Reads packages in the layout of the crate: a table of objects, whose bytes run on from one section of data into the next.

import type { Findings } from '../../findings.ts';
import { CRATE_PACKAGE } from '../container/layout.ts';
import type { BpxContainer, BpxSection } from '../container/open.ts';
import { BpxStrings } from '../container/strings.ts';
import { ARCHITECTURES, bytesOf, CRATE_PACKAGE_EXT, OBJECT, PLATFORMS } from '../records.ts';
import { readStructuredData } from '../structuredData.ts';
import type { BpxCratePackage, BpxObject } from '../types.ts';
import { PathCheck, recordAt, referred, sectionOf, sectionsOf, typeExtOf } from './sections.ts';

/** Null, with a finding, when objects or strings cannot be read. */
export function readCratePackage(container: BpxContainer, findings: Findings): BpxCratePackage | null {
  const { architecture, platform, typeCode } = typeExtOf(CRATE_PACKAGE_EXT, container, findings);
  if (!ARCHITECTURES[architecture] || !PLATFORMS[platform]) {
    findings.report(
      'UC3610',
      'header',
      `unknown architecture or platform of a package: architecture ${architecture}, platform ${platform} in TypeExt`,
    );
  }
  const described = sectionOf(container, CRATE_PACKAGE.metadata);
  const metadata = described && readStructuredData(described.bytes, described.place, findings);
  const table = sectionOf(container, CRATE_PACKAGE.objects);
  const names = sectionOf(container, CRATE_PACKAGE.strings);
  if (!table || !names) return null;
  const strings = new BpxStrings(names.bytes, names.place, findings);
  const count = table.bytes.length / bytesOf(OBJECT);
  if (!Number.isInteger(count)) {
    findings.report(
      'UC3601',
      table.place,
      `table of objects of a broken length: ${table.bytes.length} bytes, an object takes ${bytesOf(OBJECT)}`,
    );
    return null;
  }
  const paths = new PathCheck(findings);
  const data = new ObjectData(container);
  const objects: BpxObject[] = [];
  for (let i = 0; i < count; i++) {
    const place = `objects/${i}`;
    const { size, name: nameOffset, section: number, offset } = recordAt(OBJECT, table.bytes, i * bytesOf(OBJECT));
    const name = strings.at(nameOffset, place);
    if (name !== null) paths.check(name, place);
    const section = referred(container, number, CRATE_PACKAGE.data, place, findings);
    if (!section) continue;
    const parts = data.take(section, offset, size);
    if (parts === null && data.isWhole)
      findings.report(
        'UC3601',
        place,
        `object beyond the data of its package: ${size} bytes from byte ${offset} of section ${number} on`,
      );
    if (parts !== null && name !== null) objects.push({ name, parts });
  }
  return { kind: 'cratePackage', architecture, platform, typeCode, objects, metadata };
}

/** The sections of data in order, and how much of them objects may still take: each byte belongs to one object. */
class ObjectData {
  /** False: of a section it has been said that it cannot be read. */
  readonly isWhole: boolean;
  readonly #sections: readonly BpxSection[];
  /** Of each section with bytes its place among them. */
  readonly #order = new Map<number, number>();
  #left = 0;

  constructor(container: BpxContainer) {
    const all = sectionsOf(container, CRATE_PACKAGE.data);
    this.isWhole = all.every(({ bytes }) => bytes !== null);
    this.#sections = all.filter(({ bytes }) => bytes !== null && bytes.length > 0);
    for (const [i, { number, bytes }] of this.#sections.entries()) {
      this.#order.set(number, i);
      this.#left += bytes?.length ?? 0;
    }
  }

  /** Views of the bytes of an object; null when there are not that many. */
  take({ number }: BpxSection, offset: number, size: number): Uint8Array[] | null {
    if (size === 0) return [];
    const first = this.#order.get(number);
    if (first === undefined || size > this.#left) return null;
    const parts: Uint8Array[] = [];
    let missing = size;
    let from = offset;
    for (let i = first; missing > 0; i++) {
      const bytes = this.#sections[i]?.bytes;
      if (!bytes || from >= bytes.length) return null;
      const part = bytes.subarray(from, from + missing);
      parts.push(part);
      missing -= part.length;
      from = 0;
    }
    this.#left -= size;
    return parts;
  }
}
