// A level that is made again: what it held more of is made from full detail, the rest is taken over.

import { describe, expect, test } from 'vitest';
import { PartSimplifier } from '../../src/geometry/lod/simplify.ts';
import { PositionIds } from '../../src/geometry/mesh/positionIds.ts';
import { ground, stored, surface } from './packed.ts';

const POST = surface(8, 16, (u, v) => [
  2 + 0.05 * Math.sin(u * 2 * Math.PI),
  1 + v * 3,
  4 + 0.05 * Math.cos(u * 2 * Math.PI),
]);
const TRIANGLES = 51;
const LIMIT = 1;

/** Hilly ground with a post above it that goes at first. */
async function simplifier(): Promise<PartSimplifier> {
  const meshes = await Promise.all([ground(0, 0, 8, 32), POST].map(stored));
  return PartSimplifier.of(
    meshes.map((mesh) => ({ mesh, cards: false, textured: false })),
    new PositionIds(),
    { triangles: TRIANGLES, lockedVertices: (positions) => new Uint8Array(positions.length / 3) },
  );
}

const verticesOf = (indices: Uint32Array, meshOf: Uint32Array, mesh: number) =>
  new Set(indices.filter((v) => meshOf[v] === mesh));

describe('a level made again', () => {
  test('has the component that holds more, and of the others no vertex that went', async () => {
    const made = await simplifier();
    const { geometry } = made;
    const whole = made.collapse(LIMIT, null);
    expect(verticesOf(whole.indices, geometry.meshOf, 1).size).toBe(0);
    // Half of the ground, so that ground which is made from full detail shows.
    const first = { ...whole, indices: whole.indices.slice(0, 75) };

    const held = new Uint8Array(geometry.vertexCount);
    const top = geometry.meshOf.lastIndexOf(1);
    held[top] = 1;
    const again = made.collapse(LIMIT, held, first);
    expect(verticesOf(again.indices, geometry.meshOf, 1)).toContain(top);
    expect(again.triangles).toBeLessThanOrEqual(TRIANGLES);

    const ofGround = verticesOf(first.indices, geometry.meshOf, 0);
    const ofGroundAgain = verticesOf(again.indices, geometry.meshOf, 0);
    expect([...ofGroundAgain].filter((v) => !ofGround.has(v))).toEqual([]);
    expect(ofGroundAgain.size).toBeGreaterThan(ofGround.size * 0.7);
  });

  test('is the same where nothing more is held', async () => {
    const made = await simplifier();
    const held = new Uint8Array(made.geometry.vertexCount);
    held[made.geometry.meshOf.lastIndexOf(1)] = 1;
    const first = made.collapse(LIMIT, held);
    expect(made.collapse(LIMIT, held, first).indices).toEqual(first.indices);
  });

  test('is made from full detail where only the limit is stricter', async () => {
    const made = await simplifier();
    const held = new Uint8Array(made.geometry.vertexCount);
    held[made.geometry.meshOf.lastIndexOf(1)] = 1;
    const loose = made.collapse(LIMIT, held);
    const strict = made.collapse(LIMIT / 100, held, loose);
    const posts = (indices: Uint32Array) => verticesOf(indices, made.geometry.meshOf, 1).size;
    expect(posts(strict.indices)).toBeGreaterThan(posts(loose.indices));
  });
});
