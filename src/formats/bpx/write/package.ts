// Writes packages in both layouts. Tables come before the files, so that a package can be read while it arrives.

import { CRATE_PACKAGE, LAYOUTS, MAX_SECTION_BYTES, PACKAGE } from '../container/layout.ts';
import { WrittenStrings } from '../container/strings.ts';
import { type WrittenSection, writeBpx } from '../container/write.ts';
import { pathFault } from '../kinds/sections.ts';
import { ASSET, COUNTED_EXT, CRATE_PACKAGE_EXT, OBJECT } from '../records.ts';
import { writeStructuredData } from '../structuredData.ts';
import type { BpxCratePackage, BpxPackage } from '../types.ts';
import { joined, type PackOptions, recordBytes, zeros } from './sections.ts';

/**
 * A package in the layout of the text; assets with the same array share its bytes. Throws an Error, which is a bug of the
 * caller, for one that no valid file can hold.
 */
export function writeBpxPackage(content: BpxPackage, { isPacked = false }: PackOptions = {}): Uint8Array {
  const { assets, compatibility } = content;
  if (assets.length === 0) throw new Error('a package without assets');
  checkPaths(assets.map(({ path }) => path));
  const strings = new WrittenStrings();
  const files = [...new Set(assets.map(({ bytes }) => bytes))];
  // The registry is the first section, and files follow it.
  const numberOf = new Map(files.map((bytes, i) => [bytes, LAYOUTS.spec.firstSection + 1 + i]));
  const registry = assets.map(({ path, bytes }) =>
    recordBytes(ASSET, { path: strings.add(path), file: numberOf.get(bytes) ?? 0 }),
  );
  const sections: WrittenSection[] = [
    { type: PACKAGE.registry, bytes: joined(registry) },
    ...files.map((bytes) => ({ type: PACKAGE.file, bytes, isPacked })),
    { type: PACKAGE.strings, bytes: strings.bytes() },
  ];
  const typeExt = recordBytes(COUNTED_EXT, { count: assets.length, compatibility, reserved: zeros(3) });
  return writeBpx({ layout: 'spec', kind: 'package', typeExt, sections });
}

/**
 * A package in the layout of the crate, which reads it in every version: nothing is packed, and every section has its sum.
 * Sections of data have at most `sectionBytes`; objects run on from one into the next. Throws as writeBpxPackage does.
 */
export function writeBpxCratePackage(content: BpxCratePackage, sectionBytes = MAX_SECTION_BYTES): Uint8Array {
  const { objects, metadata, architecture, platform, typeCode } = content;
  checkPaths(objects.map(({ name }) => name));
  const strings = new WrittenStrings();
  /** Strings and table come before the data. */
  const before = 2;
  const table: Uint8Array[] = [];
  const sections: Uint8Array[][] = [];
  let filled = sectionBytes;
  for (const { name, parts } of objects) {
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    // One that begins where a section is full begins in the next.
    if (filled === sectionBytes && size > 0) {
      sections.push([]);
      filled = 0;
    }
    const section = before + Math.max(0, sections.length - 1);
    table.push(
      recordBytes(OBJECT, { size, name: strings.add(name), section, offset: sections.length > 0 ? filled : 0 }),
    );
    for (const part of parts) {
      for (let at = 0; at < part.length; ) {
        if (filled === sectionBytes) {
          sections.push([]);
          filled = 0;
        }
        const piece = part.subarray(at, at + sectionBytes - filled);
        sections[sections.length - 1].push(piece);
        filled += piece.length;
        at += piece.length;
      }
    }
  }
  // Empty objects name a section as well.
  if (sections.length === 0 && objects.length > 0) sections.push([]);
  const typeExt = recordBytes(CRATE_PACKAGE_EXT, { architecture, platform, typeCode, reserved: zeros(12) });
  return writeBpx({
    layout: 'crate',
    kind: 'package',
    typeExt,
    sections: [
      { type: CRATE_PACKAGE.strings, bytes: strings.bytes() },
      { type: CRATE_PACKAGE.objects, bytes: joined(table) },
      ...sections.map((parts) => ({ type: CRATE_PACKAGE.data, bytes: joined(parts) })),
      ...(metadata ? [{ type: CRATE_PACKAGE.metadata, bytes: writeStructuredData(metadata) }] : []),
    ],
  });
}

function checkPaths(paths: readonly string[]): void {
  const faulty = paths.find((path) => pathFault(path) !== null);
  if (faulty !== undefined) throw new Error(`a package cannot hold ${JSON.stringify(faulty)}`);
  if (new Set(paths).size < paths.length) throw new Error('a package with the same path twice');
}
