// Small BPX files for tests, with sections as they are given, sound or not.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileChecksum } from '../../../src/formats/bpx/container/checksum.ts';
import { CRATE_PACKAGE, isBpx, type Kind, type LayoutName, MODEL } from '../../../src/formats/bpx/container/layout.ts';
import { writeBpx } from '../../../src/formats/bpx/container/write.ts';
import { validateBpx } from '../../../src/formats/bpx/validate.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/bpx');
export const fixture = (name: string) => new Uint8Array(readFileSync(join(FIXTURES, name)));
export const FIXTURE_NAMES = readdirSync(FIXTURES).filter((name) => name.endsWith('.bpx'));
export const GOOD = FIXTURE_NAMES.filter((name) => name.startsWith('good_'));

export const hex = (text: string) => Uint8Array.from(Buffer.from(text.replace(/\s/g, ''), 'hex'));
export const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
export const ascii = (text: string) => new TextEncoder().encode(text);

export const codesOf = async (bytes: Uint8Array) => (await validateBpx(bytes, 'f')).map(({ code }) => code);

/** Puts the right checksum into the header of a file with `sections` sections. */
export function resealed(layout: LayoutName, file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  if (isBpx(file)) view.setUint32(4, fileChecksum(layout, file, view.getUint32(16, true)), true);
  return file;
}

/** A container of sections by their numbers. */
export function container(
  layout: LayoutName,
  kind: Kind,
  typeExt: string,
  sections: readonly (readonly [type: number, bytes: Uint8Array])[],
): Uint8Array {
  const written = sections.map(([type, bytes]) => ({ type: { ...MODEL.strings, type }, bytes }));
  return writeBpx({ layout, kind, typeExt: hex(typeExt.padEnd(layout === 'spec' ? 16 : 32, '0')), sections: written });
}

/** A package in the layout of the crate: an object `a` of three bytes, and sections behind it. */
export function crate(more: readonly (readonly [type: number, bytes: Uint8Array])[] = [], typeExt = '04045048') {
  return container('crate', 'package', typeExt, [
    [CRATE_PACKAGE.strings.type, ascii('a\0')],
    [CRATE_PACKAGE.objects.type, hex('0300000000000000 00000000 02000000 00000000')],
    [CRATE_PACKAGE.data.type, ascii('xyz')],
    ...more,
  ]);
}
