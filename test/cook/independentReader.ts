// An independent reader: the triangles that gltf-transform reads from a source, in world space, beside those of the cooked
// file, within what a packed vertex can hold: positions exactly, normals of ten bits, UVs of half floats that may have moved
// by whole numbers.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Logger, type Node, NodeIO, type Primitive } from '@gltf-transform/core';
import { expect } from 'vitest';
import { readUntold } from '../../src/formats/untold/read.ts';
import { type Corner, cookToFile, trianglesOf } from './cooked.ts';

/** The glTF files of a folder; none where there is no folder. */
export const listed = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /\.(gltf|glb)$/.test(name))
        .sort()
        .map((name) => join(folder, name))
    : [];
export type Ring = readonly [Corner, Corner, Corner];

const subtract = (a: readonly number[], b: readonly number[]) => a.map((x, i) => x - b[i]);
const cross = (a: readonly number[], b: readonly number[]) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (v: readonly number[]) => v.map((x) => x / Math.hypot(...v));

/** Inverse transpose of the upper 3x3 of a column-major matrix, up to a positive factor: its cofactors. */
function turnNormal(m: readonly number[], n: readonly number[]): number[] {
  const [a, b, c] = [m.slice(0, 3), m.slice(4, 7), m.slice(8, 11)];
  const rows = [cross(b, c), cross(c, a), cross(a, b)];
  const sign = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2] < 0 ? -1 : 1;
  return unit([0, 1, 2].map((k) => sign * (rows[0][k] * n[0] + rows[1][k] * n[1] + rows[2][k] * n[2])));
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** a times b, column-major. */
function product(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: 16 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + a[k * 4 + (i % 4)] * b[i - (i % 4) + k], 0),
  );
}

/** An element of an attribute with the primitive's targets at their weights. */
function morphed(primitive: Primitive, semantic: string, i: number, weights: readonly number[]): number[] {
  const sum = primitive.getAttribute(semantic)!.getElement(i, [0, 0, 0]);
  for (const [t, target] of primitive.listTargets().entries()) {
    const delta = weights[t] ? target.getAttribute(semantic)?.getElement(i, [0, 0, 0]) : undefined;
    if (delta) for (let k = 0; k < 3; k++) sum[k] += weights[t] * delta[k];
  }
  return sum;
}

function ringsOf(primitive: Primitive, m: readonly number[], weights: readonly number[]): Ring[] {
  const position = primitive.getAttribute('POSITION')!;
  const normal = primitive.getAttribute('NORMAL');
  const uv = primitive.getAttribute('TEXCOORD_0');
  const indices = primitive.getIndices()?.getArray() ?? Array.from({ length: position.getCount() }, (_, i) => i);
  const corner = (i: number): Corner => {
    const [x, y, z] = morphed(primitive, 'POSITION', i, weights);
    const [u, v] = uv ? uv.getElement(i, [0, 0]) : [0, 1];
    return {
      position: [0, 1, 2].map((k) => Math.fround(m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k]) + 0),
      normal: normal ? turnNormal(m, morphed(primitive, 'NORMAL', i, weights)) : [0, 0, 0],
      uv: [u, 1 - v],
    };
  };
  const across = cross(m.slice(0, 3), m.slice(4, 7));
  const turned = across[0] * m[8] + across[1] * m[9] + across[2] * m[10] < 0;
  const rings: Ring[] = [];
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => corner(indices[t + k]));
    const face = cross(subtract(b.position, a.position), subtract(c.position, a.position));
    if (Math.hypot(...face) === 0) continue;
    const flat = (from: Corner): Corner => (normal ? from : { ...from, normal: unit(face) });
    rings.push(turned ? [flat(a), flat(c), flat(b)] : [flat(a), flat(b), flat(c)]);
  }
  return rings;
}

