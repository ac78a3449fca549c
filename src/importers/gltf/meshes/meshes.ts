// Meshes and primitives (glTF 2.0, 3.7.2) as the JSON declares them. Attributes are checked against their accessors and
// triangles are counted; primitives that draw no triangles are left out with a warning. No vertex is read here.

import type { LimitWatch } from '../../../diagnostics/limits.ts';
import type { VariantMaterial } from '../../../scene/types.ts';
import {
  type Accessor,
  type Accessors,
  FLOAT,
  UNSIGNED_BYTE,
  UNSIGNED_INT,
  UNSIGNED_SHORT,
} from '../data/accessors.ts';
import type { Buffers } from '../data/buffers.ts';
import type { Element } from '../document/element.ts';
import type { Notes } from '../document/notes.ts';
import { checkDraco, type DracoDef, dracoOf } from '../extensions/geometry/khrDracoMeshCompression.ts';
import { variantCount, variantMappings, variantMaterial } from '../extensions/materials/khrMaterialsVariants.ts';
import { isTriangleMode, TRIANGLES, triangleCount } from './topology.ts';

export interface PrimitiveDef {
  readonly path: string;
  readonly mode: number;
  /** Accessor by semantic: POSITION, NORMAL, TEXCOORD_0 … */
  readonly attributes: ReadonlyMap<string, number>;
  /** Accessor of the indices, -1: vertices in order. */
  readonly indices: number;
  /** Index, -1 for none. */
  readonly material: number;
  /** The materials that variants of the file replace it by. */
  readonly variants: readonly VariantMaterial[];
  readonly targets: readonly ReadonlyMap<string, number>[];
  readonly draco: DracoDef | null;
  readonly vertexCount: number;
  readonly triangleCount: number;
}

export interface MeshDef {
  readonly path: string;
  readonly name: string;
  readonly weights: readonly number[] | null;
  /** As its extras name them: any number, which may be empty and need not differ. Null: they name none. */
  readonly targetNames: readonly string[] | null;
  /** Only those that draw triangles. */
  readonly primitives: readonly PrimitiveDef[];
  readonly targetCount: number;
}

/** Accessor types by attribute (glTF 2.0, 3.7.2.1), with what KHR_mesh_quantization adds. */
const TYPES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^POSITION$/, ['VEC3']],
  [/^NORMAL$/, ['VEC3']],
  [/^TANGENT$/, ['VEC4']],
  [/^TEXCOORD_\d+$/, ['VEC2']],
  [/^COLOR_\d+$/, ['VEC3', 'VEC4']],
  [/^JOINTS_\d+$/, ['VEC4']],
  [/^WEIGHTS_\d+$/, ['VEC4']],
];

/** Attributes of applications. */
const NOT_READ = /^_/;

/** In morph targets a tangent has no sign. */
const TARGET_TYPES: readonly (readonly [RegExp, readonly string[]])[] = [[/^TANGENT$/, ['VEC3']], ...TYPES];

/** `extras.targetNames`, where every exporter writes the names of targets (glTF 2.0, 3.7.2.2). */
function targetNames(mesh: Element): readonly string[] | null {
  const [, names] = mesh.extras().find(([key]) => key === 'targetNames') ?? [];
  return Array.isArray(names) ? names.map((name) => (typeof name === 'string' ? name : '')) : null;
}

/**
 * Notes UC1354 for a mesh whose primitives differ in their targets, and UC1353 for names that do not fit where `hasNames`: they are
 * asked for.
 */
export function noteTargets(mesh: MeshDef, hasNames: boolean, notes: Notes): void {
  const { path, name, primitives, targetCount, targetNames: given } = mesh;
  const counts = new Set(primitives.map(({ targets }) => targets.length));
  if (counts.size > 1) {
    const numbers = [...counts].sort((a, b) => a - b).join(', ');
    notes.add('UC1354', numbers, path, name, (names) => `${numbers} targets: ${names}`);
  }
  if (!hasNames || given === null || targetCount + given.length === 0) return;
  const used = given.slice(0, targetCount);
  const named = used.filter((one) => one !== '');
  const faults = [
    ...(given.length === targetCount ? [] : [`${targetCount} targets, ${given.length} names`]),
    ...(named.length < used.length ? ['a name that is no text or empty'] : []),
    ...(new Set(named).size === named.length ? [] : ['a name twice']),
  ];
  for (const fault of faults) notes.add('UC1353', fault, path, name, (names) => `${fault}: ${names}`);
}

/** Checks an attribute of glTF against its accessor. Attributes of applications are not read, and so not checked. */
function checkAttribute(
  element: Element,
  semantic: string,
  accessor: Accessor,
  count: number,
  table: typeof TYPES,
  notes: Notes,
): void {
  const misfit = (what: string) => element.fail('UC1313', `${semantic} (${accessor.path}) ${what}`);
  const types = table.find(([pattern]) => pattern.test(semantic))?.[1];
  if (!types) return;
  if (accessor.count !== count) misfit(`has ${accessor.count} elements, POSITION has ${count}`);
  if (!types.includes(accessor.type)) misfit(`is ${accessor.type}, not ${types.join(' or ')}`);
  if (semantic.startsWith('JOINTS_')) {
    if (accessor.componentType === UNSIGNED_BYTE || accessor.componentType === UNSIGNED_SHORT) return;
    // Joint numbers have the same meaning in every component type.
    const what = `${semantic} has a component type that joints may not have; its numbers are used`;
    notes.add('UC1329', semantic, element.path, '', (names) => `${what}: ${names}`);
  } else if (accessor.componentType === UNSIGNED_INT) misfit('has components of 32-bit integers');
}

