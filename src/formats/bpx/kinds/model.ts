// Reads models: the format of their vertices, arrays of vertices and of indices, bones, frames and animations. Each index array
// is read and checked once, however many vertex arrays share it.

import type { Findings } from '../../findings.ts';
import { MODEL } from '../container/layout.ts';
import type { BpxContainer } from '../container/open.ts';
import { BpxStrings } from '../container/strings.ts';
import {
  bytesOf,
  COMPONENT_BYTES,
  COMPONENT_TYPES,
  INDEX_ARRAY,
  MODEL_EXT,
  VERTEX_ARRAY,
  VERTEX_FORMAT,
} from '../records.ts';
import type { BpxModel, BpxVertexArray, VertexComponent } from '../types.ts';
import { readRig } from './rig.ts';
import {
  type HeldSection,
  hasLength,
  headerOf,
  isHeld,
  referred,
  sectionOf,
  sectionsOf,
  typeExtOf,
} from './sections.ts';

/** Null, with a finding, when the vertices cannot be told. */
export function readModel(container: BpxContainer, findings: Findings): BpxModel | null {
  typeExtOf(MODEL_EXT, container, findings);
  const named = sectionOf(container, MODEL.strings);
  const strings = new BpxStrings(named?.bytes ?? null, named?.place ?? '', findings);
  const rig = readRig(container, strings, findings);
  const format = sectionOf(container, MODEL.vertexFormat);
  const components = format && readVertexFormat(format, findings);
  if (!components) return null;
  const layout = layoutOf(components);
  const indices = new IndexArrays(container, findings);
  const arrays: BpxVertexArray[] = [];
  for (const section of sectionsOf(container, MODEL.vertexArray)) {
    const array = isHeld(section) && readVertexArray(section, layout, indices, strings, findings);
    if (array) arrays.push(array);
  }
  indices.reportUnused();
  return { kind: 'model', components, arrays, ...rig };
}

export const vertexBytes = (components: readonly VertexComponent[]): number =>
  components.reduce((sum, { count }) => sum + count * COMPONENT_BYTES, 0);

/** Where the first FLOAT3 of a vertex is, which readers take for its position; null: there is none. */
export function positionOffset(components: readonly VertexComponent[]): number | null {
  const at = components.findIndex(({ type, count }) => type === 'f32' && count === 3);
  return at < 0 ? null : vertexBytes(components.slice(0, at));
}

/** What every vertex array needs of the format. */
interface VertexLayout {
  /** Bytes of a vertex. */
  readonly size: number;
  /** Where the floats of a vertex are. */
  readonly floats: readonly number[];
}

function layoutOf(components: readonly VertexComponent[]): VertexLayout {
  const floats: number[] = [];
  let size = 0;
  for (const { type, count } of components) {
    for (let k = 0; k < count; k++, size += COMPONENT_BYTES) if (type === 'f32') floats.push(size);
  }
  return { size, floats };
}

function readVertexFormat(section: HeldSection, findings: Findings): VertexComponent[] | null {
  const { place, bytes } = section;
  const header = headerOf(VERTEX_FORMAT, section, findings);
  if (!header) return null;
  if (header.reserved !== 0)
    findings.report(
      'UC3610',
      place,
      `reserved bytes of a section are not 0: byte ${bytesOf(VERTEX_FORMAT) - 1} is ${header.reserved}`,
    );
  if (!hasLength(section, bytesOf(VERTEX_FORMAT) + header.componentCount, findings)) return null;
  const components: VertexComponent[] = [];
  for (const [i, byte] of bytes.subarray(bytesOf(VERTEX_FORMAT)).entries()) {
    const [, type] = COMPONENT_TYPES.find(([number]) => number === (byte & 15)) ?? [];
    const count = byte >>> 4;
    if (type === undefined || count === 0) {
      findings.report(
        'UC3610',
        place,
        `unknown component of a vertex: component ${i} has type ${byte & 15} and ${count} numbers`,
      );
      return null;
    }
    components.push({ type, count });
  }
  const size = vertexBytes(components);
  if (header.vertexSize !== size) {
    findings.report(
      'UC3644',
      place,
      `size of a vertex is not that of its components: ${header.vertexSize} bytes a vertex, its components take ${size}`,
    );
    return null;
  }
  if (positionOffset(components) === null) findings.report('UC3665', place, 'no component of three floats');
  return components;
}

