// Analyses the vertex colours of a subset. The engine draws neither colour nor opacity of a vertex, so the caller puts a
// constant colour into the material and a few colours into a palette texture; other colours are stored in color0 for later
// engines.

import { elementOf, interpolationCode } from '../../scene/element.ts';
import { MAX_PALETTE_COLORS, paletteLayout, paletteUv } from '../../scene/palette.ts';
import type { Attribute, PolygonMesh, Vec4 } from '../../scene/types.ts';
import { triangulate } from '../polygons/triangulate.ts';
import { ATTRIBUTES, COLOR_SETS, type ColorSemantic, type ColorSource } from './attributes.ts';

/** Different colours in the order first seen: linear rgb and straight alpha, four numbers each, in [0, 1]. */
export interface Palette {
  readonly colors: Float32Array;
}

/**
 * 'none': there are no colours. 'constant': all colours are equal. 'palette': each triangle has a single colour, and at
 * most 256 different ones occur. 'varying': anything else. Two colours are equal if they give the same bytes in color0.
 */
export type ColorUse = 'none' | { readonly constant: Vec4 } | { readonly palette: Palette } | 'varying';

/** Analyses the colours of one subset (-1: what no subset claims). */
export function analyseColors(mesh: PolygonMesh, subset: number): ColorUse {
  const reader = new CornerColors(mesh, ATTRIBUTES.color0.source);
  if (reader.isEmpty) return 'none';
  const { count, corners, faces } = triangulate(mesh, subset);
  if (count === 0) return 'none';
  const seen = new Map<number, Vec4>();
  let onePerTriangle = true;
  for (let t = 0; t < count; t++) {
    const face = faces ? faces[t] : t;
    let first = 0;
    for (let k = 0; k < 3; k++) {
      const corner = corners ? corners[t * 3 + k] : t * 3 + k;
      const rgba = reader.read(corner, mesh.corners[corner], face);
      if (k === 0) first = rgba;
      else if (rgba !== first) onePerTriangle = false;
      if (!seen.has(rgba)) seen.set(rgba, reader.last());
    }
    // Two colours in one triangle, and the mesh is neither constant nor fit for a palette.
    if (!onePerTriangle || seen.size > MAX_PALETTE_COLORS) return 'varying';
  }
  const colors = [...seen.values()];
  return colors.length === 1 ? { constant: colors[0] } : { palette: { colors: Float32Array.from(colors.flat()) } };
}

/**
 * One palette for several subsets that share a material: their different colours in the order given; constants count
 * as one colour. Null when there are more than 256.
 */
export function unitePalettes(list: readonly (Palette | Vec4)[]): Palette | null {
  const seen = new Map<number, Vec4>();
  for (const item of list) {
    const colors = 'colors' in item ? item.colors : item;
    for (let i = 0; i + 3 < colors.length; i += 4) {
      const color: Vec4 = [colors[i], colors[i + 1], colors[i + 2], colors[i + 3]];
      const key = packColor(color[0], color[1], color[2], color[3]);
      if (!seen.has(key)) seen.set(key, color);
    }
  }
  if (seen.size > MAX_PALETTE_COLORS) return null;
  return { colors: Float32Array.from([...seen.values()].flat()) };
}

/** For each colour, as packColor() gives it, the UV of its cell's centre as two float32 values. */
export function paletteCells(palette: Palette): ReadonlyMap<number, readonly [number, number]> {
  const { colors } = palette;
  const layout = paletteLayout(colors.length / 4);
  const cells = new Map<number, readonly [number, number]>();
  for (let i = 0; i < colors.length / 4; i++) {
    const at = i * 4;
    cells.set(packColor(colors[at], colors[at + 1], colors[at + 2], colors[at + 3]), paletteUv(layout, i));
  }
  return cells;
}

/** Linear rgba as the four bytes of color0, r lowest: round half to even of 255 times the value, clamped; NaN gives 0. */
export function packColor(r: number, g: number, b: number, a: number): number {
  return (unorm8(r) | (unorm8(g) << 8) | (unorm8(b) << 16) | (unorm8(a) << 24)) >>> 0;
}

function unorm8(value: number): number {
  if (!(value > 0)) return 0;
  if (value >= 1) return 255;
  const scaled = value * 255;
  const low = Math.floor(scaled);
  const rest = scaled - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}

/** Reads the colour of corners: colours (white when there are none) with the opacity multiplied into alpha. */
export class CornerColors {
  /** How many corners had a component that is not a number. */
  invalid = 0;
  readonly #colors: Attribute | null;
  readonly #opacities: Attribute | null;
  readonly #colorCode: number;
  readonly #opacityCode: number;
  #r = 1;
  #g = 1;
  #b = 1;
  #a = 1;

  constructor(mesh: PolygonMesh, { colors, opacities }: Pick<ColorSource, 'colors' | 'opacities'>) {
    this.#colors = mesh[colors] ?? null;
    this.#opacities = (opacities && mesh[opacities]) ?? null;
    this.#colorCode = this.#colors ? interpolationCode(this.#colors) : 0;
    this.#opacityCode = this.#opacities ? interpolationCode(this.#opacities) : 0;
  }

  /** Whether the mesh has neither. */
  get isEmpty(): boolean {
    return this.#colors === null && this.#opacities === null;
  }

  /** The attributes that it reads. */
  get attributes(): readonly (Attribute | null)[] {
    return [this.#colors, this.#opacities];
  }

  /** The colour, as packColor() gives it, of a corner with its vertex and face. */
  read(corner: number, vertex: number, face: number): number {
    this.#r = this.#g = this.#b = this.#a = 1;
    const colors = this.#colors;
    if (colors) {
      const at = elementOf(this.#colorCode, colors.indices, corner, vertex, face) * colors.size;
      this.#r = colors.data[at];
      this.#g = colors.data[at + 1];
      this.#b = colors.data[at + 2];
      if (colors.size > 3) this.#a = colors.data[at + 3];
    }
    const opacities = this.#opacities;
    if (opacities) {
      const at = elementOf(this.#opacityCode, opacities.indices, corner, vertex, face) * opacities.size;
      // A float32 as all others: a palette's colours find their bytes again.
      this.#a = Math.fround(this.#a * opacities.data[at]);
    }
    if (Number.isNaN(this.#r + this.#g + this.#b + this.#a)) this.invalid++;
    return packColor(this.#r, this.#g, this.#b, this.#a);
  }

  /** The colour that `read` has just packed, clamped to [0, 1]. */
  last(): Vec4 {
    return [clamp01(this.#r), clamp01(this.#g), clamp01(this.#b), clamp01(this.#a)];
  }
}

/** The sets of colours that a mesh has and `isAsked` accepts. */
export function colorSetsOf(
  mesh: PolygonMesh,
  isAsked: (semantic: ColorSemantic, source: ColorSource) => boolean,
): Partial<Record<ColorSemantic, CornerColors>> {
  const sets: Partial<Record<ColorSemantic, CornerColors>> = {};
  for (const semantic of COLOR_SETS) {
    const { source } = ATTRIBUTES[semantic];
    if (!isAsked(semantic, source)) continue;
    const colors = new CornerColors(mesh, source);
    if (!colors.isEmpty) sets[semantic] = colors;
  }
  return sets;
}

function clamp01(value: number): number {
  return value > 0 ? Math.min(1, value) : 0;
}
