// Colour grades in `.cube` files, checked as the engine parses them: UTF-8 text, keywords of any case, LUT_3D_SIZE from 2 to
// 129, exactly that many rows of three numbers, red fastest.

import type { ColorGrade } from '../scene/types.ts';

/** Larger files are refused: the largest table has 2.1 million rows. */
export const MAX_CUBE_BYTES = 2 ** 26;

const MIN_SIZE = 2;
const MAX_SIZE = 129;

/** A file that the engine would refuse. */
export class CubeFault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export interface ParsedCube extends Pick<ColorGrade, 'size' | 'domainMin' | 'domainMax'> {
  /** Keywords with three numbers that the engine does not know: it ignores them. */
  readonly ignored: readonly string[];
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

function threeNumbers(words: readonly string[]): readonly [number, number, number] | null {
  if (words.length !== 3 || !words.every((word) => NUMBER.test(word))) return null;
  const [x, y, z] = words.map(Number);
  return [x, y, z].every((value) => Math.abs(value) <= 3.4028234663852886e38) ? [x, y, z] : null;
}

/** What a file states besides its rows, which are checked and counted. */
export function parseCube(bytes: Uint8Array): ParsedCube | CubeFault {
  if (bytes.length > MAX_CUBE_BYTES) return new CubeFault(`${bytes.length} bytes, more than ${MAX_CUBE_BYTES}`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new CubeFault('the text is not UTF-8');
  }
  let size = 0;
  let domainMin: readonly [number, number, number] = [0, 0, 0];
  let domainMax: readonly [number, number, number] = [1, 1, 1];
  let rows = 0;
  const ignored: string[] = [];
  let number = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    number++;
    const words = line.trim().split(/\s+/);
    const [keyword] = words;
    if (keyword === '' || keyword.startsWith('#')) continue;
    const rest = words.slice(1);
    switch (keyword.toUpperCase()) {
      case 'TITLE':
        break;
      case 'LUT_1D_SIZE':
        return new CubeFault(`line ${number}: a table of one dimension; the engine takes three alone`);
      case 'LUT_3D_SIZE':
        size = rest.length === 1 && /^\d{1,9}$/.test(rest[0]) ? Number(rest[0]) : 0;
        if (size < MIN_SIZE || size > MAX_SIZE) {
          return new CubeFault(`line ${number}: LUT_3D_SIZE is no number from ${MIN_SIZE} to ${MAX_SIZE}`);
        }
        break;
      case 'DOMAIN_MIN':
      case 'DOMAIN_MAX': {
        const values = threeNumbers(rest);
        if (values === null) return new CubeFault(`line ${number}: ${keyword} needs three numbers`);
        if (keyword.toUpperCase() === 'DOMAIN_MIN') domainMin = values;
        else domainMax = values;
        break;
      }
      default: {
        if (threeNumbers(words) !== null) {
          rows++;
          if (size > 0 && rows > size ** 3)
            return new CubeFault(`line ${number}: more rows than ${size} x ${size} x ${size}`);
        } else if (NUMBER.test(keyword)) {
          return new CubeFault(`line ${number}: a row has three finite numbers`);
        } else if (threeNumbers(rest) !== null) ignored.push(keyword);
      }
    }
  }
  if (size === 0) return new CubeFault('LUT_3D_SIZE is missing');
  if (rows !== size ** 3) return new CubeFault(`${rows} rows instead of ${size ** 3}`);
  if (domainMin.some((low, k) => !(domainMax[k] > low))) {
    return new CubeFault(`the domain from ${domainMin.join(' ')} to ${domainMax.join(' ')} is empty`);
  }
  return { size, domainMin, domainMax, ignored };
}
