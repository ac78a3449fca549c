// The vertex colours and opacities that materials draw. Where the materials of a mesh read different primvars, each corner has the
// values that the material of its face reads.

import { elementOf, interpolationCode } from '../../../../scene/element.ts';
import type { Attribute, PolygonMesh } from '../../../../scene/types.ts';
import type { StagePrim } from '../../compose/stage/stage.ts';
import type { Notes } from '../../notes.ts';
import type { MaterialUse } from '../../shade/materials.ts';
import { type ElementCounts, type PrimvarLookup, readPrimvar } from './primvars.ts';

/** The faces of a mesh with the materials that draw them. */
export interface PaintedFaces extends Pick<PolygonMesh, 'faceCounts' | 'corners'> {
  readonly counts: ElementCounts;
  readonly uses: readonly MaterialUse[];
  /** For each face the index of its material in `uses`; null: the first draws all. */
  readonly useOfFace: Int32Array | null;
}

interface ColorContext {
  readonly notes: Notes;
  readonly primvars: PrimvarLookup;
  /** Faces whose materials read no colours are white; otherwise nobody asks what they are. */
  readonly keepsSets: boolean;
}

const ROLES = {
  colors: { primvar: 'colorPrimvar', least: 3, most: 4 },
  opacities: { primvar: 'opacityPrimvar', least: 1, most: 1 },
} as const;

const readsColors = ({ colorPrimvar, opacityPrimvar }: MaterialUse): boolean =>
  colorPrimvar !== null || opacityPrimvar !== null;

/** The materials that draw at least one face. */
export function drawingUses({ uses, useOfFace }: Pick<PaintedFaces, 'uses' | 'useOfFace'>): readonly MaterialUse[] {
  const drawing = new Set(useOfFace ?? [0]);
  return uses.filter((_, i) => drawing.has(i));
}

/** Null where no material reads a primvar, or the only one that is read is not there. */
export function drawnColors(
  prim: StagePrim,
  faces: PaintedFaces,
  { notes, primvars, keepsSets }: ColorContext,
): Record<keyof typeof ROLES, Attribute | null> {
  const asked = drawingUses(faces).filter((use) => keepsSets || readsColors(use));
  const read = (role: keyof typeof ROLES) => {
    const { primvar: field, least, most } = ROLES[role];
    const values = new Map<string | null, Attribute | null>([[null, null]]);
    const names = new Set(asked.map((use) => use[field]));
    for (const name of names) {
      const primvar = name === null ? null : primvars.find(prim, name);
      values.set(name, primvar && readPrimvar(primvar, faces.counts, least, most, prim, notes));
    }
    const [first = null] = names;
    if (names.size < 2) return values.get(first) ?? null;
    return joined(
      faces.uses.map((use) => values.get(use[field]) ?? null),
      faces,
    );
  };
  return { colors: read('colors'), opacities: read('opacities') };
}

/** For each corner the value of that attribute which belongs to the material of its face; 1 where that is null. */
function joined(ofUse: readonly (Attribute | null)[], faces: PaintedFaces): Attribute | null {
  const parts = [...new Set(ofUse)].filter((part) => part !== null);
  if (parts.length === 0) return null;
  const size = Math.max(...parts.map((part) => part.size));
  const starts = new Map<Attribute | null, number>([[null, 0]]);
  let elements = 1;
  for (const part of parts) {
    starts.set(part, elements);
    elements += part.data.length / part.size;
  }
  const data = new Float32Array(elements * size).fill(1);
  for (const part of parts) {
    const start = starts.get(part) as number;
    for (let i = 0; i < part.data.length; i++) {
      data[(start + Math.floor(i / part.size)) * size + (i % part.size)] = part.data[i];
    }
  }
  const { corners, faceCounts, useOfFace, counts } = faces;
  const indices = new Uint32Array(corners.length);
  const codes = ofUse.map((part) => (part ? interpolationCode(part) : 0));
  let corner = 0;
  for (let face = 0; face < counts.faces; face++) {
    const use = useOfFace ? useOfFace[face] : 0;
    const part = ofUse[use];
    const start = starts.get(part) as number;
    for (const end = corner + (faceCounts ? faceCounts[face] : 3); corner < end; corner++) {
      indices[corner] = part ? start + elementOf(codes[use], part.indices, corner, corners[corner], face) : 0;
    }
  }
  return { data, size, interpolation: 'faceVarying', indices };
}
