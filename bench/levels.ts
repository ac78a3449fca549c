// `npx tsx bench/levels.ts MANIFEST…`: how levels look beside the full detail of their tiles, from the written files alone.
// For each scene a table of its levels, and the worst tiles: stored normals that lean away from their triangles, edges of
// foliage cards that outgrow full detail, and colour features that are lost. Nothing here is a test.

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { unpackMesh } from '../src/formats/untold/mesh/packMesh.ts';
import { readUntold } from '../src/formats/untold/read.ts';
import type { UntoldMaterial } from '../src/formats/untold/types.ts';
import { isMadeOfCards } from '../src/geometry/hlod/cards.ts';
import { bakePlacements } from '../src/geometry/instances/bakePlacements.ts';
import { triangleArea } from '../src/geometry/lod/deviation.ts';
import { mergeMeshes } from '../src/geometry/mesh/merge.ts';
import type { Float32Mesh } from '../src/geometry/mesh/mesh.ts';
import { PositionIds } from '../src/geometry/mesh/positionIds.ts';
import { decodeImage } from '../src/textures/decode/decode.ts';
import { ImageFault } from '../src/textures/decode/fault.ts';
import type { Pixels } from '../src/textures/decode/pixels.ts';
import { probeImage } from '../src/textures/decode/probe.ts';
import { errorAtDistance } from '../src/tiling/streaming/ladder.ts';

/** A stored normal further than this from its triangle's is seen as a dark blotch. */
const LEANING = Math.cos(Math.PI / 3);
/** Colours whose components differ by less (0 to 1, encoded as sRGB) count as one. */
const SAME_COLOR = 0.06;
/** Points on each colour feature. */
const SAMPLES = 24;
/** Cosine below which a triangle counts as facing the other way. */
const OTHER_WAY = -0.35;
/** A feature is lost where less than this share of its points still finds its colour. */
const KEPT = 0.7;

interface Payload {
  /** All but the cards. */
  readonly mesh: Float32Mesh;
  readonly cards: Float32Mesh | null;
  /** sRGB of each triangle, 3 numbers; NaN where a texture varies over the triangle. */
  readonly colors: Float32Array;
  /** Least and greatest sRGB found in each triangle, 6 numbers. */
  readonly ranges: Float32Array;
  /** What each triangle is painted with. */
  readonly paints: readonly Paint[];
  readonly triangles: number;
}

interface Paint {
  readonly pixels: Pixels | null;
  readonly material: UntoldMaterial;
}

const images = new Map<string, Promise<Pixels | null>>();
function imageOf(path: string): Promise<Pixels | null> {
  const known = images.get(path);
  if (known) return known;
  const read = async () => {
    const bytes = readFileSync(path);
    const info = await probeImage(bytes);
    const pixels = info instanceof ImageFault ? info : await decodeImage(bytes, info);
    return pixels instanceof ImageFault ? null : pixels;
  };
  const made = read();
  images.set(path, made);
  return made;
}

const encoded = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

/** The colour at a UV: of the texel there, times the factor. */
function colorAt(pixels: Pixels | null, { baseColorFactor }: UntoldMaterial, u: number, v: number): number[] {
  const factor = [0, 1, 2].map((k) => encoded(baseColorFactor[k]));
  if (pixels === null) return factor;
  const x = Math.min(pixels.width - 1, Math.floor((u - Math.floor(u)) * pixels.width));
  const y = Math.min(pixels.height - 1, Math.floor((1 - (v - Math.floor(v))) * pixels.height));
  return factor.map((f, k) => (f * pixels.data[(y * pixels.width + x) * 4 + k]) / 255);
}

const alike = (a: ArrayLike<number>, at: number, b: ArrayLike<number>, bt: number) =>
  Math.abs(a[at] - b[bt]) < SAME_COLOR &&
  Math.abs(a[at + 1] - b[bt + 1]) < SAME_COLOR &&
  Math.abs(a[at + 2] - b[bt + 2]) < SAME_COLOR;

/** Places in a triangle at which its texture must not vary for it to have one colour: weights of its corners. */
const WEIGHTS = Array.from({ length: 7 }, (_, i) =>
  Array.from({ length: 7 - i }, (__, j) => [
    0.97 * (i / 6) + 0.01,
    0.97 * (j / 6) + 0.01,
    0.97 * ((6 - i - j) / 6) + 0.01,
  ]),
).flat();

