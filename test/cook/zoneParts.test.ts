// Parts of a scene around a zone whose triangles come and go: what is seen does not depend on how many fit into memory.

import { expect, test } from 'vitest';
import { seenTriangles } from '../../src/cook/zone/seenTriangles.ts';
import { addShadowCasters } from '../../src/cook/zone/shadowCasters.ts';
import { ZoneParts } from '../../src/cook/zone/zoneParts.ts';
import type { ZoneThreads } from '../../src/cook/zone/zoneThreads.ts';
import { kernel } from '../../src/kernel/kernel.ts';
import { Boxes, lookFrom, type View } from '../../src/zone/look.ts';
import type { Zone } from '../../src/zone/zone.ts';
import { buildGlb, load } from '../importers/gltf/build.ts';
import { around, box, grid, sceneOf } from './zoneScenes.ts';

const ZONE: Zone = { boxes: [around([0, 1.5, 0])], spheres: [], portals: [] };

/** Streets of blocks that hide each other, ground below them, and a sun. */
async function town() {
  const blocks = Object.fromEntries(
    Array.from({ length: 64 }, (_, i) => {
      const [x, z] = [(i % 8) * 12 - 46, Math.floor(i / 8) * 12 - 46];
      return [`Block${i}`, { shape: box([x, 0, z], [x + 8, 4 + ((i * 7) % 9), z + 8]) }];
    }),
  );
  const light = {
    nodes: [
      {
        name: 'Sun',
        rotation: [-0.270598, -0.653281, -0.270598, 0.653281],
        extensions: { KHR_lights_punctual: { light: 0 } },
      },
    ],
    root: {
      extensionsUsed: ['KHR_lights_punctual'],
      extensions: { KHR_lights_punctual: { lights: [{ type: 'directional' }] } },
    },
  };
  const { scene } = await load(buildGlb(sceneOf({ ...blocks, Ground: { shape: grid(20, 110, () => 0) } }, light)));
  return scene;
}

async function seenWith(maxTriangles: number) {
  const scene = await town();
  const nodes = scene.nodes.flatMap(({ mesh }, i) => (mesh >= 0 ? [i] : []));
  const parts = new ZoneParts(scene, nodes, [0, 1.5, 0], maxTriangles);
  const look = async (view: View) => lookFrom(kernel, view, parts.parts, new Boxes(parts.parts));
  const threads = { look } as unknown as ZoneThreads;
  const first = await seenTriangles(ZONE, parts, 64, threads);
  parts.forget(new Set());
  const { pixels, ...seen } = await seenTriangles(ZONE, parts, 64, threads);
  expect(pixels).toEqual(first.pixels);
  parts.forget(new Set());
  const before = pixels.map((counts) => counts && [...counts]);
  const letGo = parts.parts.filter(({ surface }, i) => pixels[i] !== null && surface === null).length;
  const casters = await addShadowCasters(scene.lights ?? [], parts, [0, 1.5, 0], pixels, threads);
  return { found: { ...seen, before, casters, after: pixels.map((counts) => counts && [...counts]) }, letGo };
}

test('what is seen and casts shadows is the same where triangles are let go and read again', async () => {
  const [all, few] = [await seenWith(Infinity), await seenWith(0)];
  expect(all.letGo).toBe(0);
  expect(few.letGo).toBeGreaterThan(0);
  expect(few.found).toEqual(all.found);
  expect(all.found.casters).toBeGreaterThan(0);
  // Of the blocks behind the first ones, nothing is seen.
  expect(all.found.before.filter((counts) => counts === null).length).toBeGreaterThan(10);
});
