// Decides how each texture of one material is sampled with uv0: unchanged, through one affine map, through charts, or not
// at all. Reads the UVs of triangles only if wrap modes or UV sets differ. For prepare.ts.

import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { TextureSlot } from '../../scene/materialSlots.ts';
import type { Scene, SceneMaterial, TextureUse, UvChoice, Wrap } from '../../scene/types.ts';
import type { SourceImage } from '../decode/images.ts';
import { lossOf } from '../lost.ts';
import type { ReadUvTriangles } from '../types.ts';
import { type Affine, compose, fitAffine, IDENTITY, invert, isIdentity, mapCorners, snap } from './affine.ts';
import { type Charts, chartSize, mapCharts } from './charts.ts';
import { chooseUv } from './chooseUv.ts';
import { layoutAxis, type Placed, repeatsAlong } from './layout.ts';

export interface PlacedTexture {
  readonly slot: TextureSlot;
  readonly use: TextureUse;
  readonly source: SourceImage;
  /** From uv0 to the texture's UVs. Null if charts map them. */
  readonly map: Affine | null;
  readonly charts: Charts | null;
  readonly wrapS: Wrap;
  readonly wrapT: Wrap;
  /** The image can be sampled with uv0 unchanged. */
  readonly native: boolean;
}

/** Limits of a resampled image: a side, and all texels. */
const MAX_BAKED_SIDE = 8192;
const MAX_BAKED_TEXELS = 2 ** 25;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size halved until it is within the limits. */
export function capSize(size: Size): Size & { readonly reduced: boolean } {
  let { width, height } = size;
  let reduced = false;
  while (width > MAX_BAKED_SIDE || height > MAX_BAKED_SIDE || width * height > MAX_BAKED_TEXELS) {
    width = Math.max(1, Math.ceil(width / 2));
    height = Math.max(1, Math.ceil(height / 2));
    reduced = true;
  }
  return { width, height, reduced };
}

/** Texels along u and v that an image over [0, 1] of uv0 needs to be as fine as the texture. */
export function texelsOf(texture: Pick<PlacedTexture, 'map' | 'charts' | 'source'>): Size {
  const { map, charts, source } = texture;
  if (map === null) return { width: charts?.width ?? 1, height: charts?.height ?? 1 };
  const { width, height } = source.info;
  // Rounding noise of a map must not add a row of texels.
  const whole = (x: number) => Math.max(1, Math.abs(x - Math.round(x)) < 1e-3 ? Math.round(x) : Math.ceil(x));
  return {
    width: whole(Math.hypot(map[0] * width, map[1] * height)),
    height: whole(Math.hypot(map[2] * width, map[3] * height)),
  };
}

export interface Placement {
  readonly uv: UvChoice;
  readonly textures: ReadonlyMap<TextureSlot, PlacedTexture>;
}

export interface UsableTexture {
  readonly slot: TextureSlot;
  readonly use: TextureUse;
  readonly source: SourceImage;
}

/** Range of the u (0) or v (1) coordinates of corners; null without corners. */
function extentOf(corners: Float64Array, axis: 0 | 1): readonly [number, number] | null {
  let lo = Infinity;
  let hi = -Infinity;
  for (let i = axis; i < corners.length; i += 2) {
    if (corners[i] < lo) lo = corners[i];
    if (corners[i] > hi) hi = corners[i];
  }
  return lo <= hi ? [lo, hi] : null;
}

/**
 * The wrap mode as far as it shows: UVs within [0, 1] look the same in every mode, which is given as 'repeat'. They may
 * exceed [0, 1] by half a texel, where bilinear sampling mixes in the opposite border anyway.
 */
function effectiveWrap(wrap: Wrap, extent: readonly [number, number] | null, texels: number): Wrap {
  if (wrap === 'repeat' || extent === null) return 'repeat';
  const slack = 0.5 / texels;
  return extent[0] >= -slack && extent[1] <= 1 + slack ? 'repeat' : wrap;
}

