// How a source is laid out: parts that could be one, nodes without a purpose, sizes and places that look wrong.

import { NEVER_MERGE } from '../../engine/names.ts';
import { center, unite } from '../../scene/bounds.ts';
import type { Bounds, Scene, Vec3 } from '../../scene/types.ts';
import type { Advice } from './document.ts';
import { geometryBytes, type PlacedNode } from './placed.ts';

const SHOWN = 10;
const words = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const pathsOf = (nodes: readonly PlacedNode[]): string[] => nodes.slice(0, SHOWN).map(({ path }) => path);

/** A single file draws each part for itself; a tile draws what has one material at once, but for names with NM_. */
export function mergeableParts({ nodes }: Scene, placed: readonly PlacedNode[]): Advice[] {
  const draws = placed.reduce((sum, { materials }) => sum + materials.length, 0);
  const kept = placed.filter(({ node }) => NEVER_MERGE.test(nodes[node].name));
  const merged = placed.filter(({ node }) => !NEVER_MERGE.test(nodes[node].name));
  const keptDraws = kept.reduce((sum, { materials }) => sum + materials.length, 0);
  const least = new Set(merged.flatMap(({ materials }) => materials)).size + keptDraws;
  const advice: Advice[] = [];
  if (draws > least) {
    advice.push({
      kind: 'merge',
      what: `${words(merged.length, 'part', 'parts')} of ${words(least - keptDraws, 'material', 'materials')}: a single file draws each part for itself, a tile what has one material at once`,
      count: merged.length,
      where: pathsOf(merged),
      saves: { draws: draws - least },
      option: '--out FOLDER/',
      isDefault: false,
    });
  }
  const materials = new Set(kept.flatMap((node) => node.materials)).size;
  if (keptDraws > materials) {
    advice.push({
      kind: 'merge',
      what: `${words(kept.length, 'part has a name', 'parts have names')} with NM_, which keeps each a draw of its own in every tile`,
      count: kept.length,
      where: pathsOf(kept),
      saves: { draws: keptDraws - materials },
      option: null,
      isDefault: false,
    });
  }
  return advice;
}

/** Nodes with nothing below them that is drawn, shines, looks or moves. */
export function emptyNodes(scene: Scene): Advice[] {
  const { nodes, lights = [], cameras = [], skeletons = [], clips = [] } = scene;
  const isUsed = new Uint8Array(nodes.length);
  const named = new Set([...lights, ...cameras].map(({ path }) => path));
  for (const [i, { mesh, path }] of nodes.entries()) if (mesh >= 0 || named.has(path)) isUsed[i] = 1;
  for (const { joints, below } of skeletons) {
    for (const { node } of joints) if (node !== undefined) isUsed[node] = 1;
    if (below !== undefined) isUsed[below] = 1;
  }
  for (const { channels } of clips)
    for (const { target } of channels) if (target.kind === 'node') isUsed[target.node] = 1;
  // Parents come before their children.
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { parent, below = parent } = nodes[i];
    if (isUsed[i] && parent >= 0) isUsed[parent] = 1;
    if (isUsed[i] && below >= 0) isUsed[below] = 1;
  }
  const empty = nodes.filter((_, i) => !isUsed[i]);
  if (empty.length === 0) return [];
  return [
    {
      kind: 'empty',
      what: `${words(empty.length, 'node has', 'nodes have')} nothing below: tiles hold none of them and files those with a name, but reading them takes time`,
      count: empty.length,
      where: empty.slice(0, SHOWN).map(({ path }) => path),
      saves: {},
      option: null,
      isDefault: true,
    },
  ];
}