async function readPayload(path: string, foliage: Set<string>, isTile: boolean): Promise<Payload> {
  const content = await readUntold(readFileSync(path), path);
  const solid: Float32Mesh[] = [];
  const cards: Float32Mesh[] = [];
  const colors: Float32Array[] = [];
  const ranges: Float32Array[] = [];
  const paints: Paint[] = [];
  let triangles = 0;
  for (const entity of content.entities) {
    for (const packed of content.meshes.slice(entity.firstMesh, entity.firstMesh + entity.meshCount)) {
      const material = content.materials[packed.material];
      const mesh = bakePlacements([{ mesh: unpackMesh(packed), world: entity.localTransform }]) as Float32Mesh;
      triangles += mesh.indices.length / 3;
      if (isTile && material.alphaMode === 'mask' && isMadeOfCards(mesh)) foliage.add(material.name);
      if (foliage.has(material.name)) {
        cards.push(mesh);
        continue;
      }
      solid.push(mesh);
      const texture = content.textures[material.baseColorTexture];
      const pixels = texture ? await imageOf(join(dirname(path), texture.uri)) : null;
      const own = new Float32Array(mesh.indices.length);
      const range = new Float32Array(mesh.indices.length * 2);
      const paint = { pixels, material };
      const uv0 = mesh.attributes.uv0 as Float32Array;
      const repeats = pixels !== null && uv0.some((x) => x < -0.01 || x > 1.01);
      for (let i = 0; i < mesh.indices.length; i += 3) {
        const uvs = [0, 1, 2].map((k) => [uv0[mesh.indices[i + k] * 2], uv0[mesh.indices[i + k] * 2 + 1]]);
        const middle = [0, 1].map((k) => (uvs[0][k] + uvs[1][k] + uvs[2][k]) / 3);
        const color = colorAt(pixels, material, middle[0], middle[1]);
        paints.push(paint);
        let flat = !repeats;
        for (let k = 0; k < 3; k++) range[i * 2 + k] = range[i * 2 + 3 + k] = color[k];
        for (const [a, b, c] of pixels === null ? [] : WEIGHTS) {
          const [u, v] = [0, 1].map((k) => uvs[0][k] * a + uvs[1][k] * b + uvs[2][k] * c);
          const found = colorAt(pixels, material, u, v);
          flat &&= alike(found, 0, color, 0);
          for (let k = 0; k < 3; k++) {
            range[i * 2 + k] = Math.min(range[i * 2 + k], found[k]);
            range[i * 2 + 3 + k] = Math.max(range[i * 2 + 3 + k], found[k]);
          }
        }
        own.set(flat ? color : [NaN, NaN, NaN], i);
      }
      colors.push(own);
      ranges.push(range);
    }
  }
  const nothing = { vertexCount: 0, positions: new Float32Array(0), attributes: { normal: new Float32Array(0) } };
  return {
    mesh: solid.length > 0 ? mergeMeshes(solid) : { ...nothing, indices: new Uint32Array(0) },
    cards: cards.length > 0 ? mergeMeshes(cards) : null,
    colors: joined(colors),
    ranges: joined(ranges),
    paints,
    triangles,
  };
}

function joined(lists: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(lists.reduce((sum, own) => sum + own.length, 0));
  let at = 0;
  for (const own of lists) {
    all.set(own, at);
    at += own.length;
  }
  return all;
}

/** Area of the triangles with a stored normal that leans away, and of all. */
function leaning({ positions, indices, attributes }: Float32Mesh): readonly [number, number] {
  const { normal } = attributes;
  let away = 0;
  let total = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
    const n = crossed(positions, indices, i);
    const length = Math.hypot(...n);
    if (!(length > 0)) continue;
    total += length / 2;
    const leans = [a, b, c].some((at) => {
      const stored = Math.hypot(normal[at], normal[at + 1], normal[at + 2]);
      return n[0] * normal[at] + n[1] * normal[at + 1] + n[2] * normal[at + 2] < LEANING * length * stored;
    });
    if (leans) away += length / 2;
  }
  return [away, total];
}

/** Edge in metres of the cubes that triangles are looked up by. */
const CUBE = 1;

/** The triangles of a mesh by the cubes that their boxes touch. */
class TriangleGrid {
  readonly #cubes = new Map<string, number[]>();
  readonly #mesh: Float32Mesh;

