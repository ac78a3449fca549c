// Vertices and indices of every mesh: ranges, sizes, packed values, index values, and the boxes that the vertices
// really fill. One pass over each distinct range.

import { kernel } from '../../../kernel/kernel.ts';
import { type Findings, ScanBudget } from '../../findings.ts';
import type { RecordOf } from '../container/layout.ts';
import { CHUNK, INDEX_TYPE_UINT16, INDEX_TYPES, MESH, VERTEX_OFFSETS, VERTEX_STRIDE } from '../container/records.ts';
import { recordPath, type Tables } from '../container/tables.ts';
import { wordsOf } from '../mesh/vertexWords.ts';
import { NONE } from '../types.ts';
import type { EntityGraph } from './entities.ts';

/** An axis-aligned box for each element, empty until something is added. */
export class Boxes {
  /** min xyz, max xyz. */
  readonly values: Float64Array;

  constructor(count: number) {
    this.values = new Float64Array(count * 6);
    for (let i = 0; i < count; i++) this.values.fill(Infinity, i * 6, i * 6 + 3).fill(-Infinity, i * 6 + 3, i * 6 + 6);
  }

  isEmpty(index: number): boolean {
    return this.values[index * 6] > this.values[index * 6 + 3];
  }

  add(index: number, box: ArrayLike<number>, from = 0): void {
    const v = this.values;
    const at = index * 6;
    for (let a = 0; a < 3; a++) {
      if (box[from + a] < v[at + a]) v[at + a] = box[from + a];
      if (box[from + 3 + a] > v[at + 3 + a]) v[at + 3 + a] = box[from + 3 + a];
    }
  }

  get(index: number): Float64Array {
    return this.values.subarray(index * 6, index * 6 + 6);
  }
}

/** The bounds of each entity's meshes. `sound` is 0 for an entity with a mesh that could not be measured. */
export interface MeasuredEntities {
  readonly local: Boxes;
  /** The bounds of the transformed vertices. */
  readonly world: Boxes;
  readonly sound: Uint8Array;
  /** Box of each mesh's vertices, by mesh index. */
  readonly meshes: Boxes;
}

interface VertexScan {
  /** min xyz, max xyz of the finite part. */
  readonly box: Float64Array;
  readonly finite: boolean;
}

/** Indices of one mesh, a view where the alignment allows it. */
export function indicesOf(bytes: Uint8Array, indexType: number): Uint16Array | Uint32Array {
  if (indexType !== INDEX_TYPE_UINT16) return wordsOf(bytes);
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 1);
}

export function indexSize(indexType: number): number {
  return indexType === INDEX_TYPE_UINT16 ? 2 : 4;
}

const WORDS = VERTEX_STRIDE / 4;
/** Bytes that are scanned at a time: the kernel's memory need not hold a large mesh. A whole number of vertices. */
const BLOCK = 2 ** 19;
const NOT_FOUND = 0xffffffff;

/**
 * Positions, normal W, tangent W and UVs of one range of vertices (format text, "Vertex Layout V1"). The loop is the kernel's
 * (kernel/assembly/unpack.ts).
 */
function scanVertices(bytes: Uint8Array, path: string, findings: Findings): VertexScan {
  const { box, found } = kernel.within((memory) => {
    const scan = memory.allocate(48);
    memory.float32(scan, 8).fill(Infinity, 0, 4).fill(-Infinity, 4);
    memory.uint32(scan + 32, 4).fill(NOT_FOUND);
    for (let start = 0; start < bytes.length; start += BLOCK) {
      const block = bytes.subarray(start, start + BLOCK);
      const first = start / VERTEX_STRIDE;
      memory.within(() => memory.calls.scanVertices(memory.put(block), block.length / VERTEX_STRIDE, first, scan));
    }
    const [x0, y0, z0, , x1, y1, z1] = memory.float32(scan, 8);
    return { box: Float64Array.of(x0, y0, z0, x1, y1, z1), found: memory.uint32(scan + 32, 4).slice() };
  });
  const [position, normal, tangent, uv] = found;
  const wordOf = (vertex: number, at: number) =>
    new DataView(bytes.buffer, bytes.byteOffset).getUint32(vertex * VERTEX_STRIDE + at, true);
  if (position !== NOT_FOUND) findings.report('UC3044', path, `position of vertex ${position} is not finite`);
  if (uv !== NOT_FOUND) findings.report('UC3044', path, `UV of vertex ${uv} is not finite`);
  if (normal !== NOT_FOUND) {
    findings.report(
      'UC3003',
      path,
      `W of a normal is not 0: vertex ${normal} has W ${wordOf(normal, VERTEX_OFFSETS.normal) >>> 30}`,
    );
  }
  if (tangent !== NOT_FOUND) {
    const sign = wordOf(tangent, VERTEX_OFFSETS.tangent) >>> 31;
    findings.report('UC3003', path, `W of a tangent is neither +1 nor -1: vertex ${tangent} has W bits ${sign}0`);
  }
  return { box, finite: position === NOT_FOUND };
}