interface Related extends UsableTexture, Placed {
  /** Corners in the texture's own UVs; null when triangles were not needed. */
  readonly corners: Float64Array | null;
}

/** Places the textures of one material; those that cannot be placed are reported and left out. */
export async function placeTextures(
  scene: Scene,
  index: number,
  textures: readonly UsableTexture[],
  readUvTriangles: ReadUvTriangles,
  diagnostics: Diagnostics,
): Promise<Placement> {
  const material = scene.materials[index];
  const choice = chooseUv({ textures: Object.fromEntries(textures.map((t) => [t.slot, t.use])) });
  if (choice.set === null) return { uv: choice, textures: new Map() };

  // 1. The leading transform. A singular one has no inverse: the UVs as authored lead instead.
  const inverse = invert(choice.transform ?? IDENTITY);
  const lead = inverse === null ? IDENTITY : (choice.transform ?? IDENTITY);
  const related = await relate(index, choice.set, lead, inverse ?? IDENTITY, textures, readUvTriangles);

  // 2. Where uv0 lies.
  const axes = ([0, 1] as const).map((axis) => {
    const extent = related.leadCorners ? extentOf(related.leadCorners, axis) : null;
    return layoutAxis(related.textures, axis, extent);
  });
  const moved: Affine = [axes[0].scale, 0, 0, axes[1].scale, axes[0].offset, axes[1].offset];
  const unlay = invert(moved)!;

  // 3. How each texture is sampled with uv0.
  const placed = new Map<TextureSlot, PlacedTexture>();
  const charted = new Map<string, Charts | null>();
  const from =
    related.leadCorners && (isIdentity(moved) ? related.leadCorners : mapDoubles(related.leadCorners, moved));
  for (const texture of related.textures) {
    const { slot, use, source, corners } = texture;
    const base = { slot, use, source };
    let { map, wrapS, wrapT } = texture;
    if (map !== null && !axes.every((axis, k) => axis.fits || repeatsAlong(texture, k as 0 | 1, 1))) {
      const repeating = { ...texture, wrapS: 'repeat' as const, wrapT: 'repeat' as const };
      if (axes.every((axis, k) => axis.fits || repeatsAlong(repeating, k as 0 | 1, 1))) {
        reportUse(scene, material, texture, diagnostics, 'UC2112', `repeats instead of ${use.wrapS}, ${use.wrapT}`);
        wrapS = 'repeat';
        wrapT = 'repeat';
      } else {
        map = null;
      }
    }
    if (map !== null) {
      const whole = snap(compose(map, unlay));
      const native = isIdentity(whole) && wrapS === 'repeat' && wrapT === 'repeat';
      placed.set(slot, { ...base, map: whole, charts: null, wrapS, wrapT, native });
      if (!native) reportMoved(scene, material, texture, diagnostics);
      continue;
    }
    // Opacity shares a file with the base colour, so its charts are at least as fine.
    const beside = slot === 'opacity' ? placed.get('baseColor') : undefined;
    const key = JSON.stringify([source.index, use.uvSet, use.transform, use.wrapS, use.wrapT, beside !== undefined]);
    let charts = charted.get(key);
    if (charts === undefined) {
      charts = from && corners ? drawCharts(from, corners, texture, beside) : null;
      charted.set(key, charts);
    }
    if (charts === null) {
      reportUse(
        scene,
        material,
        texture,
        diagnostics,
        'UC2110',
        `left out${lossOf(slot)}: UV set ${use.uvSet} cannot follow ${choice.set}`,
      );
      continue;
    }
    placed.set(slot, { ...base, map: null, charts, wrapS: use.wrapS, wrapT: use.wrapT, native: false });
    reportMoved(scene, material, texture, diagnostics);
  }
  const same = isIdentity(moved) && inverse !== null;
  return {
    uv: { set: choice.set, transform: same ? choice.transform : orNull(compose(moved, lead)) },
    textures: placed,
  };
}