  constructor(mesh: Float32Mesh) {
    this.#mesh = mesh;
    const { positions, indices } = mesh;
    for (let i = 0; i < indices.length; i += 3) {
      const corners = [0, 1, 2].map((k) => positions.subarray(indices[i + k] * 3, indices[i + k] * 3 + 3));
      const low = [0, 1, 2].map((k) => Math.min(...corners.map((corner) => corner[k])));
      const high = [0, 1, 2].map((k) => Math.max(...corners.map((corner) => corner[k])));
      this.#visit(low, high, (key) => {
        const list = this.#cubes.get(key);
        if (list) list.push(i / 3);
        else this.#cubes.set(key, [i / 3]);
      });
    }
  }

  /** Whether a triangle within `reach` metres of a point fits. */
  some(point: readonly number[], reach: number, fits: (triangle: number) => boolean): boolean {
    const { positions, indices } = this.#mesh;
    const seen = new Set<number>();
    let found = false;
    const [low, high] = [point.map((x) => x - reach), point.map((x) => x + reach)];
    this.#visit(low, high, (key) => {
      for (const t of found ? [] : (this.#cubes.get(key) ?? [])) {
        if (seen.has(t)) continue;
        seen.add(t);
        if (distanceTo(positions, indices, t * 3, point) > reach || !fits(t)) continue;
        found = true;
        break;
      }
    });
    return found;
  }

  #visit(low: readonly number[], high: readonly number[], visit: (key: string) => void): void {
    const [x0, y0, z0] = low.map((x) => Math.floor(x / CUBE));
    const [x1, y1, z1] = high.map((x) => Math.floor(x / CUBE));
    for (let x = x0; x <= x1; x++) {
      for (let y = y0; y <= y1; y++) for (let z = z0; z <= z1; z++) visit(`${x},${y},${z}`);
    }
  }
}

/** Area of the triangles whose centres have full detail within `reach` metres, but none that faces alike. */
function facingAway({ positions, indices }: Float32Mesh, full: Float32Mesh, reach: number): number {
  const grid = new TriangleGrid(full);
  let away = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const n = crossed(positions, indices, i);
    const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
    const middle = [0, 1, 2].map((k) => (positions[a + k] + positions[b + k] + positions[c + k]) / 3);
    const alike = grid.some(middle, reach, (t) => dot(n, crossed(full.positions, full.indices, t * 3)) > 0);
    if (!alike && grid.some(middle, reach, () => true)) away += Math.hypot(...n) / 2;
  }
  return away;
}

function crossed(p: Float32Array, indices: Uint32Array, at: number): readonly number[] {
  const [a, b, c] = [indices[at] * 3, indices[at + 1] * 3, indices[at + 2] * 3];
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

function longestEdge({ positions, indices }: Float32Mesh): number {
  let longest = 0;
  for (let i = 0; i < indices.length; i++) {
    const [a, b] = [indices[i] * 3, indices[i % 3 === 2 ? i - 2 : i + 1] * 3];
    const d = Math.hypot(
      positions[b] - positions[a],
      positions[b + 1] - positions[a + 1],
      positions[b + 2] - positions[a + 2],
    );
    if (d > longest) longest = d;
  }
  return longest;
}

interface Feature {
  /** Greatest projected area over the diagonal of its box, in metres. */
  readonly width: number;
  readonly area: number;
  /** Points, and of the triangle that each lies in the normal and the colour: nine numbers each. */
  readonly points: Float64Array;
}

const DIRECTIONS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0.7, 0, 0.7],
  [0.7, 0, -0.7],
  [0, 0.7, 0.7],
  [0, 0.7, -0.7],
  [0.7, 0.7, 0],
  [0.7, -0.7, 0],
].flatMap(([x, y, z]) => [
  [x, y, z],
  [-x, -y, -z],
]);

