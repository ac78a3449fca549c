// Sets of texture coordinates and colours that no material of a mesh draws with, for outputs that keep all sets: the primvars of
// the prim itself whose types have these roles. Inherited ones are the same at all vertices, and say nothing of a surface.

import { type Attribute, MAX_SETS, type MoreColors } from '../../../../scene/types.ts';
import type { StagePrim } from '../../compose/stage/stage.ts';
import type { Notes } from '../../notes.ts';
import { drawingUses, type PaintedFaces } from './drawnColors.ts';
import { type ElementCounts, type PrimvarLookup, readPrimvar } from './primvars.ts';

const PREFIX = 'primvars:';
const ROLES = { uvs: /^texCoord[23][hfd]\[\]$/, colors: /^color[34][hfd]\[\]$/ } as const;

interface SetContext {
  readonly notes: Notes;
  readonly primvars: PrimvarLookup;
}

/** The values of the primvars of a role by their names, in the order of the stage, but for those that are read already. */
function setsOf(
  prim: StagePrim,
  role: keyof typeof ROLES,
  isRead: (name: string) => boolean,
  counts: ElementCounts,
  { notes, primvars }: SetContext,
): Map<string, Attribute> {
  const sets = new Map<string, Attribute>();
  for (const property of prim.propertyNames()) {
    const name = property.slice(PREFIX.length);
    if (!property.startsWith(PREFIX) || isRead(name)) continue;
    if (!ROLES[role].test(prim.attribute(property)?.typeName ?? '')) continue;
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

/**
 * Colours besides those that all materials of the mesh read, from the second set on: what reads a file draws the first, which is
 * white where no material reads colours. Where only some do, the set is both the first and one of these, so that all faces have it.
 * Reports UC2341.
 */
export function moreColors(faces: PaintedFaces, prim: StagePrim, context: SetContext): MoreColors {
  const names = new Set(drawingUses(faces).map(({ colorPrimvar }) => colorPrimvar));
  const isDrawn = (name: string) => names.size === 1 && names.has(name);
  const others = [...setsOf(prim, 'colors', isDrawn, faces.counts, context)];
  const left = others.slice(MAX_SETS - 1).map(([name]) => name);
  if (left.length > 0) {
    const message = `${left.join(', ')}: a vertex has ${MAX_SETS} sets of colours at most, the first for what is drawn`;
    context.notes.report('UC2341', prim.path, message);
  }
  const kept = others.slice(0, MAX_SETS - 1);
  return Object.fromEntries(kept.map(([, attribute], i) => [`colors${i + 1}`, attribute]));
}