/** The box of transformed positions. */
function worldBox(words: Uint32Array, m: ArrayLike<number>): Float64Array {
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  const box = new Float64Array(6);
  for (let a = 0; a < 3; a++) {
    const mx = m[a];
    const my = m[4 + a];
    const mz = m[8 + a];
    let low = Infinity;
    let high = -Infinity;
    for (let at = 0; at + WORDS <= floats.length; at += WORDS) {
      const p = mx * floats[at] + my * floats[at + 1] + mz * floats[at + 2];
      if (p < low) low = p;
      if (p > high) high = p;
    }
    box[a] = low + m[12 + a];
    box[3 + a] = high + m[12 + a];
  }
  return box;
}

/** The greatest index; at least one is given. */
function largest(bytes: Uint8Array, indexType: number): number {
  const size = indexSize(indexType);
  let max = 0;
  for (let start = 0; start < bytes.length; start += BLOCK) {
    const block = bytes.subarray(start, start + BLOCK);
    max = Math.max(
      max,
      kernel.within((memory) => memory.calls.greatest(memory.put(block), size, block.length / size) >>> 0),
    );
  }
  return max;
}

type MeshRecord = RecordOf<typeof MESH>;

/**
 * Reports (UC3100) two records whose ranges overlap without being equal; equal ranges are one mesh that is placed several
 * times. Ranges are given as [start, end) by mesh; an empty one is none.
 */
function reportShared(starts: Float64Array, ends: Float64Array, what: string, told: Set<number>, findings: Findings) {
  const order: number[] = [];
  for (let i = 0; i < starts.length; i++) if (ends[i] > starts[i]) order.push(i);
  order.sort((a, b) => starts[a] - starts[b] || ends[a] - ends[b] || a - b);
  let end = -1;
  let holder = -1;
  for (const [k, i] of order.entries()) {
    const before = k === 0 ? -1 : order[k - 1];
    const isRepeated = before >= 0 && starts[before] === starts[i] && ends[before] === ends[i];
    if (starts[i] < end && !isRepeated && !told.has(i)) {
      told.add(i);
      findings.report(
        'UC3100',
        recordPath(CHUNK.mesh, i),
        `the data of two mesh records overlap: some of its ${what} are those of mesh ${holder}`,
      );
    }
    if (ends[i] > end) {
      end = ends[i];
      holder = i;
    }
  }
}

/** How often the bytes of a chunk may be read, for all records together. */
const SCANS = 16;
const SCAN_FLOOR = 2 ** 22;

/**
 * Bytes that may be read to measure placements: the vertices of a mesh are read once for each placement. 256 MiB take a
 * tenth of a second.
 */
const PLACED_SCANS = 64;
const PLACED_SCAN_FLOOR = 2 ** 28;

export function scanBudget(findings: Findings, bytes: number): ScanBudget {
  return new ScanBudget(findings, bytes * SCANS + SCAN_FLOOR);
}

class MeshChecks {
  readonly #findings: Findings;
  readonly #graph: EntityGraph;
  readonly #vertices: Uint8Array;
  readonly #indices: Uint8Array;
  readonly #edges: Uint8Array;
  readonly #hasVertices: boolean;
  readonly #hasIndices: boolean;
  readonly #budget: ScanBudget;
  readonly #placedBudget: ScanBudget;
  readonly #scans = new Map<string, VertexScan | null>();
  readonly #largest = new Map<string, number>();
  readonly measured: MeasuredEntities;
  readonly starts: readonly [Float64Array, Float64Array];
  readonly ends: readonly [Float64Array, Float64Array];

