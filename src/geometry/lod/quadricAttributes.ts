// The attributes of a surface as simplification counts them: each value in metres of error, so that attributes and
// distances add up.

import { kernel } from '../../kernel/kernel.ts';
import { type AttributeArray, kindOf, SEMANTICS, type Semantic, type SimplifyRule } from '../mesh/attributes.ts';
import { bitsOf, type Float32Mesh } from '../mesh/mesh.ts';
import type { UnitedMeshes } from '../mesh/united.ts';
import type { SimplifiedMesh } from './simplifiedMesh.ts';

/** A texture that slides by a metre counts as this many metres of error. */
const UV_WEIGHT = 0.5;

/** What a vertex has besides its position, for the library. */
export interface QuadricAttributes {
  /**
   * `stride` metres of error a vertex. Meshes share columns: each has its own attributes in the first ones, and zeros in
   * those it does not need.
   */
  readonly values: Float32Array;
  readonly stride: number;
}

/** An attribute that simplification counts. */
interface Counted extends SimplifyRule {
  readonly semantic: Semantic;
  readonly values: AttributeArray;
  readonly size: number;
}

/** Those that a mesh has, in the order of the table. */
export function counted(mesh: Float32Mesh): readonly Counted[] {
  return SEMANTICS.flatMap((semantic) => {
    const { simplify, components } = kindOf(semantic);
    const values = mesh.attributes[semantic];
    return simplify && values ? [{ ...simplify, semantic, values, size: components }] : [];
  });
}

/** 1 for each part whose UVs reach a texture. */
export function texturedOf(parts: readonly SimplifiedMesh[]): Uint8Array {
  return Uint8Array.from(parts, ({ textured }) => (textured ? 1 : 0));
}

/** An attribute of one mesh among the columns. */
interface Placed extends Counted {
  readonly mesh: number;
  readonly column: number;
  /** Metres of error that one unit counts for. */
  readonly metres: number;
}

/** The attributes under one limit. A normal that turns by 1 counts as `normalWeight` times the limit, a colour as the limit. */
export function quadricAttributes(
  united: UnitedMeshes,
  parts: readonly SimplifiedMesh[],
  limit: number,
  normalWeight: number,
): QuadricAttributes {
  const { firstVertex, vertexCount } = united;
  const placed: Placed[] = [];
  const ends = new Uint32Array(parts.length);
  for (const attribute of counted(united)) {
    const { semantic, measure, components, optional } = attribute;
    const turning = limit * (semantic === 'normal' ? normalWeight : 1);
    const sliding = measure === 'slide' ? metresOfUv(united, parts, attribute) : null;
    for (let mesh = 0; mesh < parts.length; mesh++) {
      const metres = sliding ? sliding[mesh] * UV_WEIGHT : turning;
      const isNeeded = metres > 0 && !(optional && isConstant(attribute, firstVertex[mesh], firstVertex[mesh + 1]));
      if (!isNeeded) continue;
      placed.push({ ...attribute, mesh, column: ends[mesh], metres });
      ends[mesh] += components;
    }
  }
  // The library asks for one at least.
  const stride = ends.reduce((max, end) => Math.max(max, end), 1);
  const values = kernel.within((memory) => {
    const rows = memory.zeros(vertexCount * stride * 4);
    for (const { values: source, size, components, unit, mesh, column, metres } of placed) {
      memory.within(() => {
        const first = firstVertex[mesh];
        const from = memory.put(source.subarray(first * size, firstVertex[mesh + 1] * size));
        const to = rows + (first * stride + column) * 4;
        const vertices = [from, size, components, firstVertex[mesh + 1] - first] as const;
        if (source instanceof Uint8Array) memory.calls.copyBytes(...vertices, unit / metres, to, stride);
        else memory.calls.copyFloats(...vertices, metres / unit, to, stride);
      });
    }
    return memory.float32(rows, vertexCount * stride).slice();
  });
  return { values, stride };
}

/** Whether all vertices of a mesh have the same value. */
function isConstant({ values, size }: Counted, first: number, end: number): boolean {
  if (values instanceof Uint8Array && size === 4) {
    const words = bitsOf(values);
    const word = words[first];
    for (let v = first + 1; v < end; v++) if (words[v] !== word) return false;
    return true;
  }
  for (let v = first + 1; v < end; v++) {
    for (let k = 0; k < size; k++) if (values[v * size + k] !== values[first * size + k]) return false;
  }
  return true;
}

/** Metres that one unit of UV stretches over, of each mesh as a whole; 0 where its UVs reach no texture. */
function metresOfUv(
  { positions, indices, meshOf }: UnitedMeshes,
  parts: readonly SimplifiedMesh[],
  { values, size }: Counted,
): number[] {
  const [areas, uvAreas] = kernel.within((memory) => {
    const surface = [memory.put(positions), memory.put(indices), indices.length, memory.put(meshOf)] as const;
    const textures = [memory.put(texturedOf(parts)), memory.put(values), size] as const;
    const sums = [memory.zeros(parts.length * 8), memory.zeros(parts.length * 8)] as const;
    memory.calls.sumUvAreas(...surface, ...textures, ...sums);
    return sums.map((at) => memory.float64(at, parts.length).slice());
  });
  return parts.map((_, mesh) => (uvAreas[mesh] > 0 ? Math.sqrt(areas[mesh] / uvAreas[mesh]) : 0));
}
