// `--optimize`: one mesh for what one material draws, with all triangles where they were; what moves stays apart.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { buildGlb } from '../../importers/gltf/build.ts';
import { untold } from '../../support/command.ts';
import { put, temporaryFolder } from '../../support/files.ts';
import { drawnTriangles, openGlb } from './glb.ts';
import { issuesOf } from './khronos.ts';

const SAMPLES = resolve(import.meta.dirname, '../../../samples');
const folder = temporaryFolder();

async function cooked(source: string, name: string, ...options: string[]) {
  const run = await untold(folder, ['cook', source, '--out', name, '--no-cache', ...options]);
  expect(run.code).toBe(0);
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  expect([...(await issuesOf(bytes))]).toEqual([]);
  return { ...openGlb(bytes), codes: [...new Set(run.stderr.match(/UC\d{4}/g) ?? [])] };
}

/** Triangles by their materials and corners, to a tenth of a millimetre. */
const drawn = (glb: Parameters<typeof drawnTriangles>[0]) =>
  drawnTriangles(glb)
    .map(({ material, corners }) => {
      const words = corners.map(({ position }) => position.map((value) => (value + 0).toFixed(4)).join(' '));
      return `${material}: ${words.sort().join(', ')}`.replaceAll('-0.0000', '0.0000');
    })
    .sort();

test('all triangles stand where they stood, with a mesh for each material', async () => {
  const source = join(SAMPLES, 'gltf/courtyard.gltf');
  const apart = await cooked(source, 'apart.glb', '--flatten', '--instances', 'bake');
  const joined = await cooked(source, 'joined.glb', '--optimize', '--instances', 'bake');
  expect(drawn(joined)).toEqual(drawn(apart));
  expect(apart.json.meshes.length).toBeGreaterThan(joined.json.materials.length);
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();
  expect(names(joined.json.meshes)).toEqual(names(joined.json.materials));
});

test('what repeats is stored once', async () => {
  const { json } = await cooked(join(SAMPLES, 'gltf/courtyard.gltf'), 'repeated.glb', '--optimize');
  const users = json.meshes.map((_: unknown, mesh: number) =>
    json.nodes.filter((node: { mesh?: number }) => node.mesh === mesh),
  );
  expect(Math.max(...users.map(({ length }: { length: number }) => length))).toBeGreaterThan(1);
});

test('skins and morph targets stay', async () => {
  const { json } = await cooked(join(SAMPLES, 'glb/head.glb'), 'head.glb', '--optimize');
  expect([json.skins.length, json.meshes[0].extras.targetNames.length]).toEqual([1, 10]);
});

test('a clip of a node without a skin is lost, and said to be', async () => {
  const quad = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], normals: [0, 0, 1, 0, 0, 1, 0, 0, 1], indices: [0, 1, 2] };
  const door = buildGlb({
    meshes: [{ primitives: [quad] }],
    nodes: [{ name: 'Door', mesh: 0 }],
    accessors: [
      { data: [0, 1], type: 'SCALAR' },
      { data: [0, 0, 0, 1, 0, 0], type: 'VEC3' },
    ],
    root: {
      animations: [
        {
          samplers: [{ input: 3, output: 4 }],
          channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
        },
      ],
    },
  });
  put(folder, 'door.in.glb', door);
  const { json, codes } = await cooked('door.in.glb', 'door.glb', '--optimize');
  expect([json.animations, codes]).toEqual([undefined, ['UC2073']]);
});
