// Foliage cards: leaves drawn as many small separate quads with a cut-out texture. Simplifying them as a surface eats
// them; here some go, spread evenly over each plant, and those that stay grow, but never so far that a plant outgrows
// itself. A plant keeps as many cards as it takes to cover about what all of them covered. The loops are the kernel's
// (kernel/assembly/cards.ts).

import { kernel } from '../../kernel/kernel.ts';
import { placeRowsById, type Rows } from '../lod/rows.ts';
import { type Components, connectedComponents } from '../mesh/components.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';
import { PositionIds } from '../mesh/positionIds.ts';
import { type PickedMesh, pickTriangles } from '../mesh/united.ts';

/** A mesh is taken for cards when it has at least this many connected components … */
const MIN_CARDS = 16;
/** … of at most this many triangles on average. */
const TRIANGLES_A_CARD = 8;

/** A card grows to this many times its size at the most: 1.5, less some room for the rounding of positions. */
export const MAX_GROWTH = 1.49;

/** The share of what a plant covered, seen along each axis, that its cards cover at least. */
const COVERAGE = 0.85;
function cardsOf({ positions, indices }: Float32Mesh, lockedVertices: Uint8Array): Components {
  const positionIds = new PositionIds();
  const ids = positionIds.of(positions);
  return connectedComponents(positions, indices, ids, positionIds.count, lockedVertices);
}

/** Whether a mesh with a cut-out material is made of cards. */
export function isMadeOfCards(mesh: Float32Mesh): boolean {
  const triangles = mesh.indices.length / 3;
  if (triangles < MIN_CARDS) return false;
  const { count } = cardsOf(mesh, new Uint8Array(mesh.vertexCount));
  return count >= MIN_CARDS && triangles <= count * TRIANGLES_A_CARD;
}

/** What is asked of thinned cards. */
export interface Thinning {
  /** The share of the cards that is to stay; more do where a plant would cover too little. */
  readonly ratio: number;
  /** How many times its size a card may have. */
  readonly maxGrowth: number;
}

/** The cards of a mesh by their plants: what does not depend on how many stay. */
export interface PlantedCards {
  readonly mesh: Float32Mesh;
  readonly cards: Components;
  /** Of each card. */
  readonly areas: Float64Array;
  /** The cards of each plant that have no locked vertex, along a Morton curve through their centres. */
  readonly plants: Rows;
  /** Six numbers a plant: least and greatest corner. */
  readonly boxes: Float64Array;
  /** What each plant's cards cover, in squares. */
  readonly covered: Float64Array;
}

/** `lockedVertices`: 1 for each vertex that stays where it is. */
export function plantedCards(mesh: Float32Mesh, lockedVertices: Uint8Array): PlantedCards {
  const cards = cardsOf(mesh, lockedVertices);
  const { componentOf, count: cardCount } = cards;
  return kernel.within((memory) => {
    const { calls } = memory;
    const areas = memory.zeros(cardCount * 8);
    const surface = [memory.put(mesh.positions), memory.put(mesh.indices), componentOf.length] as const;
    calls.cardAreas(...surface, memory.put(componentOf), areas);

    // 1. The plants with their boxes.
    const boxes = memory.put(cards.boxes);
    const keys = memory.allocate(cardCount * 8);
    const [parent, open, plantOf] = [0, 0, 0].map(() => memory.allocate(cardCount * 4));
    const count = calls.numberPlants(boxes, cardCount, keys, parent, open, plantOf);
    const plantBoxes = memory.allocate(count * 48);
    calls.boundPlants(boxes, cardCount, plantOf, count, plantBoxes);

    // 2. Their free cards; those with a locked vertex belong to no row.
    const { starts, rows } = placeRowsById(memory, plantOf, cardCount, 0, count);
    const squares = memory.allocate(calls.squaresBytes());
    const covered = memory.allocate(count * 8);
    const locked = memory.put(cards.locked);
    calls.coverPlants(boxes, areas, locked, plantBoxes, count, starts, rows, keys, squares, covered);
    const free = memory.uint32(starts, count + 1)[count];
    return {
      mesh,
      cards,
      areas: memory.float64(areas, cardCount).slice(),
      plants: { starts: memory.uint32(starts, count + 1).slice(), rows: memory.uint32(rows, free).slice() },
      boxes: memory.float64(plantBoxes, count * 6).slice(),
      covered: memory.float64(covered, count).slice(),
    };
  });
}

/**
 * Some of the cards of each plant: every so many along the curve, and all with a locked vertex as they are. The others that
 * stay are scaled around their centres so that the area is what it was, as far as they may grow, and moved back into the
 * box of their plant.
 */
export async function thinCards(planted: PlantedCards, thinning: Thinning): Promise<PickedMesh> {
  const { mesh } = planted;
  const { grown, kept } = grownCards(planted, thinning);
  if (kept.length === 0) {
    const vertices = new Uint32Array(mesh.vertexCount);
    for (let v = 0; v < vertices.length; v++) vertices[v] = v;
    return { mesh, vertices };
  }
  return pickTriangles({ ...mesh, positions: grown }, kept);
}

/** Positions with the cards that stay at their new sizes, and the corners of these cards. */
function grownCards(
  { mesh, cards, areas, plants, boxes, covered }: PlantedCards,
  { ratio, maxGrowth }: Thinning,
): { readonly grown: Float32Array; readonly kept: Uint32Array } {
  const { positions, indices, vertexCount } = mesh;
  return kernel.within((memory) => {
    const { calls } = memory;
    const locked = memory.put(cards.locked);
    const stays = memory.put(cards.locked);
    const scales = memory.allocate(cards.count * 8);
    memory.float64(scales, cards.count).fill(1);
    const placed = [memory.put(cards.boxes), memory.put(areas), memory.put(boxes), covered.length] as const;
    const rows = [memory.put(plants.starts), memory.put(plants.rows), memory.put(covered)] as const;
    const written = [memory.allocate(calls.squaresBytes()), stays, scales, memory.zeros(cards.count * 24)] as const;
    const thinned = memory.record([ratio, COVERAGE, maxGrowth], [...placed, ...rows, ...written]);
    calls.thinPlants(thinned);

    const grown = memory.put(positions);
    const surface = [grown, memory.put(indices), indices.length / 3, memory.put(cards.componentOf)] as const;
    const kept = memory.allocate(indices.length * 4);
    const end = calls.growCards(thinned, ...surface, locked, memory.zeros(vertexCount), kept);
    return { grown: memory.float32(grown, positions.length).slice(), kept: memory.uint32(kept, end).slice() };
  });
}
