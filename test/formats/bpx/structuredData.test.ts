// BPXSD: each type with literal bytes, names and their hashes, and data that is damaged anywhere.

import { expect, test } from 'vitest';
import {
  readStructuredData,
  type SdObject,
  type SdValue,
  sdHash,
  sdNames,
  sdObject,
  writeStructuredData,
} from '../../../src/formats/bpx/structuredData.ts';
import { Findings } from '../../../src/formats/findings.ts';
import { hex, toHex } from './files.ts';

function read(bytes: Uint8Array): SdObject | string | null {
  const findings = new Findings('f');
  const object = readStructuredData(bytes, 'metadata', findings);
  return object ?? findings.list()[0]?.code ?? null;
}

test('a name has the hash of Bernstein', () => {
  // 5381 x 33 + 97 = 177670; x 33 + 98 = 5863208.
  expect(sdHash('')).toBe(5381n);
  expect(sdHash('a')).toBe(177670n);
  expect(sdHash('ab')).toBe(5863208n);
  expect(sdHash('a'.repeat(100))).toBeLessThan(2n ** 64n);
});

const HASH = '06b6020000000000';

test.each<[string, SdValue]>([
  ['00', { type: 'null' }],
  ['01 01', { type: 'bool', value: true }],
  ['01 00', { type: 'bool', value: false }],
  ['02 ff', { type: 'uint8', value: 255 }],
  ['03 0201', { type: 'uint16', value: 0x0102 }],
  ['04 04030201', { type: 'uint32', value: 0x01020304 }],
  ['05 0807060504030201', { type: 'uint64', value: 0x0102030405060708n }],
  ['06 ff', { type: 'int8', value: -1 }],
  ['07 feff', { type: 'int16', value: -2 }],
  ['08 fdffffff', { type: 'int32', value: -3 }],
  ['09 fcffffffffffffff', { type: 'int64', value: -4n }],
  ['0a 0000003f', { type: 'float', value: 0.5 }],
  ['0b 000000000000f03f', { type: 'double', value: 1 }],
  ['0c c3a400', { type: 'string', value: 'ä' }],
  ['0d 02 00 0201', { type: 'array', items: [{ type: 'null' }, { type: 'uint8', value: 1 }] }],
  [`0e 01 ${HASH} 00`, { type: 'object', properties: [{ hash: sdHash('a'), value: { type: 'null' } }] }],
])('%s is a value there and back', (bytes, value) => {
  const object = { properties: [{ hash: sdHash('a'), value }] };
  const whole = hex(`01 ${HASH} ${bytes}`);
  expect(toHex(writeStructuredData(object))).toBe(toHex(whole));
  expect(read(whole)).toEqual(object);
  for (let length = 0; length < whole.length; length++) expect(read(whole.slice(0, length))).toBe('UC3601');
});

test('an object keeps the names of its properties in one of its own', () => {
  const object = sdObject({ author: { type: 'string', value: 'me' }, size: { type: 'uint8', value: 3 } });
  expect(object.properties.map(({ hash }) => hash)).toEqual(['author', 'size', '__debug__'].map(sdHash));
  expect([...sdNames(object).values()]).toEqual(['author', 'size']);
  expect(read(writeStructuredData(object))).toEqual(object);
  expect(sdNames({ properties: [] }).size).toBe(0);
});

test('strings that are not UTF-8 are an error', () => {
  expect(read(hex(`01 ${HASH} 0c e400`))).toBe('UC3633');
});

test('what the format cannot hold is not written', () => {
  const items = new Array<SdValue>(256).fill({ type: 'null' });
  const value = (of: SdValue): SdObject => ({ properties: [{ hash: 0n, value: of }] });
  expect(() => writeStructuredData(value({ type: 'array', items }))).toThrow('256 items');
  expect(() => writeStructuredData(value({ type: 'string', value: 'a\0' }))).toThrow('NUL');
  let deep: SdValue = { type: 'null' };
  for (let i = 0; i < 63; i++) deep = { type: 'array', items: [deep] };
  expect(read(writeStructuredData(value(deep)))).toEqual(value(deep));
  expect(() => writeStructuredData(value({ type: 'array', items: [deep] }))).toThrow('depth 64');
});