/** Connected triangles of one colour. */
function featuresOf({ mesh: { positions, indices }, colors }: Payload): Feature[] {
  const ids = new PositionIds(positions.length / 3).of(positions);
  const count = indices.length / 3;
  const parent = Uint32Array.from({ length: count }, (_, t) => t);
  const root = (t: number): number => {
    while (parent[t] !== t) t = parent[t] = parent[parent[t]];
    return t;
  };
  const edges = new Map<string, number[]>();
  for (let i = 0; i < indices.length; i++) {
    const [a, b] = [ids[indices[i]], ids[indices[i % 3 === 2 ? i - 2 : i + 1]]];
    const key = a < b ? `${a},${b}` : `${b},${a}`;
    const t = Math.floor(i / 3);
    const others = edges.get(key);
    if (!others) edges.set(key, [t]);
    else {
      for (const other of others) if (alike(colors, t * 3, colors, other * 3)) parent[root(t)] = root(other);
      others.push(t);
    }
  }
  const groups = new Map<number, number[]>();
  for (let t = 0; t < count; t++) {
    if (Number.isNaN(colors[t * 3])) continue;
    const r = root(t);
    const group = groups.get(r);
    if (group) group.push(t);
    else groups.set(r, [t]);
  }
  const features: Feature[] = [];
  for (const group of groups.values()) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const projected = new Float64Array(DIRECTIONS.length);
    const areas = group.map((t) => triangleArea(positions, indices, t * 3));
    const total = areas.reduce((sum, a) => sum + a, 0);
    if (!(total > 0)) continue;
    const points = new Float64Array(SAMPLES * 9);
    let sampled = 0;
    let passed = 0;
    group.forEach((t, g) => {
      const corners = [0, 1, 2].map((k) => [...positions.subarray(indices[t * 3 + k] * 3, indices[t * 3 + k] * 3 + 3)]);
      for (const corner of corners) {
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], corner[k]);
          high[k] = Math.max(high[k], corner[k]);
        }
      }
      const [p, q, r] = corners;
      const n = crossed(positions, indices, t * 3);
      DIRECTIONS.forEach((d, i) => {
        projected[i] += Math.max(0, n[0] * d[0] + n[1] * d[1] + n[2] * d[2]) / 2;
      });
      passed += areas[g];
      while (sampled < SAMPLES && ((sampled + 0.5) / SAMPLES) * total <= passed) {
        const s = Math.sqrt((sampled * 0.618034 + 0.5) % 1);
        const w = (sampled * 0.754878 + 0.25) % 1;
        for (let k = 0; k < 3; k++) {
          points[sampled * 9 + k] = p[k] * (1 - s) + q[k] * s * (1 - w) + r[k] * s * w;
          points[sampled * 9 + 3 + k] = n[k];
          points[sampled * 9 + 6 + k] = colors[t * 3 + k];
        }
        sampled++;
      }
    });
    const diagonal = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    features.push({
      width: Math.max(...projected) / diagonal,
      area: total,
      points: points.subarray(0, sampled * 9),
    });
  }
  return features;
}

/** The share of a feature's points that find its colour within `reach` metres in a level, on no side that faces the other way. */
function keptOf({ points }: Feature, level: Payload, grid: TriangleGrid, reach: number): number {
  const { positions, indices } = level.mesh;
  const uv0 = level.mesh.attributes.uv0 as Float32Array;
  const nearestIn = (t: number, point: readonly number[]) => {
    const corners = [0, 1, 2].map((k) => [...positions.subarray(indices[t * 3 + k] * 3, indices[t * 3 + k] * 3 + 3)]);
    return { corners, nearest: nearestPoint(corners[0], corners[1], corners[2], point) };
  };
  let kept = 0;
  for (let at = 0; at < points.length; at += 9) {
    const [x, y, z, nx, ny, nz] = points.subarray(at, at + 6);
    const color = points.subarray(at + 6, at + 9);
    const fits = (t: number): boolean => {
      for (let k = 0; k < 3; k++) {
        if (color[k] < level.ranges[t * 6 + k] - SAME_COLOR) return false;
        if (color[k] > level.ranges[t * 6 + 3 + k] + SAME_COLOR) return false;
      }
      const [mx, my, mz] = crossed(positions, indices, t * 3);
      // A reveal that has gone is drawn by the wall around it; what faces the other way draws nothing of it.
      const cosine = (nx * mx + ny * my + nz * mz) / (Math.hypot(nx, ny, nz) * Math.hypot(mx, my, mz));
      if (!(cosine > OTHER_WAY)) return false;
      const {
        corners: [p, q, r],
        nearest,
      } = nearestIn(t, [x, y, z]);
      const weights = [areaOf(nearest, q, r), areaOf(p, nearest, r), areaOf(p, q, nearest)];
      const whole = weights[0] + weights[1] + weights[2];
      const uv = [0, 1].map((k) =>
        weights.reduce((sum, w, c) => sum + (w / whole) * uv0[indices[t * 3 + c] * 2 + k], 0),
      );
      const { pixels, material } = level.paints[t];
      return alike(colorAt(pixels, material, uv[0], uv[1]), 0, color, 0);
    };
    if (grid.some([x, y, z], reach, fits)) kept++;
  }
  return points.length === 0 ? 1 : kept / (points.length / 9);
}