/** Position of all three corners, from the least one on; and the triangle turned alike. */
function keyed(ring: Ring): { key: string; ring: Ring } {
  const words = ring.map(({ position }) => position.map((x) => x + 0).join(' '));
  const first = words.indexOf([...words].sort()[0]);
  const turn = (k: number) => (first + k) % 3;
  return {
    key: [0, 1, 2].map((k) => words[turn(k)]).join(' | '),
    ring: [ring[turn(0)], ring[turn(1)], ring[turn(2)]],
  };
}

export function byKey(rings: Iterable<Ring>): Map<string, Ring[]> {
  const map = new Map<string, Ring[]>();
  for (const each of rings) {
    const { key, ring } = keyed(each);
    const list = map.get(key);
    if (list) list.push(ring);
    else map.set(key, [ring]);
  }
  return map;
}

const NORMAL_COSINE = Math.cos((0.15 * Math.PI) / 180);

/** Half floats keep eleven bits of what was moved by a whole number. */
function sameUvs(ours: Ring, theirs: Ring): boolean {
  return [0, 1].every((axis) => {
    const moved = Math.round(ours[0].uv[axis] - theirs[0].uv[axis]);
    return [0, 1, 2].every((k) => {
      const expected = theirs[k].uv[axis] + moved;
      return Math.abs(ours[k].uv[axis] - expected) <= 2 ** -11 * Math.abs(expected) + 2 ** -25;
    });
  });
}

function sameNormals(ours: Ring, theirs: Ring): boolean {
  return [0, 1, 2].every((k) => {
    const [a, b] = [unit(ours[k].normal), unit(theirs[k].normal)];
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] >= NORMAL_COSINE;
  });
}

/** What differs, in words; none when both are the same multiset. */
export function differences(ours: Map<string, Ring[]>, theirs: Map<string, Ring[]>): string[] {
  const found: string[] = [];
  for (const [key, rings] of theirs) {
    const left = [...(ours.get(key) ?? [])];
    for (const ring of rings) {
      const at = left.findIndex((own) => sameNormals(own, ring) && sameUvs(own, ring));
      if (at >= 0) left.splice(at, 1);
      else found.push(`not cooked: ${key} ${JSON.stringify([ring, left])}`);
    }
    for (const _ of left) found.push(`cooked, but not there: ${key}`);
  }
  for (const key of ours.keys()) if (!theirs.has(key)) found.push(`cooked, but not there: ${key}`);
  return found;
}

export async function compare(files: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'untold-differential-'));
  try {
    for (const path of files) {
      const outcome = await cookToFile(path, folder, { flatten: true });
      expect([basename(path), outcome.status]).toEqual([basename(path), 'ok']);
      const cooked = await readUntold(new Uint8Array(readFileSync(outcome.file)), outcome.file);
      const ours = trianglesOf(cooked).map((triangle) => triangle.corners);
      const theirs: Ring[] = [];
      const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
      const source = await io.readAsJSON(path);
      // A matrix as the file has it: the library keeps translation, rotation and scale of it, and so loses a shear.
      const matrices = source.json.nodes!.map((node) => node.matrix);
      const document = await io.readJSON(source);
      const nodes = document.getRoot().listNodes();
      const visit = (node: Node, above: readonly number[]) => {
        const world = product(above, matrices[nodes.indexOf(node)] ?? node.getMatrix());
        const mesh = node.getMesh();
        const weights = node.getWeights().length > 0 ? node.getWeights() : (mesh?.getWeights() ?? []);
        for (const primitive of mesh?.listPrimitives() ?? [])
          for (const ring of ringsOf(primitive, world, weights)) theirs.push(ring);
        for (const child of node.listChildren()) visit(child, world);
      };
      for (const node of document.getRoot().getDefaultScene()!.listChildren()) visit(node, IDENTITY);
      expect(ours.length).toBe(theirs.length);
      expect(ours.length).toBeGreaterThan(0);
      expect([basename(path), differences(byKey(ours), byKey(theirs)).slice(0, 3)]).toEqual([basename(path), []]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
