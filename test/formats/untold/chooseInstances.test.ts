import { describe, expect, test } from 'vitest';
import type { InstanceCandidate } from '../../../src/formats/format.ts';
import { chooseInstances } from '../../../src/formats/untold/chooseInstances.ts';

/** 100 vertices and 200 triangles: 3200 + 1200 bytes. An entity takes 136 + 104 + 10 for its name. */
const tree: InstanceCandidate = { vertexCount: 100, indexCount: 600, placements: 10, nameBytes: 9, merged: 'bark' };
const roomy = { max: 50, own: 0, merged: new Map([['bark', 2]]) };
const choose = (candidate: Partial<InstanceCandidate>, limits = roomy) =>
  chooseInstances([{ ...tree, ...candidate }], limits)[0];

describe('a mesh is stored once', () => {
  test('where that takes at most two thirds of the bytes', () => {
    // 4400 + 10 * 250 = 6900 of 44,000.
    expect(choose({})).toBe(true);
    // n placements of m bytes: m + 250 n against 2/3 n m. For three that is m + 750 <= 2 m, from 750 bytes on.
    expect(choose({ placements: 3, vertexCount: 18, indexCount: 87 })).toBe(true);
    expect(choose({ placements: 3, vertexCount: 18, indexCount: 84 })).toBe(false);
    // For two it is m + 500 <= 4/3 m, from 1500 bytes on.
    expect(choose({ placements: 2, vertexCount: 30, indexCount: 270 })).toBe(true);
    expect(choose({ placements: 2, vertexCount: 30, indexCount: 267 })).toBe(false);
  });

  test('never for one placement, however large', () => {
    expect(choose({ placements: 1, vertexCount: 60_000, merged: null })).toBe(false);
  });

  test('with the entities that there are in any case, where the mesh alone makes that difference', () => {
    // Two of m bytes: m + 500 against 2/3 (2 m + 500), from 500 bytes on.
    expect(choose({ placements: 2, vertexCount: 10, indexCount: 90, merged: null })).toBe(true);
    expect(choose({ placements: 2, vertexCount: 10, indexCount: 87, merged: null })).toBe(false);
  });

  test('counting indices as they are stored', () => {
    // 65,536 vertices need four bytes an index; both are far beyond what is asked, the order tells them apart.
    const short = { ...tree, vertexCount: 65_535, indexCount: 1_000_000 };
    const long = { ...tree, vertexCount: 65_536, indexCount: 900_000 };
    const one = { max: 11, own: 0, merged: new Map([['bark', 3]]) };
    expect(chooseInstances([short, long], one)).toEqual([false, true]);
  });
});

describe('entities', () => {
  test('are never more than a payload may have', () => {
    // Two merged meshes and ten entities; the merged ones stay, as other parts go into them.
    const limits = (max: number) => ({
      max,
      own: 1,
      merged: new Map([
        ['bark', 2],
        ['leaf', 1],
      ]),
    });
    expect(choose({}, limits(13))).toBe(true);
    expect(choose({}, limits(12))).toBe(false);
  });

  test('a merged mesh that nothing else goes into is one less', () => {
    const alone = (max: number) => ({ max, own: 0, merged: new Map([['bark', 1]]) });
    expect(choose({}, alone(10))).toBe(true);
    expect(choose({}, alone(9))).toBe(false);
    // Two meshes of one material: the second to go takes the merged mesh with it.
    const both = (max: number) => chooseInstances([tree, tree], { max, own: 0, merged: new Map([['bark', 2]]) });
    expect(both(20)).toEqual([true, true]);
    expect(both(19)).toEqual([true, false]);
  });

  test('that there are in any case need no room', () => {
    expect(choose({ merged: null }, { max: 5, own: 10, merged: new Map() })).toBe(true);
  });

  test('go to the meshes that save most, equal ones in their order', () => {
    const limits = { max: 23, own: 0, merged: new Map([['bark', 5]]) };
    const big = { ...tree, vertexCount: 1000 };
    expect(chooseInstances([tree, big, tree, tree], limits)).toEqual([true, true, false, false]);
    // What does not fit is passed over for what does.
    const wide = { ...tree, placements: 30 };
    expect(chooseInstances([wide, tree], limits)).toEqual([false, true]);
  });
});