  constructor(tables: Tables, graph: EntityGraph, findings: Findings) {
    this.#graph = graph;
    this.#findings = findings;
    this.#vertices = tables.payload(CHUNK.vertexData);
    this.#indices = tables.payload(CHUNK.indexData);
    this.#edges = tables.payload(CHUNK.edgeIndexData);
    this.#hasVertices = tables.container.payloads.has(CHUNK.vertexData);
    this.#hasIndices = tables.container.payloads.has(CHUNK.indexData);
    this.#budget = scanBudget(findings, this.#vertices.length + this.#indices.length + this.#edges.length);
    this.#placedBudget = new ScanBudget(findings, this.#vertices.length * PLACED_SCANS + PLACED_SCAN_FLOOR);
    const count = tables.table(MESH, CHUNK.mesh).length;
    this.measured = {
      local: new Boxes(graph.count),
      world: new Boxes(graph.count),
      sound: new Uint8Array(graph.count).fill(1),
      meshes: new Boxes(count),
    };
    this.starts = [new Float64Array(count), new Float64Array(count)];
    this.ends = [new Float64Array(count), new Float64Array(count)];
  }

  check(index: number, mesh: MeshRecord): void {
    const path = recordPath(CHUNK.mesh, index);
    const findings = this.#findings;
    if (mesh.materialIndex === NONE) findings.report('UC3102', path, 'no material: the engine will not draw it');
    const verticesFit = this.#vertexRange(index, mesh, path);
    const indicesFit = this.#indexRange(index, mesh, path);
    if (indicesFit) this.#indexValues(mesh, path);
    this.#edgeRange(mesh, path);
    const entity = this.#graph.indexOfId.get(mesh.entityId);
    const scan = verticesFit ? this.#scan(mesh, path) : null;
    if (!scan?.finite) {
      if (entity !== undefined) this.measured.sound[entity] = 0;
      return;
    }
    this.measured.meshes.add(index, scan.box);
    if (entity !== undefined) this.#place(entity, mesh, scan);
  }

  #vertexRange(index: number, mesh: MeshRecord, path: string): boolean {
    const { vertexCount, vertexStrideBytes: stride, vertexDataOffset: offset, vertexDataSizeBytes: size } = mesh;
    const findings = this.#findings;
    if (stride !== VERTEX_STRIDE) findings.report('UC3003', path, `vertex stride is not 32: stride ${stride}`);
    if (size !== vertexCount * stride) {
      findings.report(
        'UC3006',
        path,
        `vertex data size is not count times stride: ${size} bytes for ${vertexCount} vertices of ${stride} bytes`,
      );
    }
    if (!this.#hasVertices) return false;
    if (offset + size > this.#vertices.length) {
      findings.report(
        'UC3034',
        path,
        `vertices outside the vertex chunk: ${size} bytes from ${offset} on, the chunk has ${this.#vertices.length}`,
      );
      return false;
    }
    this.starts[0][index] = offset;
    this.ends[0][index] = offset + size;
    return stride === VERTEX_STRIDE && size === vertexCount * stride;
  }

  #indexRange(index: number, mesh: MeshRecord, path: string): boolean {
    const { indexCount, indexType, indexDataOffset: offset, indexDataSizeBytes: size } = mesh;
    const findings = this.#findings;
    if (indexCount === 0 || size === 0) {
      findings.report('UC3058', path, `${indexCount} indices in ${size} bytes`);
      return false;
    }
    if (indexCount % 3 !== 0)
      findings.report('UC3006', path, `index count is not a multiple of 3: ${indexCount} indices`);
    if (!(indexType in INDEX_TYPES)) return false;
    const fits = size === indexCount * indexSize(indexType);
    if (!fits)
      findings.report(
        'UC3006',
        path,
        `index data size is not count times index size: ${size} bytes for ${indexCount} indices of ${indexSize(indexType)} bytes`,
      );
    if (!this.#hasIndices) return false;
    if (offset + size > this.#indices.length) {
      findings.report(
        'UC3034',
        path,
        `indices outside the index chunk: ${size} bytes from ${offset} on, the chunk has ${this.#indices.length}`,
      );
      return false;
    }
    this.starts[1][index] = offset;
    this.ends[1][index] = offset + size;
    return fits;
  }

