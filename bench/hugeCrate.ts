// A landscape as a USD crate of any size: patches side by side, each a Mesh with normals, colours and two sets of UVs for
// every corner, as bakers of light write them. Written array by array, so that no more than a patch is in memory.

import { closeSync, openSync, writeSync } from 'node:fs';
import { VALUE_TYPES } from '../src/formats/usdc/valueRep.ts';
import type { ValueTypeName } from '../src/importers/usd/layer.ts';
import {
  attribute,
  double,
  double3,
  type Fields,
  prim,
  raw,
  scalar,
  token,
  tokens,
  writeCrate,
} from '../test/importers/usd/crateWriter.ts';

/** Quads along an edge of a patch, and metres. */
const QUADS = 256;
const EDGE = 10;
const PATCH_TRIANGLES = 2 * QUADS * QUADS;
/** The arrays start here; the few values that do not fit into a representation lie before. */
const FIRST_ARRAY = 2 ** 20;
/** The bit of a representation that says that it is an array. */
const ARRAY = 2 ** 31;
const HEADER_TOC = 16;
/** A section in the table of contents: its name, its offset, its size. */
const SECTION_BYTES = 32;
const SECTION_NAME = 16;

interface Arrays {
  readonly points: Float32Array;
  readonly normals: Float32Array;
  readonly colors: Float32Array;
  readonly uvs: Float32Array;
  readonly counts: Int32Array;
  readonly corners: Int32Array;
}

/** A bumpy patch; `seed` makes its numbers its own. */
function patch(seed: number): Arrays {
  const side = QUADS + 1;
  const points = new Float32Array(side * side * 3);
  for (let j = 0, at = 0; j < side; j++) {
    for (let i = 0; i < side; i++, at += 3) {
      points[at] = (i / QUADS) * EDGE;
      points[at + 1] = Math.sin(i * 0.07 + seed) * Math.cos(j * 0.09 - seed) * 0.4;
      points[at + 2] = (j / QUADS) * EDGE;
    }
  }
  const corners = new Int32Array(PATCH_TRIANGLES * 3);
  for (let j = 0, at = 0; j < QUADS; j++) {
    for (let i = 0; i < QUADS; i++, at += 6) {
      const a = j * side + i;
      corners[at] = a;
      corners[at + 1] = corners[at + 4] = a + side;
      corners[at + 2] = corners[at + 3] = a + 1;
      corners[at + 5] = a + side + 1;
    }
  }
  const normals = new Float32Array(corners.length * 3);
  const colors = new Float32Array(corners.length * 3);
  const uvs = new Float32Array(corners.length * 2);
  for (let c = 0; c < corners.length; c++) {
    const v = corners[c];
    normals[3 * c + 1] = 1;
    colors.fill(0.25 + points[3 * v + 1] / 2, 3 * c, 3 * c + 3);
    uvs[2 * c] = (v % side) / QUADS;
    uvs[2 * c + 1] = Math.floor(v / side) / QUADS;
  }
  return { points, normals, colors, uvs, counts: new Int32Array(PATCH_TRIANGLES).fill(3), corners };
}

function writeAll(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

/** Writes a crate of at least `size` bytes. Gives the number of its triangles. */
export function writeHugeCrate(size: number, path: string): number {
  const file = openSync(path, 'w');
  try {
    let at = FIRST_ARRAY;
    const put = (type: ValueTypeName, components: number, data: Float32Array | Int32Array) => {
      const header = new BigUint64Array([BigInt(data.length / components)]);
      const from = at;
      writeAll(file, new Uint8Array(header.buffer), at);
      writeAll(file, new Uint8Array(data.buffer), at + 8);
      at += 8 + Math.ceil(data.byteLength / 8) * 8;
      const type16 = VALUE_TYPES.indexOf(type) * 2 ** 16;
      return raw(ARRAY + type16 + Math.floor(from / 2 ** 32), from % 2 ** 32);
    };
    const perCorner = { interpolation: token('faceVarying') };
    const uniform = { variability: scalar('Variability', 'uniform') };
    const specs: Record<string, Fields> = {
      '/': { defaultPrim: token('Land'), upAxis: token('Y'), metersPerUnit: double(1) },
      '/Land': prim('Xform'),
    };
    const row = Math.ceil(Math.sqrt(size / (PATCH_TRIANGLES * 142)));
    let patches = 0;
    for (; at < size; patches++) {
      const { points, normals, colors, uvs, counts, corners } = patch(patches);
      const name = `/Land/Patch_${patches}`;
      specs[name] = prim('Mesh');
      specs[`${name}.xformOp:translate`] = attribute(
        'double3',
        double3((patches % row) * EDGE, 0, Math.floor(patches / row) * EDGE),
      );
      specs[`${name}.xformOpOrder`] = attribute('token[]', tokens('xformOp:translate'), uniform);
      specs[`${name}.subdivisionScheme`] = attribute('token', token('none'), uniform);
      specs[`${name}.faceVertexCounts`] = attribute('int[]', put('Int', 1, counts));
      specs[`${name}.faceVertexIndices`] = attribute('int[]', put('Int', 1, corners));
      specs[`${name}.points`] = attribute('point3f[]', put('Vec3f', 3, points));
      specs[`${name}.normals`] = attribute('normal3f[]', put('Vec3f', 3, normals), perCorner);
      specs[`${name}.primvars:st`] = attribute('texCoord2f[]', put('Vec2f', 2, uvs), perCorner);
      specs[`${name}.primvars:light`] = attribute('texCoord2f[]', put('Vec2f', 2, uvs), perCorner);
      specs[`${name}.primvars:displayColor`] = attribute('color3f[]', put('Vec3f', 3, colors), perCorner);
    }
    // The sections, which the table of contents lists by their offsets, go behind the arrays.
    const small = writeCrate(specs, { version: '0.8.0' });
    const view = new DataView(small.buffer, small.byteOffset, small.byteLength);
    const toc = Number(view.getBigInt64(HEADER_TOC, true));
    const sections = Number(view.getBigUint64(toc, true));
    const offsets = Array.from({ length: sections }, (_, i) => toc + 8 + i * SECTION_BYTES + SECTION_NAME);
    const first = Math.min(...offsets.map((offset) => Number(view.getBigInt64(offset, true))));
    if (first > FIRST_ARRAY) throw new Error('too many patches: their small values reach the arrays');
    const moved = BigInt(at - first);
    for (const offset of [HEADER_TOC, ...offsets])
      view.setBigInt64(offset, view.getBigInt64(offset, true) + moved, true);
    writeAll(file, small.subarray(0, first), 0);
    writeAll(file, small.subarray(first), at);
    return patches * PATCH_TRIANGLES;
  } finally {
    closeSync(file);
  }
}
