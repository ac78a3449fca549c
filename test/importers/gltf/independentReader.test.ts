// Whole files, read by us and by an independent reader: gltf-transform must find the same triangles in the same places.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Logger, type Node, NodeIO, type Primitive } from '@gltf-transform/core';
import { expect, test } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { diskFiles } from '../../../src/importers/files.ts';
import { importGltf } from '../../../src/importers/gltf/index.ts';
import { identity, multiply, transformPoint } from '../../../src/scene/matrix.ts';

const SAMPLES = resolve(import.meta.dirname, '../../../samples');
const KAYKIT = resolve(import.meta.dirname, '../../../../shared/assets/gltf/kaykit-city/gltf');

type Corner = readonly [x: number, y: number, z: number, u: number, v: number];

function triangleKeys(corners: readonly Corner[]): string[] {
  const keys: string[] = [];
  for (let t = 0; t < corners.length; t += 3) {
    const ring = [0, 1, 2].map((c) =>
      corners[t + c].map((value) => (Math.round(value * 1e4) + 0).toString()).join(' '),
    );
    const first = ring.indexOf([...ring].sort()[0]);
    keys.push([...ring.slice(first), ...ring.slice(0, first)].join(' | '));
  }
  return keys.sort();
}

function cornersOf(primitive: Primitive, world: Float64Array, weights: readonly number[]): Corner[] {
  const position = primitive.getAttribute('POSITION')!;
  const deltas = primitive.listTargets().map((target) => target.getAttribute('POSITION'));
  const uv = primitive.getAttribute('TEXCOORD_0');
  const indices = primitive.getIndices()?.getArray() ?? Array.from({ length: position.getCount() }, (_, i) => i);
  return Array.from(indices as ArrayLike<number>, (i): Corner => {
    const place = position.getElement(i, [0, 0, 0]);
    for (const [t, delta] of deltas.entries()) {
      const by = delta?.getElement(i, [0, 0, 0]) ?? [0, 0, 0];
      for (let k = 0; k < 3; k++) place[k] += (weights[t] ?? 0) * by[k];
    }
    const [x, y, z] = place;
    const [u, v] = uv ? uv.getElement(i, [0, 0]) : [0, 0];
    return [...transformPoint(world, [x, y, z]), u, 1 - v] as const;
  });
}

/** What is said of the samples that move: their rest pose is read here. */
const AT_REST: Record<string, string[]> = { 'sprout.glb': ['UC1341', 'UC1340'], 'head.glb': ['UC1341', 'UC1342'] };

/** Compares every glTF file of a folder, whose images lie below `root`; gives how many files there are. */
async function compareFolder(folder: string, root: string): Promise<number> {
  const names = readdirSync(folder)
    .filter((name) => /\.(gltf|glb)$/.test(name))
    .sort();
  for (const name of names) {
    const path = resolve(folder, name);
    const theirs: Corner[] = [];
    const io = new NodeIO().setLogger(new Logger(Logger.Verbosity.SILENT));
    const source = await io.readAsJSON(path);
    // A matrix as the file has it: the library keeps translation, rotation and scale of it, and so loses a shear.
    const matrices = source.json.nodes!.map(({ matrix }) => matrix);
    const theirRoot = (await io.readJSON(source)).getRoot();
    const visit = (node: Node, above: Float64Array) => {
      const own = matrices[theirRoot.listNodes().indexOf(node)] ?? node.getMatrix();
      const world = multiply(above, Float64Array.from(own));
      const mesh = node.getMesh();
      for (const primitive of mesh?.listPrimitives() ?? [])
        for (const corner of cornersOf(primitive, world, mesh?.getWeights() ?? [])) theirs.push(corner);
      for (const child of node.listChildren()) visit(child, world);
    };
    for (const node of theirRoot.getDefaultScene()!.listChildren()) visit(node, identity());
    const diagnostics = new Diagnostics();
    const scene = await importGltf(path, memoryContent(new Uint8Array(readFileSync(path))), {
      files: diskFiles(root),
      diagnostics,
      options: {},
    });
    const ours: Corner[] = [];
    for (const node of scene.nodes) {
      for (const primitive of node.mesh < 0 ? [] : scene.meshes[node.mesh].primitives) {
        const { points, corners, uvs } = await primitive.read();
        const uv = uvs.get('TEXCOORD_0')?.data;
        for (const v of corners) {
          const place = transformPoint(node.world, [points[v * 3], points[v * 3 + 1], points[v * 3 + 2]]);
          ours.push([...place, uv ? uv[v * 2] : 0, uv ? uv[v * 2 + 1] : 1]);
        }
      }
    }
    expect(ours.length).toBeGreaterThan(0);
    expect([name, triangleKeys(ours)]).toEqual([name, triangleKeys(theirs)]);
    expect([name, diagnostics.list.map(({ code }) => code)]).toEqual([name, AT_REST[name] ?? []]);
    for (const image of scene.images)
      expect((await image.read()).subarray(1, 4)).toEqual(new Uint8Array([0x50, 0x4e, 0x47]));
  }
  return names.length;
}

test.each(['gltf', 'glb'])('the samples, as %s', async (kind) => {
  expect(await compareFolder(resolve(SAMPLES, kind), SAMPLES)).toBeGreaterThan(0);
});

test.skipIf(!existsSync(KAYKIT))('KayKit City Builder (skipped without the assets beside the project)', async () => {
  expect(await compareFolder(KAYKIT, KAYKIT)).toBeGreaterThan(30);
});
