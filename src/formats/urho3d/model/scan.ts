// The rules for which every vertex of a .mdl file is looked at.

import type { Findings, ScanBudget } from '../../findings.ts';
import { ELEMENT_TYPES, type Semantic } from './elements.ts';
import type { GeometryLevel, Model, VertexBuffer } from './layout.ts';
import { type VertexColumn, vertexColumn, vertexColumns } from './vertices.ts';

/** How far a length or a sum may be from 1: that of numbers with three decimal places. */
const UNIT_TOLERANCE = 0.01;
/** The box may be smaller than the vertices by this part of its size: writers round in another order. */
const BOX_TOLERANCE = 1e-3;

/** The elements that shading alone needs: a fault there spoils the look of a vertex. */
const DIRECTIONS: readonly string[] = ['normal', 'binormal', 'tangent'];

export function checkVertices(buffer: VertexBuffer, place: string, findings: Findings): void {
  for (const column of vertexColumns(buffer)) {
    const { semantic, type, values } = column;
    if (DIRECTIONS.includes(semantic)) checkDirections(column, place, findings);
    else if (ELEMENT_TYPES[type].scalar === 'f32') {
      const wrong = values.findIndex((value) => !Number.isFinite(value));
      const { components } = ELEMENT_TYPES[type];
      if (wrong >= 0) {
        findings.report(
          'UC3928',
          place,
          `number that is not finite: ${semantic} of vertex ${Math.floor(wrong / components)} is not finite`,
        );
      } else if (semantic === 'blendWeights') checkWeights(column, place, findings);
    }
  }
}

function checkDirections({ semantic, type, values }: VertexColumn, place: string, findings: Findings): void {
  const { components } = ELEMENT_TYPES[type];
  if (components < 3 || ELEMENT_TYPES[type].scalar !== 'f32') return;
  for (let i = 0; i < values.length; i += components) {
    const length = Math.hypot(values[i], values[i + 1], values[i + 2]);
    if (Math.abs(length - 1) <= UNIT_TOLERANCE) continue;
    findings.report(
      'UC3982',
      place,
      `normal or tangent not of length 1: ${semantic} of vertex ${i / components} has length ${length}`,
    );
    break;
  }
  if (semantic !== 'tangent' || components < 4) return;
  for (let i = 3; i < values.length; i += 4) {
    if (Math.abs(values[i]) === 1) continue;
    findings.report(
      'UC3982',
      place,
      `sign of a tangent is neither 1 nor -1: sign ${values[i]} of vertex ${(i - 3) / 4}`,
    );
    break;
  }
}

function checkWeights({ type, values }: VertexColumn, place: string, findings: Findings): void {
  const { components } = ELEMENT_TYPES[type];
  for (let i = 0; i < values.length; i += components) {
    let sum = 0;
    for (let k = 0; k < components; k++) sum += values[i + k];
    if (Math.abs(sum - 1) <= UNIT_TOLERANCE) continue;
    findings.report(
      'UC3982',
      place,
      `weights of bones do not add up to 1: weights of vertex ${i / components} add up to ${sum}`,
    );
    break;
  }
}

/** Elements of vertex buffers as arrays, each taken out of its buffer once. */
export class Columns {
  readonly #found = new Map<VertexBuffer, Map<Semantic, VertexColumn | null>>();

  of(buffer: VertexBuffer, semantic: Semantic): VertexColumn | null {
    const columns = this.#found.get(buffer) ?? new Map<Semantic, VertexColumn | null>();
    this.#found.set(buffer, columns);
    const column = columns.has(semantic) ? columns.get(semantic)! : vertexColumn(buffer, semantic);
    columns.set(semantic, column);
    return column;
  }
}

/** Bones that the vertices of a level are bound to. The level's indices have been checked. */
export function checkDrawnBones(
  model: Model,
  level: GeometryLevel,
  mapping: Uint32Array,
  columns: Columns,
  place: string,
  findings: Findings,
): void {
  const buffer = model.vertexBuffers[level.vertexBuffer];
  const weights = columns.of(buffer, 'blendWeights');
  const bones = columns.of(buffer, 'blendIndices');
  if (!weights || !bones || ELEMENT_TYPES[bones.type].scalar !== 'u8') return;
  const indices = model.indexBuffers[level.indexBuffer];
  const limit = mapping.length > 0 ? mapping.length : model.bones.length;
  const { components } = ELEMENT_TYPES[weights.type];
  for (let i = level.indexStart; i < level.indexStart + level.indexCount; i++) {
    for (let k = 0; k < components; k++) {
      const bone = bones.values[4 * indices[i] + k];
      if (!(weights.values[components * indices[i] + k] > 0) || bone < limit) continue;
      findings.report(
        'UC3914',
        place,
        `vertex bound to a bone that is not there: vertex ${indices[i]} is bound to bone ${bone} of ${limit}`,
      );
      return;
    }
  }
}

/**
 * Whether the box of a model holds what its first levels draw. A model with bones is drawn where they are, and its box is
 * that of their rest.
 */
export function checkBox(model: Model, columns: Columns, findings: Findings, budget: ScanBudget): void {
  const { box, bones, geometries } = model;
  if (!box.every(Number.isFinite)) {
    findings.report('UC3928', 'box', `number that is not finite: ${box.join(' ')}`);
    return;
  }
  const sides = [0, 1, 2].map((axis) => box[axis + 3] - box[axis]);
  if (sides.some((side) => side < 0) && geometries.length > 0) {
    findings.report(
      'UC3928',
      'box',
      `bounding box does not hold the model: its minimum is beyond its maximum: ${box.join(' ')}`,
    );
    return;
  }
  if (bones.length > 0) return;
  const slack = BOX_TOLERANCE * Math.max(...sides);
  for (const [i, { levels }] of geometries.entries()) {
    const outside = levels.length > 0 ? vertexOutside(model, levels[0], slack, columns, budget) : null;
    if (outside === null) continue;
    findings.report(
      'UC3928',
      'box',
      `bounding box does not hold the model: vertex ${outside} of geometry ${i} lies outside of ${box.join(' ')}`,
    );
    return;
  }
}

function vertexOutside(
  { box, ...model }: Model,
  level: GeometryLevel,
  slack: number,
  columns: Columns,
  budget: ScanBudget,
): number | null {
  const buffer = model.vertexBuffers[level.vertexBuffer];
  const indices = model.indexBuffers[level.indexBuffer];
  if (!buffer || !indices || !budget.spare(4 * level.indexCount)) return null;
  const positions = columns.of(buffer, 'position')!.values;
  const end = Math.min(indices.length, level.indexStart + level.indexCount);
  for (let i = level.indexStart; i < end; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[3 * indices[i] + axis];
      if (value < box[axis] - slack || value > box[axis + 3] + slack) return indices[i];
    }
  }
  return null;
}