export class MeshTable {
  readonly list: readonly MeshDef[];
  readonly #accessors: Accessors;
  readonly #buffers: Buffers;
  readonly #notes: Notes;
  readonly #materials: number;
  readonly #variant: number;
  readonly #variants: number;
  readonly #accessorCount: number;
  readonly #limits: LimitWatch;
  readonly #tellsLost: boolean;

  /**
   * Checks every mesh of the file: UC1307, UC1308, UC1313, UC1316, UC1318. Reads no data but the headers of Draco data.
   * `variant` is the index of the material variant; -1 keeps the primitives' own materials. `tellsLost`: attributes that are not read
   * are UC2480.
   */
  constructor(
    root: Element,
    accessors: Accessors,
    buffers: Buffers,
    variant: number,
    notes: Notes,
    limits: LimitWatch,
    tellsLost: boolean,
  ) {
    this.#limits = limits;
    this.#tellsLost = tellsLost;
    this.#accessors = accessors;
    this.#accessorCount = accessors.list.length;
    this.#buffers = buffers;
    this.#notes = notes;
    this.#materials = root.count('materials');
    this.#variant = variant;
    this.#variants = variantCount(root);
    this.list = root.elements('meshes').map((mesh) => {
      const name = mesh.name;
      const primitives = mesh.elements('primitives').flatMap((primitive) => this.#primitive(primitive, name) ?? []);
      return {
        path: mesh.path,
        name,
        weights: mesh.numbers('weights', -1),
        targetNames: targetNames(mesh),
        primitives,
        targetCount: primitives.reduce((max, primitive) => Math.max(max, primitive.targets.length), 0),
      };
    });
  }

  #primitive(element: Element, name: string): PrimitiveDef | null {
    const mode = element.integer('mode', TRIANGLES, 0, 6);
    const attributes = element.indexMap('attributes', this.#accessorCount, 'accessors');
    const indices = element.index('indices', this.#accessorCount, 'accessors');
    const material = variantMaterial(element, this.#variant, this.#variants, this.#materials);
    const targets = element.elements('targets').map((target) => target.allIndices(this.#accessorCount, 'accessors'));
    if (!isTriangleMode(mode)) {
      this.#notes.add('UC1333', '', element.path, name, (names) => `points or lines are left out of ${names}`);
      return null;
    }
    const position = attributes.get('POSITION');
    if (position === undefined) {
      this.#notes.add('UC1334', '', element.path, name, (names) => `nothing to draw in ${names}`);
      return null;
    }
    const list = this.#accessors.list;
    const vertexCount = list[position].count;
    const vertices = `the primitive has ${vertexCount} vertices`;
    this.#limits.need('vertices', vertexCount, 'UC1209', element.file, element.path, vertices);
    for (const [semantic, index] of attributes)
      checkAttribute(element, semantic, list[index], vertexCount, TYPES, this.#notes);
    for (const semantic of this.#tellsLost ? attributes.keys() : []) {
      if (!NOT_READ.test(semantic)) continue;
      this.#notes.add(
        'UC2480',
        semantic,
        element.path,
        name,
        (names) => `${semantic} of vertices is left out of ${names}`,
      );
    }
    targets.forEach((target) => {
      for (const [semantic, index] of target)
        checkAttribute(element, semantic, list[index], vertexCount, TARGET_TYPES, this.#notes);
    });
    if (indices >= 0) this.#checkIndices(element, list[indices]);
    const draco = dracoOf(element, attributes, this.#buffers);
    const cornerCount = indices >= 0 ? list[indices].count : vertexCount;
    if (draco) {
      checkDraco(element, draco, list[position], mode === TRIANGLES && indices >= 0 ? list[indices] : null);
      // The decoded data bounds the size of this primitive; its other accessors may have as many elements.
      this.#accessors.allowZeros(vertexCount);
    } else if (mode === TRIANGLES ? cornerCount % 3 !== 0 : cornerCount > 0 && cornerCount < 3) {
      this.#notes.add('UC1335', '', element.path, name, (names) => `indices do not make whole triangles in ${names}`);
    }
    const triangles = draco ? draco.faces : triangleCount(mode, cornerCount);
    return {
      path: element.path,
      mode: draco ? TRIANGLES : mode,
      attributes,
      indices,
      material,
      variants: variantMappings(element, this.#variants, this.#materials),
      targets,
      draco,
      vertexCount,
      triangleCount: triangles,
    };
  }

  #checkIndices(element: Element, accessor: Accessor): void {
    const misfit = (what: string) => element.fail('UC1313', `indices (${accessor.path}) ${what}`);
    if (accessor.type !== 'SCALAR') misfit(`are ${accessor.type}, not SCALAR`);
    if (![UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT].includes(accessor.componentType)) {
      misfit(accessor.componentType === FLOAT ? 'are floats' : 'are signed integers');
    }
  }
}
