// The materials of a far tile merged into few: what is drawn with a plain colour or a small texture moves into one palette
// or atlas, so that an HLOD costs a draw call for each kind of surface instead of one a material. From where an HLOD is
// shown, normal, occlusion, roughness and metalness maps are not seen; what is merged goes without.

import type { DrawnMesh, Format } from '../../formats/format.ts';
import { rounded } from '../../formats/rounded.ts';
import { type AtlasedUv, atlasUvs } from '../../geometry/hlod/atlasUvs.ts';
import { CellColors } from '../../geometry/hlod/cellColors.ts';
import { uvWindow } from '../../geometry/uv/uvWindow.ts';
import { MAX_PALETTE_COLORS, paletteLayout, paletteUv } from '../../scene/palette.ts';
import { atlasTexture, meanColor, repeated, type TintedImage } from '../../textures/atlas/atlas.ts';
import { atlasLayout, colorUv, imageUv } from '../../textures/atlas/atlasLayout.ts';
import { paletteTexture } from '../../textures/atlas/palette.ts';
import type { Pixels } from '../../textures/decode/pixels.ts';
import type { PaintedTexture, PreparedMaterial, PreparedTexture, TextureFiles } from '../../textures/types.ts';
import type { AtlasedMesh } from './proxyMaterials.ts';
import { isMergeable, kindMaterial, kindOf } from './surfaceKinds.ts';

/** Texels of a texture that may be merged; to decode larger ones would cost more than a draw call. */
const MAX_ATLASED_TEXELS = 1024 * 1024;

/** Repeats along an axis that an image may have in an atlas. */
const MAX_REPEATS = 2;

/** What proxies ask of the format: values as its files hold them, and files of textures. */
export interface ProxyFormat extends Pick<Format, 'round'> {
  readonly textures: TextureFiles;
}

/** The texels of a base colour texture by its index, no larger than MAX_ATLASED_SIDE; null: it is not to be merged. */
export type AtlasImages = (texture: number) => Promise<Pixels | null>;

type Rgb = readonly [number, number, number];

/** A mesh with one colour. */
interface Plain {
  readonly mesh: DrawnMesh;
  readonly color: Rgb;
}

/** A mesh with one image, multiplied by a colour. */
interface Pictured {
  readonly mesh: DrawnMesh;
  readonly color: Rgb;
  readonly pixels: Pixels;
  readonly repeats: readonly [number, number];
  /** Equal for equal texels. */
  readonly key: string;
}

interface Kind {
  readonly plain: Plain[];
  readonly pictured: Pictured[];
}

/** The texture that an atlas may take in for a material, -1 for none. */
export function atlasedTexture(material: PreparedMaterial, textures: readonly PreparedTexture[]): number {
  const { baseColor } = material.slots;
  if (baseColor < 0 || !isMergeable(material)) return -1;
  const { width, height } = textures[baseColor];
  return width * height <= MAX_ATLASED_TEXELS ? baseColor : -1;
}

/**
 * The meshes with those of opaque, unlit materials joined, one for each kind of surface: metal or not, and a quarter of
 * the roughness scale, drawn with the mean of their factors. Textures are merged where `images` has them and no triangle
 * reaches over more than two repeats of them; one that repeats within `unseen` metres is its mean colour. Others follow in
 * their order, as they are, and so does what is the only one of its kind.
 */
export async function mergeMaterials(
  meshes: readonly DrawnMesh[],
  tileId: string,
  format: ProxyFormat,
  images: AtlasImages = async () => null,
  unseen = 0,
): Promise<AtlasedMesh[]> {
  const kinds = new Map<string, Kind>();
  const others: DrawnMesh[] = [];
  for (const mesh of meshes) {
    const { material, tint } = mesh.surface;
    const picture =
      isMergeable(material) && mesh.surface.palette === null ? await pictureOf(mesh, images, unseen) : null;
    if (picture === null) {
      others.push(mesh);
      continue;
    }
    const name = kindOf(material);
    let kind = kinds.get(name);
    if (!kind) {
      kind = { plain: [], pictured: [] };
      kinds.set(name, kind);
    }
    const color = [0, 1, 2].map((c) => clamp(material.baseColor[c] * (tint?.[c] ?? 1))) as unknown as Rgb;
    if ('mean' in picture) {
      const { mean: texel } = picture;
      kind.plain.push({ mesh, color: [color[0] * texel[0], color[1] * texel[1], color[2] * texel[2]] });
    } else {
      const key = `${material.slots.baseColor}|${picture.repeats.join()}|${color.join()}`;
      kind.pictured.push({ mesh, color, ...picture, key });
    }
  }
  const merged: AtlasedMesh[] = [];
  for (const [name, { plain, pictured }] of kinds) {
    for (let at = 0; at < Math.max(1, plain.length); at += MAX_PALETTE_COLORS) {
      const part = plain.slice(at, at + MAX_PALETTE_COLORS);
      const made = await merge(part, at === 0 ? pictured : [], `${tileId}_${name}${at === 0 ? '' : `_${at}`}`, format);
      merged.push(...made);
    }
  }
  return [...merged, ...others];
}

