// The fixtures of test/fixtures/urho3d, and little-endian bytes by hand.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/urho3d');

/** A plain array: Node's Buffer has a slice() of its own. */
export const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(join(FOLDER, name)));

export const fixtures = (pattern: RegExp): string[] =>
  readdirSync(FOLDER)
    .filter((name) => pattern.test(name))
    .sort();

/** The codes of the SourceError that `run` throws, [] if it throws none; any other exception is thrown on. */
export function codesOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics.map(({ code }) => code);
    throw error;
  }
  return [];
}

/** Bytes by hand: a string is its letters, a list is numbers of this scalar. */
export type Piece = string | readonly ['u8' | 'u16' | 'u32' | 'f32', ...number[]];

export function bytesOf(...pieces: readonly Piece[]): Uint8Array {
  const out: number[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      out.push(...new TextEncoder().encode(piece));
      continue;
    }
    const [scalar, ...values] = piece;
    for (const value of values) {
      const view = new DataView(new ArrayBuffer(4));
      if (scalar === 'f32') view.setFloat32(0, value, true);
      else view.setUint32(0, value, true);
      const size = { u8: 1, u16: 2, u32: 4, f32: 4 }[scalar];
      for (let i = 0; i < size; i++) out.push(view.getUint8(i));
    }
  }
  return Uint8Array.from(out);
}

/** Every part from the begin of the file ends in a coded error that names a byte. */
export function expectPrefixesRefused(bytes: Uint8Array, read: (part: Uint8Array) => unknown): void {
  const wrong: string[] = [];
  for (let length = 0; length < bytes.length; length++) {
    try {
      read(bytes.slice(0, length));
      wrong.push(`${length} bytes are accepted`);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      for (const { code, message } of error.diagnostics) {
        if (!/^UC39/.test(code) || !/^byte \d+: /.test(message)) wrong.push(`${length}: ${code} ${message}`);
      }
    }
  }
  expect(wrong).toEqual([]);
}
