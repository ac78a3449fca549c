// Crates with damage in values that only skinning reads.

import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../../src/importers/content.ts';
import { memoryFiles } from '../../../../src/importers/files.ts';
import { importUsd } from '../../../../src/importers/usd/index.ts';
import type { Scene } from '../../../../src/scene/types.ts';
import {
  array,
  attribute,
  double,
  float3s,
  ints,
  prim,
  raw,
  relationship,
  timeSamples,
  token,
  tokens,
  writeCrate,
} from '../crateWriter.ts';
import type { FieldValue } from '../layerSpecs.ts';
import { moved } from './skelText.ts';

const COUNT = 64;
const VERTEX = { interpolation: token('vertex') };
const floats = (values: Iterable<number>) => array('Float', Float32Array.from(values));
const spread = (seed: number) => Int32Array.from({ length: COUNT }, (_, i) => (Math.imul(i + seed, 40503) >>> 4) % 2);

/**
 * A crate of a skinned mesh; `joints` are its indices, `keys` the translations of a joint over time; without such
 * it has `value`.
 */
function crate(joints: Iterable<number>, keys: readonly number[], value: FieldValue = float3s([0, 0, 0])): Uint8Array {
  const triangle = Array.from({ length: COUNT }, (_, i) => i);
  return writeCrate(
    {
      '/': { metersPerUnit: double(1), upAxis: token('Y') },
      '/R': prim('SkelRoot'),
      '/R.skel:skeleton': relationship(['/R/S']),
      '/R.skel:animationSource': relationship(['/R/W']),
      '/R/S': prim('Skeleton'),
      '/R/S.joints': attribute('token[]', tokens('A', 'B')),
      '/R/S.bindTransforms': attribute(
        'matrix4d[]',
        array('Matrix4d', Float64Array.from([...moved(0, 0, 0), ...moved(0, 1, 0)])),
      ),
      '/R/W': prim('SkelAnimation'),
      '/R/W.joints': attribute('token[]', tokens('A')),
      '/R/W.translations': {
        ...attribute('float3[]', value),
        ...(keys.length > 0 && { timeSamples: timeSamples(keys.map((x, i) => [i, float3s([x, 0, 0])])) }),
      },
      '/R/m': prim('Mesh'),
      '/R/m.points': attribute('point3f[]', float3s(triangle.flatMap((i) => [i, i % 2, 0]))),
      '/R/m.subdivisionScheme': attribute('token', token('none')),
      '/R/m.faceVertexCounts': attribute('int[]', ints([3])),
      '/R/m.faceVertexIndices': attribute('int[]', ints([0, 1, 2])),
      '/R/m.primvars:skel:jointIndices': { ...attribute('int[]', ints(joints)), ...VERTEX },
      '/R/m.primvars:skel:jointWeights': { ...attribute('float[]', floats(triangle.map(() => 1))), ...VERTEX },
    },
    { compressArrays: true },
  );
}

async function imported(bytes: Uint8Array): Promise<{ scene: Scene; codes: string[] }> {
  const diagnostics = new Diagnostics();
  const context = { files: memoryFiles({}, '/'), diagnostics, options: { keepsRigs: true } };
  const scene = await importUsd('/scene/m.usdc', memoryContent(bytes), context);
  return { scene, codes: diagnostics.list.map(({ code }) => code) };
}

/** The bytes of `a` that differ from those of `b` set to 255, and those between them. */
function damaged(a: Uint8Array, b: Uint8Array): Uint8Array {
  expect(a.length).toBe(b.length);
  const first = a.findIndex((byte, i) => byte !== b[i]);
  const last = a.findLastIndex((byte, i) => byte !== b[i]);
  return a.slice().fill(255, first, last + 1);
}

describe('a crate', () => {
  it('that is sound has a bound mesh and a clip', async () => {
    const { scene, codes } = await imported(crate(spread(1), [1, 2, 3]));
    expect([scene.skins?.length, scene.clips?.length, codes]).toEqual([1, 1, []]);
    const read = await scene.meshes[0].primitives[0].bound?.read();
    expect([...(read?.skinning?.joints ?? [])]).toEqual([...spread(1)]);
    expect([...(scene.clips?.[0].channels[0].translation?.values ?? [])]).toEqual([1, 0, 0, 2, 0, 0, 3, 0, 0]);
  });

  it('with joint indices that cannot be unpacked has the mesh without skinning', async () => {
    const { scene, codes } = await imported(damaged(crate(spread(1), [1]), crate(spread(7), [1])));
    expect(codes).toEqual(['UC1846']);
    expect(scene.meshes[0].primitives[0].bound).toBeUndefined();
    expect((await scene.meshes[0].primitives[0].read()).points.length).toBe(COUNT * 3);
  });

  it('with values of an animation that lie outside of it has no clip', async () => {
    // An array of Vec3f (type 24) at a byte far behind the end.
    const { scene, codes } = await imported(crate(spread(1), [], raw(0x80000000 | (24 << 16), 0x7fffffff)));
    expect(codes).toEqual(['UC1848']);
    expect([scene.skins?.length, scene.clips]).toEqual([1, undefined]);
  });
});
