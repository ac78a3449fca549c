// Sets of texture coordinates and colours that no material of a mesh draws with, for outputs that keep all sets: the primvars of
// the prim itself whose types have these roles, and pairs of floats that vary over the surface, which older exporters write for
// texture coordinates. Inherited ones are the same at all vertices, and say nothing of a surface.

import { type Attribute, MAX_SETS, type MoreColors, type UndrawnSets } from '../../../../scene/types.ts';
import type { StageAttribute, StagePrim } from '../../compose/stage/stage.ts';
import type { Notes } from '../../notes.ts';
import type { MaterialUse } from '../../shade/materials.ts';
import { drawingUses, type PaintedFaces } from './drawnColors.ts';
import { type ElementCounts, interpolationOf, type PrimvarLookup, readPrimvar } from './primvars.ts';

const PREFIX = 'primvars:';
const ROLES = { uvs: /^texCoord[23][hfd]\[\]$/, colors: /^color[34][hfd]\[\]$/ } as const;
const PAIRS = /^(half|float|double)2\[\]$/;

interface SetContext {
  readonly notes: Notes;
  readonly primvars: PrimvarLookup;
}

const hasRole = (attribute: StageAttribute, role: keyof typeof ROLES): boolean => {
  if (ROLES[role].test(attribute.typeName)) return true;
  if (role !== 'uvs' || !PAIRS.test(attribute.typeName)) return false;
  return ['vertex', 'faceVarying'].includes(interpolationOf(attribute, 'constant'));
};

/** The names of the primvars of a role, in the order of the stage. */
function namesOf(prim: StagePrim, role: keyof typeof ROLES): string[] {
  return prim.propertyNames().flatMap((property) => {
    const attribute = property.startsWith(PREFIX) ? prim.attribute(property) : null;
    return attribute?.peek() && hasRole(attribute, role) ? [property.slice(PREFIX.length)] : [];
  });
}

/** Their values, but for those that are read already. */
function setsOf(
  prim: StagePrim,
  role: keyof typeof ROLES,
  isRead: (name: string) => boolean,
  counts: ElementCounts,
  { notes, primvars }: SetContext,
): Map<string, Attribute> {
  const sets = new Map<string, Attribute>();
  for (const name of namesOf(prim, role)) {
    if (isRead(name)) continue;
    const primvar = primvars.find(prim, name);
    const [least, most] = role === 'uvs' ? [2, 2] : [3, 4];
    const attribute = primvar && readPrimvar(primvar, counts, least, most, prim, notes);
    if (attribute) sets.set(name, attribute);
  }
  return sets;
}

/** Texture coordinates besides those that materials use, which come first. */
export function withMoreUvs(
  uvs: ReadonlyMap<string, Attribute>,
  prim: StagePrim,
  counts: ElementCounts,
  context: SetContext,
): ReadonlyMap<string, Attribute> {
  return new Map([...uvs, ...setsOf(prim, 'uvs', (name) => uvs.has(name), counts, context)]);
}

/** Whether all of the materials read a primvar as colours. */
function colorsOfAll(uses: readonly MaterialUse[]): (name: string) => boolean {
  const names = new Set(uses.map(({ colorPrimvar }) => colorPrimvar));
  return (name) => names.size === 1 && names.has(name);
}

/** `uvs`: the names of the texture coordinates that are kept. `uses`: the materials that draw faces. */
export function undrawnOf(prim: StagePrim, uvs: ReadonlySet<string>, uses: readonly MaterialUse[]): UndrawnSets {
  const isDrawn = colorsOfAll(uses);
  return {
    uvs: namesOf(prim, 'uvs').filter((name) => !uvs.has(name)).length,
    colors: namesOf(prim, 'colors').filter((name) => !isDrawn(name)).length,
  };
}

/**
 * Colours besides those that all materials of the mesh read, from the second set on: what reads a file draws the first, which is
 * white where no material reads colours. Where only some do, the set is both the first and one of these, so that all faces have it.
 * Reports UC2341.
 */
export function moreColors(faces: PaintedFaces, prim: StagePrim, context: SetContext): MoreColors {
  const isDrawn = colorsOfAll(drawingUses(faces));
  const others = [...setsOf(prim, 'colors', isDrawn, faces.counts, context)];
  const left = others.slice(MAX_SETS - 1).map(([name]) => name);
  if (left.length > 0) {
    const message = `${left.join(', ')}: a vertex has ${MAX_SETS} sets of colours at most, the first for what is drawn`;
    context.notes.report('UC2341', prim.path, message);
  }
  const kept = others.slice(0, MAX_SETS - 1);
  return Object.fromEntries(kept.map(([, attribute], i) => [`colors${i + 1}`, attribute]));
}
