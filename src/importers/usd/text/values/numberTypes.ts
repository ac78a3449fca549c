// The typed arrays that arrays of numbers become.

import type { Component } from './valueTypes.ts';

export type NumberArray = Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** An array for so many numbers, all 0. */
export function makeArray(component: Component, length: number): NumberArray {
  switch (component) {
    case 'uchar':
      return new Uint8Array(length);
    case 'int':
      return new Int32Array(length);
    case 'uint':
      return new Uint32Array(length);
    case 'double':
      return new Float64Array(length);
    default:
      return new Float32Array(length);
  }
}
