// Long packed faces are checked without unpacking them; the Scene and what is said must be those of unpacked faces.

import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../../src/importers/content.ts';
import { memoryFiles } from '../../../../src/importers/files.ts';
import {
  decodeInt32,
  factsOfInt32,
  isKernelCount,
  KERNEL_COUNT,
} from '../../../../src/importers/usd/crate/coding/integerCoding.ts';
import { CrateFault } from '../../../../src/importers/usd/crate/fault.ts';
import { importUsd } from '../../../../src/importers/usd/index.ts';
import { codeInt32 } from '../crateCompression.ts';
import { attribute, double, float3s, ints, prim, token, writeCrate } from '../crateWriter.ts';

/** Numbers of a linear congruential generator. */
function numbers(count: number, make: (random: number, i: number) => number): Int32Array {
  let seed = 12345;
  return Int32Array.from({ length: count }, (_, i) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return make(seed / 2 ** 32, i);
  });
}

const RUNS: Readonly<Record<string, (random: number, i: number) => number>> = {
  'all equal': () => 3,
  'all 0': () => 0,
  ascending: (_, i) => i * 7,
  'differences of one byte': (r) => Math.floor(r * 100),
  'differences of two bytes': (r) => Math.floor(r * 30_000) - 15_000,
  'differences of four bytes that wrap around': (r) => Math.floor(r * 2 ** 32) - 2 ** 31,
  'mostly common': (r, i) => (r < 0.9 ? i * 2 : Math.floor(r * 2 ** 30)),
};

describe('long runs of integers', () => {
  for (const [name, make] of Object.entries(RUNS)) {
    it(`are decoded, their facts are right, and no byte may be missing: ${name}`, () => {
      for (const extra of [0, 1, 2, 3]) {
        const values = numbers(KERNEL_COUNT + extra, make);
        const coded = codeInt32(values);
        expect(isKernelCount(values.length)).toBe(true);
        expect(Buffer.compare(Buffer.from(decodeInt32(coded, values.length).buffer), Buffer.from(values.buffer))).toBe(
          0,
        );
        const sum = values.reduce((total, n) => total + n, 0);
        const min = values.reduce((a, b) => Math.min(a, b));
        const max = values.reduce((a, b) => Math.max(a, b));
        expect(factsOfInt32(coded, values.length)).toEqual({ count: values.length, sum, min, max });
        // How much the payload must have is right to the byte, whatever the codes are.
        expect(() => decodeInt32(coded.subarray(0, -1), values.length)).toThrow(CrateFault);
        expect(() => factsOfInt32(coded.subarray(0, -1), values.length)).toThrow(CrateFault);
      }
    });
  }
});

interface Faces {
  counts: Int32Array;
  corners: Int32Array;
  points: Float32Array;
  holes: Int32Array | null;
}

const FACES = KERNEL_COUNT + 5;

function grid(): Faces {
  const side = 160;
  const points = new Float32Array(side * side * 3);
  for (let v = 0; v < side * side; v++) points.set([v % side, Math.sin(v), Math.floor(v / side)], v * 3);
  const corners = numbers(FACES * 3, (r) => Math.floor(r * side * side));
  return { counts: new Int32Array(FACES).fill(3), corners, points, holes: null };
}

const CHANGES: Readonly<Record<string, (faces: Faces) => void>> = {
  'nothing wrong': () => {},
  'faces of other sizes': (faces) => {
    faces.counts[7] = 5;
    faces.counts[9] = 4;
    faces.corners = numbers(FACES * 3 + 3, (_, i) => i % 100);
  },
  'faces of two corners': (faces) => {
    faces.counts[7] = 2;
    faces.counts[8] = 4;
  },
  'a negative count': (faces) => {
    faces.counts[3] = -3;
  },
  'too many corners': (faces) => {
    faces.counts[3] = 4;
  },
  'a corner beyond the points': (faces) => {
    faces.corners[100] = 160 * 160;
  },
  'a negative corner': (faces) => {
    faces.corners[FACES * 3 - 1] = -1;
  },
  'a coordinate that is no number': (faces) => {
    faces.points[31] = Number.NaN;
  },
  holes: (faces) => {
    faces.holes = Int32Array.of(1, 2, 2, FACES);
  },
  'no points': (faces) => {
    faces.points = new Float32Array(0);
  },
};

async function imported(faces: Faces, compressArrays: boolean) {
  const bytes = writeCrate(
    {
      '/': { defaultPrim: token('Town'), upAxis: token('Y'), metersPerUnit: double(1) },
      '/Town': prim('Mesh'),
      '/Town.subdivisionScheme': attribute('token', token('none')),
      '/Town.faceVertexCounts': attribute('int[]', ints(faces.counts)),
      '/Town.faceVertexIndices': attribute('int[]', ints(faces.corners)),
      '/Town.points': attribute('point3f[]', float3s(faces.points)),
      ...(faces.holes ? { '/Town.holeIndices': attribute('int[]', ints(faces.holes)) } : {}),
    },
    { version: '0.8.0', compressArrays },
  );
  const diagnostics = new Diagnostics();
  const context = { files: memoryFiles({}, '/'), diagnostics, options: {} };
  const scene = await importUsd('/town.usdc', memoryContent(bytes), context);
  const primitives = scene.meshes.flatMap((mesh) => mesh.primitives);
  const meshes = await Promise.all(primitives.map((primitive) => primitive.read()));
  const facts = primitives.map(({ vertexCount, triangleCount, bounds }) => ({ vertexCount, triangleCount, bounds }));
  return { said: diagnostics.list, facts, meshes };
}

describe('a mesh with long packed faces', () => {
  for (const [name, change] of Object.entries(CHANGES)) {
    it(`is the same as one with plain faces: ${name}`, async () => {
      const faces = grid();
      change(faces);
      const outcome = (packed: boolean) => imported(faces, packed).catch((error: unknown) => String(error));
      expect(await outcome(true)).toEqual(await outcome(false));
    });
  }

  it('has as many triangles as faces', async () => {
    const { facts } = await imported(grid(), true);
    expect(facts[0]).toMatchObject({ vertexCount: 160 * 160, triangleCount: FACES });
  });
});
