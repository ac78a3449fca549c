// The materials of a proxy baked: its opaque surface is simplified without regard to materials, split into charts, and each chart
// gets a picture of the full detail that lies there, in one atlas. A texel is a pixel from where the proxy is first shown,
// so a window or a door stays to be seen after its triangles are gone. Normal, occlusion, roughness and metalness maps are
// not seen from there.

import type { DrawnMesh, MeshMaterial } from '../../formats/format.ts';
import { rounded } from '../../formats/rounded.ts';
import { chartsOf } from '../../geometry/hlod/charts.ts';
import { type ChartMap, withChartUvs } from '../../geometry/hlod/chartUvs.ts';
import type { Float32Mesh } from '../../geometry/mesh/mesh.ts';
import { joinMeshes } from '../../geometry/mesh/united.ts';
import { type ChartAtlas, chartAtlas, haveRoom } from '../../textures/atlas/chartAtlas.ts';
import type { ChartPicture, ColorSource, Rgb, Tinted } from '../../textures/atlas/chartPicture.ts';
import type { Mips } from '../../textures/atlas/mips.ts';
import { isSolid } from '../../textures/seenThrough.ts';
import type { PaintedTexture, PreparedMaterial } from '../../textures/types.ts';
import { type ChartedMesh, chartPictures, type PaintedDetail, texelsOf } from './chartPictures.ts';
import { mipsOfMade } from './madeTextures.ts';
import type { ProxyFormat } from './mergeMaterials.ts';
import { type AtlasedMesh, drawnWith, type ProxyMaterials } from './proxyMaterials.ts';
import { kindMaterial, kindOf } from './surfaceKinds.ts';

/** By how much texels grow until all charts have room. */
const GROWTH = 1.2;

/** The image of a base colour or emission texture by its index; null: there is none that can be read. */
export type ProxyImages = (texture: number) => Promise<Mips | null>;

export interface BakeRequest {
  /** The tile or the cluster. */
  readonly name: string;
  /** What the proxy stands for. */
  readonly detail: readonly DrawnMesh[];
  readonly images: ProxyImages;
  readonly format: ProxyFormat;
  /** Pixels along the atlas's longer side at most. */
  readonly textureSize: number;
  /** Metres that a pixel covers from where a proxy that deviates by `error` metres is first shown. */
  readonly pixelAt: (error: number) => number;
  /** Changes the meshes that are not baked; absent: they stay as they are. */
  readonly arrange?: (others: readonly DrawnMesh[]) => Promise<readonly DrawnMesh[]>;
}

/** Meshes with where they have their colours from. */
interface Bakeable extends PaintedDetail {
  readonly others: readonly DrawnMesh[];
}

/**
 * The materials of a proxy made from `near`, the level before it. Opaque surfaces are joined, one mesh for each kind
 * (surfaceKinds.ts); others are drawn as they are, after those.
 */
export async function bakeProxy(near: readonly DrawnMesh[], request: BakeRequest): Promise<ProxyMaterials> {
  const { meshes, others } = await bakeable(near, request);
  const rest = (await request.arrange?.(others)) ?? others;
  return bakeOnto([...(await joinKinds(meshes, request.name)), ...rest], request);
}

/** The same materials on a surface that is simplified with other materials, as mergeMaterials gives them: borders of those stay. */
export async function bakeOnto(parts: readonly AtlasedMesh[], request: BakeRequest): Promise<ProxyMaterials> {
  const detail = await bakeable(request.detail, request);
  const opaque = new Set((await bakeable(parts, request)).meshes);
  return {
    parts,
    finish: async (simplified, error) => {
      const pick = (baked: boolean) =>
        drawnWith(
          parts,
          simplified.map((mesh, i) => (opaque.has(parts[i]) === baked ? mesh : null)),
        );
      const bare = await joinKinds(pick(true), request.name);
      return bare.length === 0 ? pick(false) : [...(await paint(bare, detail, error, request)), ...pick(false)];
    },
  };
}

/** One mesh for each kind, without UVs. */
async function joinKinds(meshes: readonly DrawnMesh[], name: string): Promise<DrawnMesh[]> {
  const kinds = new Map<string, DrawnMesh[]>();
  for (const mesh of meshes) {
    const kind = kindOf(mesh.surface.material);
    kinds.set(kind, [...(kinds.get(kind) ?? []), mesh]);
  }
  const joined: DrawnMesh[] = [];
  for (const [kind, members] of kinds) {
    const own = `${name}_${kind}`;
    joined.push({
      naming: { entity: own, mesh: own },
      surface: { material: kindMaterial(own, members), tint: null, palette: null },
      mesh: await joinMeshes(members.map(({ mesh }) => withoutUvs(mesh))),
    });
  }
  return joined;
}

