// Writes a tree as a GLB with one mesh, as modelled by someone who cares for every leaf: bark as tapered branches, and curved leaves of 48
// triangles each. For what needs a model of very many triangles:
//
//   npx tsx samples/tree.ts OUT.glb [TRIANGLES]
//
// About 900,000 triangles unless told otherwise. The same number gives the same tree.

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Document, type Document as GltfDocument, NodeIO } from '@gltf-transform/core';

type Vec3 = readonly [number, number, number];

const TRIANGLES = 900_000;
/** Sides of a branch, and rings along it. */
const SIDES = 16;
const RINGS = 13;
const TRIANGLES_A_BRANCH = SIDES * (RINGS - 1) * 2;
/** Quads of a leaf along its middle, and across. */
const LEAF_ROWS = 6;
const LEAF_COLUMNS = 4;
const TRIANGLES_A_LEAF = LEAF_ROWS * LEAF_COLUMNS * 2;
/** Of all triangles, those of leaves. */
const LEAF_SHARE = 0.85;
/** Branches at a branch. */
const FORKS = 4;

const add = (a: Vec3, b: Vec3, by = 1): Vec3 => [a[0] + b[0] * by, a[1] + b[1] * by, a[2] + b[2] * by];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
function unit(v: Vec3): Vec3 {
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
}

/** Numbers from 0 to 1 that look random, by a seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Branch {
  readonly from: Vec3;
  readonly direction: Vec3;
  readonly length: number;
  readonly radius: number;
}

/** Two directions across one, at right angles. */
function across(direction: Vec3): readonly [Vec3, Vec3] {
  const side = unit(cross(direction, Math.abs(direction[1]) > 0.9 ? [1, 0, 0] : [0, 1, 0]));
  return [side, cross(direction, side)];
}

/** The trunk, its branches and theirs, in that order, as many as asked for. */
function grow(count: number, random: () => number): Branch[] {
  const branches: Branch[] = [{ from: [0, 0, 0], direction: [0, 1, 0], length: 6, radius: 0.4 }];
  for (let i = 0; branches.length < count; i++) {
    const { from, direction, length, radius } = branches[i];
    const [x, y] = across(direction);
    for (let k = 0; k < FORKS && branches.length < count; k++) {
      const turn = ((k + random()) / FORKS) * 2 * Math.PI;
      const spread = 0.5 + 0.6 * random();
      const sideways = add(add([0, 0, 0], x, Math.cos(turn)), y, Math.sin(turn));
      branches.push({
        from: add(from, direction, length * (0.55 + 0.45 * random())),
        direction: unit(add(add(direction, sideways, spread), [0, 0.15, 0])),
        length: length * (0.6 + 0.15 * random()),
        radius: radius * 0.5,
      });
    }
  }
  return branches;
}

class Surface {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly indices: number[] = [];

  vertex(position: Vec3, normal: Vec3): number {
    this.positions.push(...position);
    this.normals.push(...normal);
    return this.positions.length / 3 - 1;
  }

  branch({ from, direction, length, radius }: Branch): void {
    const [x, y] = across(direction);
    const first = this.positions.length / 3;
    for (let ring = 0; ring < RINGS; ring++) {
      const along = ring / (RINGS - 1);
      const centre = add(from, direction, length * along);
      for (let side = 0; side < SIDES; side++) {
        const turn = (side / SIDES) * 2 * Math.PI;
        const out = add(add([0, 0, 0], x, Math.cos(turn)), y, Math.sin(turn));
        this.vertex(add(centre, out, radius * (1 - 0.6 * along)), out);
      }
    }
    for (let ring = 0; ring + 1 < RINGS; ring++) {
      for (let side = 0; side < SIDES; side++) {
        const [a, b] = [first + ring * SIDES + side, first + ring * SIDES + ((side + 1) % SIDES)];
        this.indices.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
      }
    }
  }

