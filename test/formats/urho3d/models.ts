// A model by hand, with every field of the format.

import { bytesOf } from './fixtures.ts';

/** Every field of the format, with numbers that are told apart. */
export const minimal = (): Uint8Array =>
  bytesOf(
    'UMD2',
    ['u32', 1], // vertex buffers
    ['u32', 3], // vertices
    ['u32', 4, 0x0003, 0x0506, 0x0604, 0x0705], // position, colour, weights, indices
    ['u32', 1, 2], // morphs move vertices 1 and 2
    ...[0, 1, 2].flatMap((i) => [
      ['f32', i, i * i, 0] as const,
      ['u8', 10, 20, 30, 255] as const,
      ['f32', 0.5, 0.5, 0, 0] as const,
      ['u8', 0, 1, 0, 0] as const,
    ]),
    ['u32', 1], // index buffers
    ['u32', 3, 2],
    ['u16', 0, 2, 1],
    ['u32', 1], // geometries
    ['u32', 2, 1, 0], // bone mapping
    ['u32', 1], // levels
    ['f32', 0],
    ['u32', 0, 0, 0, 0, 3],
    ['u32', 1], // morphs
    'up\0',
    ['u32', 1, 0, 1, 1, 2], // one buffer: number 0, positions, one vertex, number 2
    ['f32', 0, 0.5, 0],
    ['u32', 2], // bones
    'hip\0',
    ['u32', 0],
    ['f32', 0, 1, 0],
    ['f32', 1, 0, 0, 0],
    ['f32', 1, 1, 1],
    ['f32', 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0],
    ['u8', 1],
    ['f32', 0.25],
    'toe\0',
    ['u32', 0],
    ['f32', 0, 0, 2],
    ['f32', 0, 1, 0, 0],
    ['f32', 1, 2, 1],
    ['f32', 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -2],
    ['u8', 2],
    ['f32', -1, -2, -3, 1, 2, 3],
    ['f32', 0, 0, 0, 2, 4, 0], // box
    ['f32', 1, 1.5, 0], // centre
  );