/** Whether merged materials would lose colours: there is a texture, or more than one colour. */
export function isWorthBaking(detail: readonly DrawnMesh[]): boolean {
  const colors = new Set<string>();
  for (const { surface } of detail) {
    if (!isSolid(surface.material)) continue;
    if (surface.palette || surface.material.slots.baseColor >= 0) return true;
    colors.add([...factorOf(surface), ...surface.material.emissive].join());
  }
  return colors.size > 1;
}

async function bakeable(
  meshes: readonly DrawnMesh[],
  { images, format: { textures: files } }: Pick<BakeRequest, 'images' | 'format'>,
): Promise<Bakeable> {
  const own: DrawnMesh[] = [];
  const sources: ColorSource[] = [];
  const others: DrawnMesh[] = [];
  for (const mesh of meshes) {
    const source = isSolid(mesh.surface.material) ? await sourceOf(mesh.surface) : null;
    if (source === null) {
      others.push(mesh);
      continue;
    }
    own.push(mesh);
    sources.push(source);
  }
  return { meshes: own, sources, others };

  async function sourceOf(surface: MeshMaterial): Promise<ColorSource | null> {
    const { material, palette, emission } = surface;
    const color = await tinted(factorOf(surface), palette, material.slots.baseColor);
    const isDark = material.emissive.every((light) => light === 0);
    const light = isDark ? null : await tinted(material.emissive, emission ?? null, material.slots.emissive);
    return color === null || (light === null && !isDark) ? null : { color, emission: light };
  }

  /** Null: the image cannot be read. */
  async function tinted(factor: Rgb, made: PaintedTexture | null, texture: number): Promise<Tinted | null> {
    if (made === null && texture < 0) return { factor, mips: null };
    const mips = await (made === null ? images(texture) : mipsOfMade(made, files));
    return mips && { factor, mips };
  }
}

function factorOf({ material, tint }: MeshMaterial): Rgb {
  const factor = [0, 1, 2].map((c) => Math.max(0, Math.min(1, material.baseColor[c] * (tint?.[c] ?? 1))));
  return factor as unknown as Rgb;
}

function withoutUvs(mesh: Float32Mesh): Float32Mesh {
  return { ...mesh, attributes: { normal: mesh.attributes.normal } };
}

/** The meshes with charts, pictures of the detail and UVs. All share one atlas. */
async function paint(
  meshes: readonly DrawnMesh[],
  detail: PaintedDetail,
  error: number,
  { format, textureSize, pixelAt }: BakeRequest,
): Promise<DrawnMesh[]> {
  // 1. Charts, and texels as large as to give all of them room.
  let texel = pixelAt(error);
  const charted = meshes.map(({ mesh }): ChartedMesh => ({ mesh, charts: chartsOf(mesh, texel) }));
  const all = charted.flatMap(({ charts }) => charts);
  while (
    !haveRoom(
      all.map((chart) => texelsOf(chart, texel)),
      textureSize,
    )
  )
    texel *= GROWTH;

  // 2. Pictures. Those of one colour take less room, so only cells of many colours can make an atlas too large.
  let atlas: ChartAtlas | null = null;
  let pictures: ChartPicture[] = [];
  for (; ; texel *= GROWTH) {
    pictures = chartPictures(charted, detail, texel, Math.max(error, texel));
    atlas = await chartAtlas(pictures, textureSize, format.textures);
    if (atlas !== null) break;
  }
  const { texture, places } = atlas;

  // 3. UVs.
  const maps = places.map((place): ChartMap => {
    if ('uv' in place) return { origin: place.uv, scale: [0, 0] };
    const { x, y } = place.rect;
    const { width, height } = texture;
    return { origin: [x / width, 1 - y / height], scale: [1 / (texel * width), -1 / (texel * height)] };
  });
  const painted: DrawnMesh[] = [];
  let first = 0;
  for (const [i, { naming, surface, mesh }] of meshes.entries()) {
    const { charts } = charted[i];
    const end = first + charts.length;
    const split = await rounded(withChartUvs(mesh, charts, maps.slice(first, end)), format.round);
    const gives = pictures.slice(first, end).some(({ maxLight }) => maxLight > 0);
    const light = gives ? atlas.emission : null;
    painted.push({ naming, surface: paintedSurface(surface.material, texture, light), mesh: split });
    first = end;
  }
  return painted;
}

function paintedSurface(
  material: PreparedMaterial,
  texture: PaintedTexture,
  emission: ChartAtlas['emission'],
): MeshMaterial {
  if (emission === null) return { material, tint: null, palette: texture };
  const { factor, texture: light } = emission;
  return {
    material: { ...material, emissive: [factor, factor, factor] },
    tint: null,
    palette: texture,
    emission: light,
  };
}