  #indexValues(mesh: MeshRecord, path: string): void {
    const { indexType, indexDataOffset: offset, indexDataSizeBytes: size, vertexCount } = mesh;
    const key = `${offset} ${size} ${indexType}`;
    let max = this.#largest.get(key);
    if (max === undefined) {
      if (!this.#budget.take(size, path)) return;
      max = largest(this.#indices.subarray(offset, offset + size), indexType);
      this.#largest.set(key, max);
    }
    if (max < vertexCount) return;
    this.#findings.report('UC3034', path, `index beyond the last vertex: index ${max} of ${vertexCount} vertices`);
  }

  #edgeRange(mesh: MeshRecord, path: string): void {
    const { edgeIndexCount: count, edgeIndexDataOffset: offset, indexType, vertexCount } = mesh;
    if (count === 0 || !(indexType in INDEX_TYPES)) return;
    const size = count * indexSize(indexType);
    if (offset + size > this.#edges.length) {
      this.#findings.report(
        'UC3034',
        path,
        `edges outside the edge chunk: ${size} bytes from ${offset} on, the chunk has ${this.#edges.length}`,
      );
      return;
    }
    if (count % 2 !== 0) this.#findings.report('UC3006', path, `edges malformed: ${count} edge indices are no pairs`);
    if (!this.#budget.take(size, path)) return;
    const max = largest(this.#edges.subarray(offset, offset + size), indexType);
    if (max >= vertexCount)
      this.#findings.report('UC3006', path, `edges malformed: edge to vertex ${max} of ${vertexCount}`);
    const ends = indicesOf(this.#edges.slice(offset, offset + size), indexType);
    for (let i = 0; i + 1 < ends.length; i += 2) {
      if (ends[i] !== ends[i + 1]) continue;
      this.#findings.report('UC3006', path, `edges malformed: edge ${i / 2} leads from vertex ${ends[i]} to itself`);
      return;
    }
  }

  #bytes({ vertexDataOffset: offset, vertexDataSizeBytes: size }: MeshRecord): Uint8Array {
    return this.#vertices.subarray(offset, offset + size);
  }

  /** One scan for each distinct range; null when the budget is used up. */
  #scan(mesh: MeshRecord, path: string): VertexScan | null {
    const key = `${mesh.vertexDataOffset} ${mesh.vertexDataSizeBytes}`;
    const known = this.#scans.get(key);
    if (known !== undefined) return known;
    const scan = this.#budget.take(mesh.vertexDataSizeBytes, path)
      ? scanVertices(this.#bytes(mesh), path, this.#findings)
      : null;
    this.#scans.set(key, scan);
    return scan;
  }

  #place(entity: number, mesh: MeshRecord, { box }: VertexScan): void {
    const { local, world, sound } = this.measured;
    local.add(entity, box);
    if (this.#graph.isIdentity(entity)) world.add(entity, box);
    else if (this.#placedBudget.spare(mesh.vertexDataSizeBytes)) {
      world.add(entity, worldBox(wordsOf(this.#bytes(mesh)), this.#graph.world(entity)));
    } else sound[entity] = 0;
  }
}

/** Checks every mesh (UC3003, UC3006, UC3034, UC3044, UC3058, UC3100, UC3102) and measures what its vertices fill. */
export function checkMeshes(tables: Tables, graph: EntityGraph, findings: Findings): MeasuredEntities {
  const table = tables.table(MESH, CHUNK.mesh);
  const checks = new MeshChecks(tables, graph, findings);
  for (let i = 0; i < table.length; i++) checks.check(i, table.get(i));
  const told = new Set<number>();
  reportShared(checks.starts[0], checks.ends[0], 'vertices', told, findings);
  reportShared(checks.starts[1], checks.ends[1], 'indices', told, findings);
  return checks.measured;
}