function drawCharts(
  from: Float64Array,
  corners: Float64Array,
  { use, source }: UsableTexture,
  beside: PlacedTexture | undefined,
): Charts | null {
  const { width, height } = source.info;
  const own = chartSize(from, corners, width, height);
  const other = beside ? capSize(texelsOf(beside)) : own;
  const size = {
    width: Math.max(own.width, other.width),
    height: Math.max(own.height, other.height),
    reduction: own.reduction,
  };
  return mapCharts(from, corners, size, { width, height, wrapS: use.wrapS, wrapT: use.wrapT });
}

function orNull(map: Affine): Affine | null {
  return isIdentity(map) ? null : map;
}

function mapDoubles(corners: Float64Array, m: Affine): Float64Array {
  const out = new Float64Array(corners.length);
  for (let i = 0; i + 1 < corners.length; i += 2) {
    out[i] = m[0] * corners[i] + m[2] * corners[i + 1] + m[4];
    out[i + 1] = m[1] * corners[i] + m[3] * corners[i + 1] + m[5];
  }
  return out;
}

/** Finds the map from the leading UVs to each texture's UVs; from triangles only if UV sets or wrap modes need them. */
async function relate(
  index: number,
  set: string,
  lead: Affine,
  unlead: Affine,
  textures: readonly UsableTexture[],
  readUvTriangles: ReadUvTriangles,
): Promise<{ readonly textures: readonly Related[]; readonly leadCorners: Float64Array | null }> {
  const direct = textures.map((texture): Related => {
    const { use, source } = texture;
    const map = use.uvSet === set ? snap(compose(use.transform ?? IDENTITY, unlead)) : null;
    const { width, height } = source.info;
    return { ...texture, map, wrapS: use.wrapS, wrapT: use.wrapT, width, height, corners: null };
  });
  const plain = direct.every(
    (t) =>
      t.map !== null && t.wrapS === 'repeat' && t.wrapT === 'repeat' && repeatsAlong(t, 0, 1) && repeatsAlong(t, 1, 1),
  );
  if (plain) return { textures: direct, leadCorners: null };

  const sets = [...new Set([set, ...textures.map((t) => t.use.uvSet)])];
  const triangles = await readUvTriangles(index, sets);
  const none = new Float32Array(0);
  const leadCorners = mapCorners(triangles.get(set) ?? none, lead);
  // Textures often share set and transform: their corners are mapped once.
  const mapped = new Map<string, Float64Array>();
  const related = direct.map((texture): Related => {
    const { use } = texture;
    const transform = use.transform ?? IDENTITY;
    const key = JSON.stringify([use.uvSet, transform]);
    const corners = mapped.get(key) ?? mapCorners(triangles.get(use.uvSet) ?? none, transform);
    mapped.set(key, corners);
    const map =
      texture.map ?? (corners.length === 0 ? snap(compose(transform, unlead)) : fitAffine(leadCorners, corners));
    return {
      ...texture,
      map,
      wrapS: effectiveWrap(use.wrapS, extentOf(corners, 0), texture.width),
      wrapT: effectiveWrap(use.wrapT, extentOf(corners, 1), texture.height),
      corners,
    };
  });
  return { textures: related, leadCorners };
}

/** Reports a diagnostic about one texture of a material. */
export function reportUse(
  scene: Scene,
  material: SceneMaterial,
  texture: UsableTexture,
  diagnostics: Diagnostics,
  code: 'UC2110' | 'UC2111' | 'UC2112' | 'UC2113' | 'UC2114' | 'UC2115' | 'UC2116' | 'UC2123',
  what: string,
): void {
  diagnostics.report(code, scene.source, material.path, `${texture.slot} texture ${texture.source.image.uri}: ${what}`);
}

function reportMoved(scene: Scene, material: SceneMaterial, texture: UsableTexture, diagnostics: Diagnostics): void {
  reportUse(scene, material, texture, diagnostics, 'UC2111', `resampled from UV set ${texture.use.uvSet}`);
}
