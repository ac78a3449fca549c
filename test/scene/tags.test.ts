import { describe, expect, it } from 'vitest';
import { effectiveTags, readTags } from '../../src/scene/tags.ts';
import type { SceneNode } from '../../src/scene/types.ts';

describe('readTags', () => {
  it('reads known values, bare or with the prefix of user properties, and passes over other keys', () => {
    const properties = Object.entries({
      untold_streaming_priority_hint: 'High',
      'userProperties:untold_tile_policy': 'force_local',
      other: 'Critical',
    });
    expect(readTags(properties)).toEqual({ tags: { priority: 'High', policy: 'force_local' }, unknown: [] });
    expect(readTags([])).toEqual({ tags: null, unknown: [] });
  });

  it('says which values it does not know', () => {
    const { tags, unknown } = readTags([
      ['untold_streaming_priority_hint', 'Urgent'],
      ['untold_tile_policy', 1],
    ]);
    expect(tags).toBeNull();
    expect(unknown).toEqual([
      'untold_streaming_priority_hint is "Urgent", not Low, Normal, High, Critical',
      'untold_tile_policy is a number, not force_local, always_loaded',
    ]);
  });
});

it('a node without a mesh hands its tags down, a node with one does not', () => {
  const low = { priority: 'Low' } as const;
  const node = (parent: number, mesh: number, tags?: SceneNode['tags']): SceneNode => ({
    name: '',
    path: '',
    parent,
    mesh,
    local: new Float64Array(16),
    world: new Float64Array(16),
    ...(tags && { tags }),
  });
  const high = { priority: 'High' } as const;
  const nodes = [node(-1, -1, low), node(0, 0), node(1, 1), node(0, 2, high), node(0, -1), node(4, 3)];
  expect(effectiveTags(nodes)).toEqual([low, low, null, high, low, low]);
  // What a node does not say itself stays as its parent says it.
  const local = { policy: 'force_local', priority: 'High' } as const;
  const tier = { semanticTier: 'FineProps', priority: 'Low' } as const;
  expect(effectiveTags([node(-1, -1, tier), node(0, 0, local)])[1]).toEqual({ ...tier, ...local });
});
