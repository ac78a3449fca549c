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
const COLORS = /^color[34][hfd]\[\]$/;
const COORDINATES = /^texCoord[23][hfd]\[\]$/;
const PAIRS = /^(half|float|double)2\[\]$/;

interface SetContext {
  readonly notes: Notes;
  readonly primvars: PrimvarLookup;
}

type Role = 'uvs' | 'colors';

function roleOf(attribute: StageAttribute): Role | null {
  const { typeName } = attribute;
  if (COLORS.test(typeName)) return 'colors';
  if (COORDINATES.test(typeName)) return 'uvs';
  if (!PAIRS.test(typeName)) return null;
  return ['vertex', 'faceVarying'].includes(interpolationOf(attribute, 'constant')) ? 'uvs' : null;
}

/** The names of the primvars with a role, in the order of the stage, but for those that are read already. */
function namesOf(prim: StagePrim, isRead: (name: string) => boolean): Record<Role, string[]> {
  const names: Record<Role, string[]> = { uvs: [], colors: [] };
  for (const property of prim.propertyNames()) {
    if (!property.startsWith(PREFIX)) continue;
    const name = property.slice(PREFIX.length);
    const attribute = isRead(name) ? null : prim.attribute(property);
    const role = attribute && roleOf(attribute);
    if (role && attribute.peek()) names[role].push(name);
  }
  return names;
}

/** The values of those of one role. */
function setsOf(
  prim: StagePrim,
  role: Role,
  isRead: (name: string) => boolean,
  counts: ElementCounts,
  { notes, primvars }: SetContext,
): Map<string, Attribute> {
  const sets = new Map<string, Attribute>();
  for (const name of namesOf(prim, isRead)[role]) {
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
  const { uvs: coordinates, colors } = namesOf(prim, (name) => uvs.has(name) || isDrawn(name));
  return { uvs: coordinates.length, colors: colors.length };
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