const sidesOf = ({ min, max }: Bounds): Vec3 => [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
const longest = (bounds: Bounds): number => Math.max(...sidesOf(bounds));
const wholeOf = (placed: readonly PlacedNode[]): Bounds | null =>
  placed.reduce<Bounds | null>((all, { bounds }) => unite(all, bounds), null);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Metres of a scene that is too large or too small to be meant so. */
const HUGE_SCENE = 10_000;
const TINY_SCENE = 0.02;
/** Metres of an object in the middle of a scene that is neither. */
const USUAL: readonly [number, number] = [0.05, 50];
/** What a wrong unit makes of metres: centimetres, millimetres, inches, and the other way round. */
const UNITS: readonly (readonly [factor: number, words: string])[] = [
  [0.01, 'centimetres taken as metres'],
  [0.001, 'millimetres taken as metres'],
  [0.0254, 'inches taken as metres'],
  [100, 'metres taken as centimetres'],
  [1000, 'metres taken as millimetres'],
];

/** A scene in a wrong unit: its whole size is out of all proportion, and one factor makes its objects usual. */
export function wrongUnits(placed: readonly PlacedNode[]): Advice[] {
  const whole = wholeOf(placed);
  if (whole === null) return [];
  const size = longest(whole);
  if (size <= HUGE_SCENE && size >= TINY_SCENE) return [];
  const middle = median(placed.map(({ bounds }) => longest(bounds)));
  const fitting = UNITS.find(([factor]) => {
    const isWhole = size * factor <= HUGE_SCENE && size * factor >= TINY_SCENE;
    return isWhole && middle * factor >= USUAL[0] && middle * factor <= USUAL[1];
  });
  if (fitting === undefined) return [];
  const [factor, unit] = fitting;
  const metres = (value: number) => `${Number(value.toPrecision(3))} m`;
  return [
    {
      kind: 'units',
      what: `the scene measures ${metres(size)} and half of its objects ${metres(middle)} or less: it looks like ${unit}`,
      count: 1,
      where: [],
      saves: {},
      option: `--scale ${factor}`,
      isDefault: false,
    },
  ];
}

/** A ground is this thin, and as wide as this share of the scene. */
const THIN = 0.05;
const WIDE = 0.7;
/** Fewer objects tell nothing: a picture on a wall is upright, too. */
const FEW_OBJECTS = 3;

/** The largest object is a plate as wide as the scene, and stands upright. */
export function wrongUpAxis({ kind, upAxis }: Scene, placed: readonly PlacedNode[]): Advice[] {
  const whole = wholeOf(placed);
  if (whole === null || placed.length < FEW_OBJECTS) return [];
  const all = sidesOf(whole);
  const isGround = (thin: 0 | 1 | 2) =>
    placed.some(({ bounds }) => {
      const sides = sidesOf(bounds);
      const wide = [0, 1, 2].filter((k) => k !== thin);
      return wide.every((k) => sides[k] >= WIDE * all[k] && sides[thin] <= THIN * sides[k]);
    });
  // Everything stands on one side of a ground: it is no wall between two rooms.
  const ground = placed.find(({ bounds }) => {
    const sides = sidesOf(bounds);
    return sides[2] <= THIN * Math.min(sides[0], sides[1]) && sides[0] >= WIDE * all[0] && sides[1] >= WIDE * all[1];
  });
  if (ground === undefined || isGround(1) || isGround(0)) return [];
  const middle = center(ground.bounds)[2];
  const above = placed.filter((node) => node !== ground && center(node.bounds)[2] > middle).length;
  if (above !== placed.length - 1 && above !== 0) return [];
  const isUsd = kind === 'usda' || kind === 'usdc' || kind === 'usdz';
  const option = isUsd ? `--up-axis ${upAxis === 'Y' ? 'Z' : 'Y'}` : `--rotate ${above === 0 ? '90' : '-90'},0,0`;
  return [
    {
      kind: 'upAxis',
      what: 'a plate as wide as the scene stands upright, with all else on one side of it: it looks like a ground with another axis up',
      count: 1,
      where: [ground.path],
      saves: {},
      option,
      isDefault: false,
    },
  ];
}

/** An object is far where it is so many times as far from the middle as half of all objects are. */
const FAR = 20;
/** Nothing nearer than this is far, in metres. */
const NEAR_METRES = 100;

/** Objects far away from all others: they make the set larger, and are often left behind by mistake. */
export function farObjects(placed: readonly PlacedNode[]): Advice[] {
  if (placed.length < FEW_OBJECTS) return [];
  const centers = placed.map(({ bounds }) => center(bounds));
  const middle = [0, 1, 2].map((k) => median(centers.map((at) => at[k])));
  const distances = centers.map((at) => Math.hypot(at[0] - middle[0], at[1] - middle[1], at[2] - middle[2]));
  const usual = Math.max(NEAR_METRES / FAR, median(distances), median(placed.map(({ bounds }) => longest(bounds))));
  const far = placed.filter((node, i) => distances[i] - longest(node.bounds) > FAR * usual);
  if (far.length === 0 || far.length > Math.max(1, placed.length / 20)) return [];
  const nearest = Math.min(...placed.flatMap((node, i) => (far.includes(node) ? [distances[i]] : [])));
  return [
    {
      kind: 'far',
      what: `${words(far.length, 'object lies', 'objects lie')} ${Math.round(nearest)} m or more from the middle, where half of all lie within ${Math.ceil(median(distances))} m`,
      count: far.length,
      where: pathsOf(far),
      saves: {
        geometry: far.reduce((sum, node) => sum + geometryBytes(node), 0),
        triangles: far.reduce((sum, { triangles }) => sum + triangles, 0),
      },
      option: far.length === 1 ? `--exclude ${far[0].path}` : '--exclude PATH',
      isDefault: false,
    },
  ];
}