const sub = (u: readonly number[], v: readonly number[]) => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
const dot = (u: readonly number[], v: readonly number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

function areaOf(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  const [u, v] = [sub(b, a), sub(c, a)];
  return Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
}

function distanceTo(p: Float32Array, indices: Uint32Array, at: number, q: readonly number[]): number {
  const [a, b, c] = [0, 1, 2].map((k) => [...p.subarray(indices[at + k] * 3, indices[at + k] * 3 + 3)]);
  return Math.hypot(...sub(nearestPoint(a, b, c, q), q));
}

/** The point of a triangle that is nearest to `q` (Ericson, Real-Time Collision Detection, 5.1.5). */
function nearestPoint(a: readonly number[], b: readonly number[], c: readonly number[], q: readonly number[]) {
  const along = (u: readonly number[], d: readonly number[], s: number) => u.map((value, k) => value + d[k] * s);
  const [ab, ac, ap] = [sub(b, a), sub(c, a), sub(q, a)];
  const [d1, d2] = [dot(ab, ap), dot(ac, ap)];
  if (d1 <= 0 && d2 <= 0) return a;
  const bp = sub(q, b);
  const [d3, d4] = [dot(ab, bp), dot(ac, bp)];
  if (d3 >= 0 && d4 <= d3) return b;
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return along(a, ab, d1 / (d1 - d3));
  const cp = sub(q, c);
  const [d5, d6] = [dot(ab, cp), dot(ac, cp)];
  if (d6 >= 0 && d5 <= d6) return c;
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return along(a, ac, d2 / (d2 - d6));
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return along(b, sub(c, b), (d4 - d3) / (d4 - d3 + d5 - d6));
  const s = 1 / (va + vb + vc);
  return along(along(a, ab, vb * s), ac, vc * s);
}

interface Row {
  readonly tile: string;
  readonly level: string;
  readonly triangles: number;
  readonly away: number;
  readonly area: number;
  /** Area of triangles that face away from the surface that they stand for. */
  readonly turned: number;
  /** Longest edge of a card over that of full detail; 0 without cards. */
  readonly growth: number;
  /** Features over two pixels large: how many, how many of them lost, their area and what of it is lost. */
  readonly features: number;
  readonly lost: number;
  readonly featureArea: number;
  readonly lostArea: number;
}

interface LevelEntry {
  readonly path?: string;
  readonly path_relative_to_manifest?: string;
  readonly switch_distance: number;
}

interface TileEntry {
  readonly tile_id: string;
  readonly path_relative_to_manifest: string;
  readonly lod_levels?: readonly LevelEntry[];
  readonly hlod_levels?: readonly LevelEntry[];
}

async function measure(manifest: string): Promise<Row[]> {
  const base = dirname(manifest);
  const { tiles } = JSON.parse(readFileSync(manifest, 'utf8')) as { tiles: readonly TileEntry[] };
  const rows: Row[] = [];
  for (const tile of tiles) {
    const levels = [...(tile.lod_levels ?? []), ...(tile.hlod_levels ?? [])];
    const foliage = new Set<string>();
    const full = await readPayload(join(base, tile.path_relative_to_manifest), foliage, true);
    const features = featuresOf(full);
    const [fullAway, fullArea] = leaning(full.mesh);
    const none = { turned: 0, growth: 0, features: 0, lost: 0, featureArea: 0, lostArea: 0 };
    rows.push({
      tile: tile.tile_id,
      level: 'full',
      triangles: full.triangles,
      away: fullAway,
      area: fullArea,
      ...none,
    });
    for (const entry of levels) {
      const path = (entry.path ?? entry.path_relative_to_manifest) as string;
      const level = /_(lod\d+|hlod|far)_/.exec(basename(path))?.[1];
      if (!level) continue;
      const made = await readPayload(join(base, path), foliage, false);
      const [away, area] = leaning(made.mesh);
      const twoPixels = errorAtDistance(entry.switch_distance);
      const seen = features.filter(({ width }) => width > twoPixels);
      const grid = new TriangleGrid(made.mesh);
      let lost = 0;
      let featureArea = 0;
      let lostArea = 0;
      for (const feature of seen) {
        featureArea += feature.area;
        const kept = made.mesh.indices.length === 0 ? 0 : keptOf(feature, made, grid, twoPixels / 2);
        if (kept >= KEPT) continue;
        lost++;
        lostArea += feature.area;
      }
      const growth = full.cards && made.cards ? longestEdge(made.cards) / longestEdge(full.cards) : 0;
      const { triangles } = made;
      const turned = full.triangles > 0 ? facingAway(made.mesh, full.mesh, twoPixels / 2) : 0;
      rows.push({
        tile: tile.tile_id,
        level,
        triangles,
        away,
        area,
        turned,
        growth,
        features: seen.length,
        lost,
        featureArea,
        lostArea,
      });
    }
  }
  return rows;
}

const percent = (part: number, whole: number) => `${(whole > 0 ? (part / whole) * 100 : 0).toFixed(2)} %`;

function print(manifest: string, rows: readonly Row[]): void {
  const sum = (list: readonly Row[], of: (row: Row) => number) => list.reduce((all, row) => all + of(row), 0);
  const lines = [
    [
      'level',
      'tiles',
      'triangles',
      'leaning',
      'worst tile',
      'turned',
      'cards grow',
      'worst tile',
      'features',
      'lost',
      'area lost',
      'worst tile',
    ],
  ];
  const byMost = (list: readonly Row[], of: (row: Row) => number) => list.reduce((a, b) => (of(b) > of(a) ? b : a));
  for (const level of [...new Set(rows.map((row) => row.level))].sort()) {
    const own = rows.filter((row) => row.level === level);
    const away = byMost(own, (row) => (row.area > 0 ? row.away / row.area : 0));
    const grown = byMost(own, (row) => row.growth);
    const lost = byMost(own, (row) => row.lost);
    lines.push([
      level,
      `${own.length}`,
      `${sum(own, (row) => row.triangles)}`,
      percent(
        sum(own, (row) => row.away),
        sum(own, (row) => row.area),
      ),
      `${away.tile} ${percent(away.away, away.area)}`,
      percent(
        sum(own, (row) => row.turned),
        sum(own, (row) => row.area),
      ),
      grown.growth.toFixed(2),
      grown.growth > 0 ? grown.tile : '',
      `${sum(own, (row) => row.features)}`,
      `${sum(own, (row) => row.lost)}`,
      percent(
        sum(own, (row) => row.lostArea),
        sum(own, (row) => row.featureArea),
      ),
      lost.lost > 0 ? `${lost.tile} ${lost.lost}` : '',
    ]);
  }
  const all = sum(
    rows.filter(({ level }) => level !== 'full'),
    (row) => row.triangles,
  );
  lines.push(['levels', '', `${all}`]);
  // What is drawn at each step: where a tile has no level of its own there, that of the level before.
  const levels = [...new Set(rows.map((row) => row.level))].filter((level) => /^(lod\d+|hlod)$/.test(level)).sort();
  const steps = [...levels.filter((level) => level !== 'hlod'), ...levels.filter((level) => level === 'hlod')];
  let drawn = 0;
  for (const tile of new Set(rows.map((row) => row.tile))) {
    const own = rows.filter((row) => row.tile === tile);
    let last = own.find(({ level }) => level === 'full')?.triangles ?? 0;
    for (const step of steps) {
      last = own.find(({ level }) => level === step)?.triangles ?? last;
      drawn += last;
    }
  }
  lines.push(['drawn', '', `${drawn}`]);
  const widths = lines[0].map((_, k) => Math.max(...lines.map((line) => (line[k] ?? '').length)));
  process.stdout.write(`${manifest}\n`);
  for (const line of lines)
    process.stdout.write(
      `  ${line
        .map((cell, k) => cell.padEnd(widths[k]))
        .join('  ')
        .trimEnd()}\n`,
    );
}

const manifests = process.argv.slice(2);
if (manifests.length === 0) throw new Error('which manifests?');
for (const manifest of manifests) print(manifest, await measure(manifest));
