// Every rule for the content of a .mdl file, one code each. The engine checks almost none of them: it reads beyond its
// buffers instead, or draws nothing.

import { type Findings, ScanBudget } from '../../findings.ts';
import { ELEMENT_TYPES, SEMANTICS } from './elements.ts';
import { type GeometryLevel, LINE_LIST, type Model, PRIMITIVES, TRIANGLE_LIST, type VertexBuffer } from './layout.ts';
import { Columns, checkBox, checkDrawnBones, checkVertices } from './scan.ts';
import { checkBones } from './skeleton.ts';

/** Real files have each index read a few times. */
const SCANS = 64;

/** Blend indices are bytes. */
const MAX_MAPPING = 256;

/** `size` is that of the file. */
export function checkModelRules(model: Model, findings: Findings, size: number): void {
  const budget = new ScanBudget(findings, SCANS * size);
  const columns = new Columns();
  for (const [i, buffer] of model.vertexBuffers.entries()) checkVertexBuffer(buffer, `vertexBuffers/${i}`, findings);
  for (const [i, { boneMapping, levels }] of model.geometries.entries()) {
    const place = `geometries/${i}`;
    if (levels.length === 0) findings.report('UC3911', place, 'geometry without a level: no level of detail');
    checkDistances(levels, place, findings);
    checkMapping(model, boneMapping, place, findings);
    for (const [k, level] of levels.entries()) {
      if (!checkLevel(model, level, `${place}/levels/${k}`, findings, budget)) continue;
      if (model.bones.length > 0) {
        checkDrawnBones(model, level, boneMapping, columns, `${place}/levels/${k}`, findings);
      }
    }
  }
  checkMorphs(model, findings);
  checkBones(model.bones, findings);
  checkBox(model, columns, findings, budget);
  if (model.centres === null)
    findings.report(
      'UC3982',
      'centres',
      'model without centres of its geometries: the file ends before the centres of its geometries',
    );
  else if (model.centres.some((centre) => !centre.every(Number.isFinite))) {
    findings.report('UC3928', 'centres', 'number that is not finite: a centre is not finite');
  }
}

function checkVertexBuffer(buffer: VertexBuffer, place: string, findings: Findings): void {
  const { elements, morphStart, morphCount, vertexCount } = buffer;
  const seen = new Set<number>();
  for (const { semantic, index } of elements) {
    const key = SEMANTICS.indexOf(semantic) * 256 + index;
    if (seen.has(key)) findings.report('UC3911', place, `vertex element twice: ${semantic} ${index} is there twice`);
    seen.add(key);
  }
  if (morphStart + morphCount > vertexCount) {
    const range = `${morphCount} vertices from ${morphStart} on`;
    findings.report(
      'UC3914',
      place,
      `range of morphs outside of its vertex buffer: morphs may move ${range}; the buffer has ${vertexCount}`,
    );
  }
  checkVertices(buffer, place, findings);
}

function checkDistances(levels: readonly GeometryLevel[], place: string, findings: Findings): void {
  let before = -1;
  for (const [i, { distance }] of levels.entries()) {
    if (!(distance > before) || !Number.isFinite(distance)) {
      const why = i === 0 ? '' : `, the level before from ${before}`;
      findings.report(
        'UC3928',
        `${place}/levels/${i}`,
        `distances of levels do not ascend: shown from distance ${distance}${why}`,
      );
    }
    before = distance;
  }
  if (levels.length > 0 && levels[0].distance > 0) {
    findings.report(
      'UC3982',
      `${place}/levels/0`,
      `first level is not shown from distance 0: shown from distance ${levels[0].distance}`,
    );
  }
}

function checkMapping({ bones }: Model, mapping: Uint32Array, place: string, findings: Findings): void {
  if (mapping.length > MAX_MAPPING) {
    findings.report('UC3914', place, `bone mapping impossible: ${mapping.length} bones; blend indices are bytes`);
  }
  const wrong = mapping.findIndex((bone) => bone >= bones.length);
  if (wrong >= 0)
    findings.report(
      'UC3914',
      place,
      `bone mapping impossible: entry ${wrong} is bone ${mapping[wrong]} of ${bones.length}`,
    );
}