/** The texels of a mesh, or the mean of them, white without a texture; null: it must keep the one it has. */
async function pictureOf(
  { surface: { material }, mesh }: DrawnMesh,
  images: AtlasImages,
  unseen: number,
): Promise<Pick<Pictured, 'pixels' | 'repeats'> | { readonly mean: Rgb } | null> {
  if (material.slots.baseColor < 0) return { mean: [1, 1, 1] };
  const { repeats, metres } = uvWindow(mesh);
  const isMean = Math.max(...metres) <= unseen;
  if (!isMean && Math.max(...repeats) > MAX_REPEATS) return null;
  const pixels = await images(material.slots.baseColor);
  if (pixels === null) return null;
  return isMean ? { mean: meanColor(pixels) } : { pixels: repeated(pixels, ...repeats), repeats };
}

/** One mesh of all, and those whose images have no room. */
async function merge(
  plain: readonly Plain[],
  pictured: readonly Pictured[],
  name: string,
  format: ProxyFormat,
): Promise<AtlasedMesh[]> {
  if (plain.length + pictured.length === 1) return [...plain, ...pictured].map(({ mesh }) => mesh);
  if (pictured.length === 0) return [await foldPlain(plain, name, format)];
  const colors = [...new Map(plain.map(({ color }) => [color.join(), color])).values()];
  const images = [...new Map(pictured.map((one) => [one.key, one])).values()];
  const layout = atlasLayout(
    images.map(({ key, pixels: { width, height } }) => ({ name: key, width, height })),
    colors.length,
  );
  const rects = new Map(images.map(({ key }, i) => [key, layout.images[i]]));
  const uvs: AtlasedUv[] = plain.map(({ color }) => colorUv(layout, indexOf(colors, color)));
  const members: (Plain | Pictured)[] = [...plain];
  const left: DrawnMesh[] = [];
  for (const one of pictured) {
    const rect = rects.get(one.key);
    if (rect) {
      members.push(one);
      uvs.push({ repeats: one.repeats, rect: imageUv(layout, rect) });
    } else left.push(one.mesh);
  }
  const parts = images.map(({ pixels, color }): TintedImage => ({ pixels, factor: color }));
  const texture = await atlasTexture(layout, parts, colors, format.textures);
  return [await joined(members, uvs, name, texture, format), ...left];
}

async function foldPlain(plain: readonly Plain[], name: string, format: ProxyFormat): Promise<AtlasedMesh> {
  const colors = [...new Map(plain.map(({ color }) => [color.join(), color])).values()];
  const layout = paletteLayout(colors.length);
  const uvs = plain.map(({ color }) => paletteUv(layout, indexOf(colors, color)));
  const palette = await paletteTexture(
    colors.flatMap((color) => [...color, 1]),
    format.textures,
  );
  return joined(plain, uvs, name, palette, format);
}

const indexOf = (colors: readonly Rgb[], color: Rgb): number =>
  colors.findIndex((other) => other.every((value, c) => value === color[c]));

async function joined(
  members: readonly Plain[],
  uvs: readonly AtlasedUv[],
  name: string,
  palette: PaintedTexture,
  { round }: ProxyFormat,
): Promise<AtlasedMesh> {
  const merged = atlasUvs(
    members.map(({ mesh }) => mesh.mesh),
    uvs,
  );
  const mesh = await rounded(merged, round);
  const material = kindMaterial(
    name,
    members.map((member) => member.mesh),
  );
  const cells = new CellColors();
  for (const [i, uv] of uvs.entries()) {
    if ('rect' in uv) continue;
    const [u, v] = round('uv0', Float32Array.from(uv)) ?? uv;
    cells.set(u, v, members[i].color);
  }
  return {
    naming: { entity: name, mesh: name },
    surface: { material, tint: null, palette },
    mesh,
    cells,
  };
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value));