function readVertexArray(
  section: HeldSection,
  layout: VertexLayout,
  arrays: IndexArrays,
  strings: BpxStrings,
  findings: Findings,
): BpxVertexArray | null {
  const { place } = section;
  const header = headerOf(VERTEX_ARRAY, section, findings);
  if (!header) return null;
  const { vertexCount, indexArray } = header;
  const material = strings.at(header.material, place) || null;
  if (!hasLength(section, bytesOf(VERTEX_ARRAY) + vertexCount * layout.size, findings)) return null;
  const vertices = section.bytes.subarray(bytesOf(VERTEX_ARRAY));
  checkFinite(vertices, layout, place, findings);
  if (indexArray === 0) {
    if (vertexCount % 3 !== 0)
      findings.report(
        'UC3644',
        place,
        `vertices or indices of a BPX model make no triangles: ${vertexCount} vertices without indices`,
      );
    return { material, vertexCount, vertices, indices: null };
  }
  const used = arrays.use(indexArray, place);
  if (!used) return null;
  if (used.highest >= vertexCount) {
    findings.report(
      'UC3624',
      place,
      `index beyond the vertices of a BPX model: section ${indexArray} has index ${used.highest}, there are ${vertexCount} vertices`,
    );
  }
  return { material, vertexCount, vertices, indices: used.indices };
}

/** The first float that is not finite. */
function checkFinite(vertices: Uint8Array, { size, floats }: VertexLayout, place: string, findings: Findings): void {
  const view = new DataView(vertices.buffer, vertices.byteOffset, vertices.length);
  for (let at = 0; at < vertices.length; at += size) {
    for (const offset of floats) {
      const value = view.getFloat32(at + offset, true);
      if (Number.isFinite(value)) continue;
      findings.report(
        'UC3656',
        place,
        `number of a BPX model is not finite: ${value} at byte ${offset} of vertex ${at / size}`,
      );
      return;
    }
  }
}

interface ReadIndices {
  readonly indices: Uint32Array;
  /** -1 for none. */
  readonly highest: number;
}

/** The index arrays of a model, by the number of their section. */
class IndexArrays {
  readonly #container: BpxContainer;
  readonly #findings: Findings;
  readonly #read = new Map<number, ReadIndices | null>();
  readonly #used = new Set<number>();

  constructor(container: BpxContainer, findings: Findings) {
    this.#container = container;
    this.#findings = findings;
    for (const section of sectionsOf(container, MODEL.indexArray)) {
      this.#read.set(section.number, isHeld(section) ? readIndexArray(section, findings) : null);
    }
  }

  /** Null, with a finding, when the number names no index array that can be read. */
  use(number: number, place: string): ReadIndices | null {
    const section = referred(this.#container, number, MODEL.indexArray, place, this.#findings);
    if (!section) return null;
    this.#used.add(number);
    return this.#read.get(number) ?? null;
  }

  reportUnused(): void {
    for (const { number, place } of sectionsOf(this.#container, MODEL.indexArray)) {
      if (!this.#used.has(number))
        this.#findings.report('UC3627', place, 'index array that no vertex array names: no vertex array names it');
    }
  }
}

function readIndexArray(section: HeldSection, findings: Findings): ReadIndices | null {
  const header = headerOf(INDEX_ARRAY, section, findings);
  if (!header || !hasLength(section, bytesOf(INDEX_ARRAY) + header.indexCount * 4, findings)) return null;
  const { bytes, place } = section;
  if (header.indexCount % 3 !== 0)
    findings.report(
      'UC3644',
      place,
      `vertices or indices of a BPX model make no triangles: ${header.indexCount} indices`,
    );
  const copy = bytes.slice(bytesOf(INDEX_ARRAY));
  const indices = new Uint32Array(copy.buffer, 0, header.indexCount);
  let highest = -1;
  for (const index of indices) if (index > highest) highest = index;
  return { indices, highest };
}
