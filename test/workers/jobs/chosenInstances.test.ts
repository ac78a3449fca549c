import { describe, expect, test } from 'vitest';
import { loadFormat } from '../../../src/formats/registry.ts';
import { scaling, translation } from '../../../src/scene/matrix.ts';
import { chosenPlacements, type InstanceGroup } from '../../../src/workers/jobs/chosenInstances.ts';
import type { InstanceLimits } from '../../../src/workers/jobs.ts';
import { sphere } from '../../geometry/packed.ts';

const format = await loadFormat('untold');

const BALL = sphere(0, 0, 0, 1, 8);
const NOWHERE = { maxEntities: 50, borders: [] } as const;

const at = (x: number, own = false) => ({ world: translation(x, 0, 0), own });
const part = (placements: InstanceGroup['placements'], more: Partial<InstanceGroup> = {}): InstanceGroup => ({
  meshes: [BALL],
  placements,
  key: 'paint',
  nameBytes: 8,
  ...more,
});
const chosen = (parts: readonly InstanceGroup[], limits: InstanceLimits = NOWHERE, others: readonly string[] = []) =>
  chosenPlacements(parts, new Set(others), limits, format).map((placements) => [...placements]);

describe('placements become instances', () => {
  test('all that can, of a mesh that is worth it', () => {
    expect(chosen([part([at(0), at(3), at(6)]), part([at(0)])])).toEqual([[0, 1, 2], []]);
  });

  test('but for mirrored ones, as long as enough are left', () => {
    const mirrored = { world: scaling(-1, 1, 1), own: false };
    expect(chosen([part([at(0), mirrored, at(6)])])).toEqual([[0, 2]]);
    expect(chosen([part([mirrored, mirrored, at(6)])])).toEqual([[]]);
  });

  test('counting the merged mesh that is left for the others', () => {
    // Two instances and the merged mesh of the mirrored one; alone, two instances take the place of the merged mesh.
    const mirrored = { world: scaling(-1, 1, 1), own: false };
    const limits = (maxEntities: number) => ({ maxEntities, borders: [] });
    expect(chosen([part([at(0), mirrored, at(6)])], limits(3))).toEqual([[0, 2]]);
    expect(chosen([part([at(0), mirrored, at(6)])], limits(2))).toEqual([[]]);
    expect(chosen([part([at(0), at(6)])], limits(2))).toEqual([[0, 1]]);
    expect(chosen([part([at(0), at(6)])], limits(1))).toEqual([[]]);
  });

  test('counting the merged mesh that pieces of other objects go into', () => {
    const limits = (maxEntities: number) => ({ maxEntities, borders: [] });
    expect(chosen([part([at(0), at(6)])], limits(2), ['paint'])).toEqual([[]]);
    expect(chosen([part([at(0), at(6)])], limits(3), ['paint'])).toEqual([[0, 1]]);
    expect(chosen([part([at(0), at(6)])], limits(2), ['other'])).toEqual([[]]);
  });

  test('of objects that are entities in any case whatever the budget says', () => {
    const limits = { maxEntities: 1, borders: [] };
    expect(chosen([part([at(0, true), at(3), at(6, true), at(9)])], limits)).toEqual([[0, 2]]);
    // They take room from the others: two of their own and two that would be merged.
    expect(chosen([part([at(0, true), at(3), at(6, true), at(9)])], { ...limits, maxEntities: 3 })).toEqual([[0, 2]]);
    expect(chosen([part([at(0, true), at(3), at(6, true), at(9)])], { ...limits, maxEntities: 4 })).toEqual([
      [1, 3, 0, 2],
    ]);
  });

  test('unless they reach into a border where they would not stand the same', () => {
    // As float32, 1.1 is 1.10000002: the side of the ball that is at 0.1 when it is baked would be at 0.10000002.
    const parts = [part([at(1024), at(1.1), at(0)])];
    const around = (max: number) => ({ ...NOWHERE, borders: [{ min: [-2, -2, -2], max: [max, 2, 2] }] as const });
    expect(chosen(parts)).toEqual([[0, 1, 2]]);
    expect(chosen(parts, around(0.11))).toEqual([[0, 2]]);
    expect(chosen(parts, around(0.09))).toEqual([[0, 1, 2]]);
  });

  test('only with all parts of the mesh that are drawn alike', () => {
    const wide = { ...BALL, positions: Float64Array.from(BALL.positions, (x) => x + 1e5 + 0.001) };
    const back = { world: translation(-1e5, -1e5, -1e5), own: false };
    expect(chosen([part([back, back, back], { meshes: [BALL] })])).toEqual([[0, 1, 2]]);
    expect(chosen([part([back, back, back], { meshes: [BALL, wide] })])).toEqual([[]]);
  });
});