  /** A leaf that is bent along its middle and hangs down at its tip. */
  leaf(at: Vec3, direction: Vec3, size: number): void {
    const [x, y] = across(direction);
    const first = this.positions.length / 3;
    for (let row = 0; row <= LEAF_ROWS; row++) {
      const along = row / LEAF_ROWS;
      const width = 0.35 * size * Math.sin(Math.PI * Math.min(0.98, along * 0.9 + 0.08));
      for (let column = 0; column <= LEAF_COLUMNS; column++) {
        const side = (column / LEAF_COLUMNS) * 2 - 1;
        const height = size * (0.12 * side * side - 0.2 * along * along);
        const point = add(add(add(at, direction, size * along), x, width * side), y, height);
        this.vertex(point, unit(add(add(y, x, -0.5 * side), direction, 0.4 * along)));
      }
    }
    const width = LEAF_COLUMNS + 1;
    for (let row = 0; row < LEAF_ROWS; row++) {
      for (let column = 0; column < LEAF_COLUMNS; column++) {
        const a = first + row * width + column;
        this.indices.push(a, a + 1, a + width, a + 1, a + width + 1, a + width);
      }
    }
  }
}

function addPrimitive(document: GltfDocument, surface: Surface, name: string, color: Vec3) {
  const buffer = document.getRoot().listBuffers()[0];
  const vectors = (values: readonly number[]) =>
    document.createAccessor().setType('VEC3').setArray(Float32Array.from(values)).setBuffer(buffer);
  return document
    .createPrimitive()
    .setAttribute('POSITION', vectors(surface.positions))
    .setAttribute('NORMAL', vectors(surface.normals))
    .setIndices(document.createAccessor().setArray(Uint32Array.from(surface.indices)).setBuffer(buffer))
    .setMaterial(
      document
        .createMaterial(name)
        .setBaseColorFactor([...color, 1])
        .setRoughnessFactor(0.9)
        .setMetallicFactor(0),
    );
}

/** The tree as a GLB of about so many triangles. */
export function treeGlb(triangles: number = TRIANGLES): Promise<Uint8Array> {
  const random = numbers(1);
  const branches = grow(Math.max(1, Math.round((triangles * (1 - LEAF_SHARE)) / TRIANGLES_A_BRANCH)), random);
  const bark = new Surface();
  for (const branch of branches) bark.branch(branch);
  const leaves = new Surface();
  // Leaves hang on the thin half of the branches.
  const twigs = branches.slice(Math.floor(branches.length / 2));
  const count = Math.round((triangles * LEAF_SHARE) / TRIANGLES_A_LEAF);
  for (let i = 0; i < count; i++) {
    const { from, direction, length } = twigs[i % twigs.length];
    const spread = (): number => (random() - 0.5) * 0.7;
    const at = add(add(from, direction, length * random()), [spread(), spread(), spread()]);
    leaves.leaf(at, unit([random() - 0.5, random() - 0.7, random() - 0.5]), 0.18 + 0.14 * random());
  }
  const document = new Document();
  document.createBuffer();
  const mesh = document
    .createMesh('Tree')
    .addPrimitive(addPrimitive(document, bark, 'Bark', [0.16, 0.09, 0.05]))
    .addPrimitive(addPrimitive(document, leaves, 'Leaves', [0.08, 0.25, 0.04]));
  document.createScene('Tree').addChild(document.createNode('Tree').setMesh(mesh));
  return new NodeIO().writeBinary(document);
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url))) {
  const [out, triangles = String(TRIANGLES)] = process.argv.slice(2);
  if (!out || !(Number(triangles) > 0)) {
    process.stderr.write('npx tsx samples/tree.ts OUT.glb [TRIANGLES]\n');
    process.exitCode = 2;
  } else {
    mkdirSync(dirname(resolve(out)), { recursive: true });
    writeFileSync(out, await treeGlb(Number(triangles)));
  }
}