/** Whether the level names what is there, so that its vertices can be looked at. */
function checkLevel(
  model: Model,
  level: GeometryLevel,
  place: string,
  findings: Findings,
  budget: ScanBudget,
): boolean {
  const { primitive, indexStart, indexCount } = level;
  const vertices = model.vertexBuffers[level.vertexBuffer];
  const indices = model.indexBuffers[level.indexBuffer];
  if (!PRIMITIVES[primitive]) findings.report('UC3910', place, `unknown type of primitive: primitive ${primitive}`);
  else if (primitive !== TRIANGLE_LIST) findings.report('UC3981', place, PRIMITIVES[primitive]);
  if (!vertices) {
    findings.report(
      'UC3914',
      place,
      `buffer that the model does not have: vertex buffer ${level.vertexBuffer} of ${model.vertexBuffers.length}`,
    );
  }
  if (!indices)
    findings.report(
      'UC3914',
      place,
      `buffer that the model does not have: index buffer ${level.indexBuffer} of ${model.indexBuffers.length}`,
    );
  if (!vertices || !indices) return false;
  if (indexStart + indexCount > indices.length) {
    findings.report(
      'UC3914',
      place,
      `draw range outside of its index buffer: ${indexCount} indices from ${indexStart} on, of ${indices.length}`,
    );
    return false;
  }
  const corners = primitive === TRIANGLE_LIST ? 3 : primitive === LINE_LIST ? 2 : 1;
  if (indexCount % corners !== 0)
    findings.report('UC3911', place, `indices do not make whole triangles or lines: ${indexCount} indices`);
  if (!budget.take(indexCount * indices.BYTES_PER_ELEMENT, place)) return false;
  for (let i = indexStart; i < indexStart + indexCount; i++) {
    if (indices[i] < vertices.vertexCount) continue;
    findings.report(
      'UC3914',
      place,
      `index of a vertex that is not there: index ${i} is vertex ${indices[i]} of ${vertices.vertexCount}`,
    );
    return false;
  }
  return true;
}

/** Which element a morph moves, by the column that holds its deltas. */
const MOVED = ['position', 'normal', 'tangent'] as const;

function checkMorphs({ morphs, vertexBuffers }: Model, findings: Findings): void {
  for (const [i, { buffers }] of morphs.entries()) {
    const named = new Set<number>();
    for (const [k, { vertexBuffer, deltas }] of buffers.entries()) {
      const place = `morphs/${i}/buffers/${k}`;
      const buffer = vertexBuffers[vertexBuffer];
      if (!buffer) {
        findings.report(
          'UC3914',
          place,
          `buffer that the model does not have: vertex buffer ${vertexBuffer} of ${vertexBuffers.length}`,
        );
        continue;
      }
      if (named.has(vertexBuffer))
        findings.report(
          'UC3982',
          place,
          `vertex buffer twice in a morph: vertex buffer ${vertexBuffer} is named twice`,
        );
      named.add(vertexBuffer);
      for (const semantic of MOVED) {
        const values = deltas[semantic];
        if (values === null) continue;
        const isThere = buffer.elements.some((e) => e.semantic === semantic && ELEMENT_TYPES[e.type].components >= 3);
        if (!isThere)
          findings.report(
            'UC3911',
            place,
            `morph of elements that the vertices lack: moves ${semantic}, which vertex buffer ${vertexBuffer} lacks`,
          );
        if (!values.every(Number.isFinite))
          findings.report('UC3928', place, `number that is not finite: a delta of ${semantic} is not finite`);
      }
      const { morphStart: first, morphCount } = buffer;
      const wrong = deltas.vertex.findIndex((vertex: number) => vertex < first || vertex >= first + morphCount);
      if (wrong < 0) continue;
      const range = `${morphCount} from ${first} on may be moved`;
      findings.report(
        'UC3914',
        place,
        `morph of a vertex outside of the range: row ${wrong} is vertex ${deltas.vertex[wrong]}; ${range}`,
      );
    }
  }
}
