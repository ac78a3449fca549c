// Simplifying without losing what is thin. The simplifier knows planes, not where they end: a post that is thinner than the error
// becomes a line, at no cost, and vanishes from its ends. Pieces a pixel or two wide never do. With care, no other piece goes, either.

import { DeviationFrom } from '../geometry/lod/deviation.ts';
import { componentDiagonal, connectedComponents } from '../geometry/mesh/components.ts';
import type { Float32Mesh, Triangles } from '../geometry/mesh/mesh.ts';
import { PositionIds } from '../geometry/mesh/positionIds.ts';
import { pickTriangles, uniteMeshes } from '../geometry/mesh/united.ts';
import type { Vec3 } from '../scene/types.ts';

/** With care, a piece is lost if a point of the source lies further than this many times the error from the simplified surface. */
const MAX_OFF = 2;
/** A piece is thin if the area that the eye sees, divided by the diagonal of its box, is less than this: with care times the error, else pixels. */
const THIN = 4;
const THIN_PIXELS = 2;
/** Without care, what is narrower than so many pixels may be lost: to keep it would cost a town of ten million a tenth more triangles. */
const NARROW_PIXELS = 0.75;
/** A thin piece is lost if less than this share of the area that the eye sees is left. */
const MIN_SHOWN = 0.75;
/** What is shorter than so many pixels leaves no hole. */
const SHORT_PIXELS = 3;
/** How often the error is halved for pieces that were lost, before they stay as they are. */
const HALVINGS = 4;

interface Meshed {
  readonly mesh: Float32Mesh;
}

/** Triangles of meshes, and the numbers of their pieces: what hangs together by positions. */
interface Pieces {
  readonly count: number;
  /** Of each triangle, mesh after mesh. */
  readonly of: Uint32Array;
  /** Metres from corner to corner of the box of each. */
  readonly diagonals: Float64Array;
  /** By position id. */
  readonly ofIds: Uint32Array;
}

function piecesOf({ positions, indices }: Triangles, ids: Uint32Array, idCount: number): Pieces {
  const components = connectedComponents(positions, indices, ids, idCount, new Uint8Array(positions.length / 3));
  const { count, componentOf: of } = components;
  const ofIds = new Uint32Array(idCount);
  for (let i = 0; i < indices.length; i++) ofIds[ids[indices[i]]] = of[Math.floor(i / 3)];
  return {
    count,
    of,
    ofIds,
    diagonals: Float64Array.from({ length: count }, (_, i) => componentDiagonal(components, i)),
  };
}

/** The area that the triangles of each piece show to an eye, front and back, halved: for a closed one about that of its outline. */
function shownAreas(
  { positions: p, indices }: Triangles,
  pieceOf: (vertex: number) => number,
  count: number,
  eye: Vec3,
) {
  const areas = new Float64Array(count);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [x, y, z] = [p[a] - eye[0], p[a + 1] - eye[1], p[a + 2] - eye[2]];
    const turned = (uy * vz - uz * vy) * x + (uz * vx - ux * vz) * y + (ux * vy - uy * vx) * z;
    const away = Math.sqrt(x * x + y * y + z * z);
    if (away > 0) areas[pieceOf(indices[i])] += Math.abs(turned) / away / 4;
  }
  return areas;
}

/** The triangles of meshes whose pieces are chosen. */
async function picked<M extends Meshed>(
  meshes: readonly M[],
  isChosen: (triangle: number, vertex: number) => boolean,
): Promise<M[]> {
  const chosen: M[] = [];
  let triangle = 0;
  let firstVertex = 0;
  for (const one of meshes) {
    const { indices, vertexCount } = one.mesh;
    const own: number[] = [];
    for (let i = 0; i < indices.length; i += 3, triangle++) {
      if (isChosen(triangle, firstVertex + indices[i])) own.push(indices[i], indices[i + 1], indices[i + 2]);
    }
    firstVertex += vertexCount;
    if (own.length > 0) chosen.push({ ...one, mesh: (await pickTriangles(one.mesh, Uint32Array.from(own))).mesh });
  }
  return chosen;
}

/** How pieces of a ring are looked after. */
export interface Losses {
  /** Metres that surfaces may lie off. */
  readonly limit: number;
  /** Metres that a pixel covers. */
  readonly pixel: number;
  /** From about where it is looked. */
  readonly eye: Vec3;
  /** Whether no piece may be lost; otherwise none that is a pixel or two wide. */
  readonly isCareful: boolean;
}

/**
 * Meshes as `simplify` makes them with an error of `limit` metres, but for the pieces that are lost: those are made with half of it,
 * and so on, and in the end stay as they are.
 */
export async function withoutLosses<M extends Meshed>(
  meshes: readonly M[],
  losses: Losses,
  simplify: (meshes: readonly M[], limit: number) => Promise<M[]>,
): Promise<M[]> {
  const made: M[] = [];
  let open = meshes;
  for (let halving = 0; open.length > 0; halving++) {
    if (halving > HALVINGS) return [...made, ...open];
    const thin = await simplify(open, losses.limit / 2 ** halving);
    const { isLost, pieceOf, pieceAfter } = lostPieces(open, thin, losses);
    if (!isLost.includes(1)) return [...made, ...thin];
    made.push(...(await picked(thin, (_, vertex) => isLost[pieceAfter(vertex)] === 0)));
    open = await picked(open, (triangle) => isLost[pieceOf(triangle)] === 1);
  }
  return made;
}

/** 1 for each piece that is lost, and which piece triangles are of before, and vertices afterwards. */
function lostPieces(open: readonly Meshed[], thin: readonly Meshed[], { limit, pixel, eye, isCareful }: Losses) {
  const ids = new PositionIds();
  const [before, after] = [open, thin].map((list) => uniteMeshes(list.map(({ mesh }) => mesh)));
  const beforeIds = ids.of(before.positions);
  const pieces = piecesOf(before, beforeIds, ids.count);
  // Vertices are chosen, never moved: all of these have ids.
  const afterIds = ids.of(after.positions);
  const pieceAfter = (vertex: number) => pieces.ofIds[afterIds[vertex]];
  const isLost = new Uint8Array(pieces.count);
  if (isCareful) {
    const surface = new DeviationFrom({ ...before, ids: beforeIds });
    const { error, beyond } = surface.measure({ ...after, ids: afterIds }, MAX_OFF * limit);
    if (error === Infinity) isLost.fill(1);
    for (let id = 0; beyond !== null && id < beyond.length; id++) if (beyond[id] > 0) isLost[pieces.ofIds[id]] = 1;
  }
  const shown = shownAreas(before, (v) => pieces.ofIds[beforeIds[v]], pieces.count, eye);
  const left = shownAreas(after, pieceAfter, pieces.count, eye);
  const width = isCareful ? THIN * limit : THIN_PIXELS * pixel;
  for (let piece = 0; piece < pieces.count; piece++) {
    const long = pieces.diagonals[piece];
    const isThin = shown[piece] < width * long;
    const isSmall = shown[piece] < NARROW_PIXELS * pixel * long || long < SHORT_PIXELS * pixel;
    if (isThin && (isCareful || !isSmall) && left[piece] < MIN_SHOWN * shown[piece]) isLost[piece] = 1;
  }
  return { isLost, pieceOf: (triangle: number) => pieces.of[triangle], pieceAfter };
}
