// Meshes of a cook, prepared from their polygons when a payload first takes them.

import { Diagnostics } from '../../diagnostics/diagnostic.ts';
import type { Format, MeshMaterial, VariantSurface } from '../../formats/format.ts';
import type { SourceLocation } from '../../geometry/mesh/location.ts';
import type { Mesh } from '../../geometry/mesh/mesh.ts';
import { type KeptTangents, type MeshRequest, prepareMesh } from '../../geometry/mesh/prepare.ts';
import { uvAffine } from '../../scene/gltfMaterial.ts';
import type { PolygonMesh, UvChoice } from '../../scene/types.ts';
import type { PreparedMaterial } from '../../textures/types.ts';
import type { FaceColor, MeshMaterialIndex, MeshMaterials, MeshSource, PayloadResult } from '../jobs.ts';

/** The triangles of a mesh that one material draws. */
export interface PreparedMesh {
  readonly mesh: Mesh;
  readonly surface: MeshMaterial;
  /** What it is drawn with in variants; absent: in none with something else. */
  readonly variants?: readonly VariantSurface[];
  /** Equal for parts that may be merged. */
  readonly key: string;
}

/** The material's UVs; where no texture asks for any, the mesh's first set, for textures that come later. */
function uvChoice(material: PreparedMaterial, { uvs }: PolygonMesh): UvChoice {
  if (material.uv.set !== null) return material.uv;
  const [first] = uvs.keys();
  return { set: first ?? null, transform: null };
}

/** What a material asks of meshes that is written as it is; undefined: it is not. */
function keptOf({ places, layers = [], slots }: PreparedMaterial): MeshRequest['keeps'] {
  if (!places) return undefined;
  const ofLayers = layers.flatMap(({ textures }) => Object.values(textures).map(({ place }) => place));
  const sets = [...Object.values(places), ...ofLayers].map(({ texCoord }) => texCoord);
  // The tangent space of the normal map, else that of the layers that have a direction: programs that make it themselves differ.
  const turned = layers.find(({ name }) => name === 'KHR_materials_anisotropy');
  const coat = layers.flatMap(({ textures }) => textures.clearcoatNormalTexture ?? []).at(0);
  const isTurned = slots.normal >= 0 || turned !== undefined || coat !== undefined;
  const place = slots.normal >= 0 ? places.normal : (turned?.textures.anisotropyTexture ?? coat)?.place;
  const along = { set: place?.texCoord ?? 0, transform: uvAffine(place?.transform ?? null) };
  return { sets, tangents: isTurned ? along : null };
}

/** What tangents along a place have in common with those along others: a shift changes none. */
const directionOf = ({ set, transform }: KeptTangents): string =>
  JSON.stringify([set, transform?.slice(0, 4) ?? [1, 0, 0, 1]]);

/**
 * The same of all materials that a mesh is drawn with, of which the first is its own. `isTorn`: several need tangents, and those of
 * one are wrong for another; then none are made.
 */
function keptUvs(materials: readonly PreparedMaterial[]): { keeps: MeshRequest['keeps']; isTorn: boolean } {
  if (!materials[0].places) return { keeps: undefined, isTorn: false };
  const all = materials.flatMap((material) => keptOf(material) ?? []);
  const sets = [...new Set(all.flatMap((one) => one.sets))];
  const needed = all.flatMap(({ tangents }) => tangents ?? []);
  const isTorn = new Set(needed.map(directionOf)).size > 1;
  return { keeps: { sets, tangents: isTorn ? null : (needed.at(0) ?? null) }, isTorn };
}

/** UC2478, where the source has no tangents either. */
function reportTorn({ normals, tangents }: PolygonMesh, diagnostics: Diagnostics, location: SourceLocation): void {
  if (normals && tangents) return;
  const message = 'normal maps of its variants use different texture coordinates: tangents are left to viewers';
  diagnostics.report('UC2478', location.file, location.path, message);
}

/** Meshes as their sources, prepared when first taken, until they are forgotten. */
export class PreparedMeshes {
  readonly surfaces: MeshMaterials;
  readonly format: Format;
  readonly #sources = new Map<number, MeshSource>();
  readonly #kept = new Map<number, readonly PreparedMesh[]>();
  #reported: { mesh: number; reported: Diagnostics['reported'] }[] = [];
  /** Work since others were let through. */
  #stretch = 0;

  constructor(surfaces: MeshMaterials, format: Format) {
    this.surfaces = surfaces;
    this.format = format;
  }

  /** Meshes that may be taken from now on; empties the list. */
  bring(sources: MeshSource[]): void {
    for (const source of sources) this.#sources.set(source.mesh, source);
    sources.length = 0;
  }

  /** Parts of the mesh for one placement, in order of primitives and subsets. */
  async take(mesh: number): Promise<readonly PreparedMesh[]> {
    const kept = this.#kept.get(mesh);
    if (kept) return kept;
    const source = this.#sources.get(mesh);
    if (!source) throw new Error(`mesh ${mesh} was not brought`);
    this.#sources.delete(mesh);
    const parts = await this.#prepare(source);
    this.#kept.set(mesh, parts);
    return parts;
  }

  forget(mesh: number): void {
    this.#kept.delete(mesh);
    this.#sources.delete(mesh);
  }

  /** Diagnostics of meshes that were prepared since the last call. */
  takeReported(): PayloadResult['prepared'] {
    const reported = this.#reported;
    this.#reported = [];
    return reported;
  }

  async #prepare({ mesh: index, primitives }: MeshSource): Promise<readonly PreparedMesh[]> {
    const { scene } = this.surfaces;
    const { attributes, uvs } = this.format;
    const diagnostics = new Diagnostics();
    const parts: PreparedMesh[] = [];
    for (const { faces, polygons: polygonsOrRead } of primitives) {
      if (this.#stretch >= LONG_STRETCH) {
        this.#stretch = 0;
        await yieldToEvents();
      }
      const polygons = typeof polygonsOrRead === 'function' ? await polygonsOrRead() : polygonsOrRead;
      this.#stretch += PRIMITIVE_WORK + polygons.corners.length;
      for (const { subset, path, material, color, variants = [] } of faces) {
        const index = indexOf(material, color);
        const surface = this.surfaces.surface(index);
        const others = variants.map(({ material, variants }) => ({
          surface: this.surfaces.surface({ material, tint: null, palette: -1 }),
          variants,
        }));
        const { keeps, isTorn } = keptUvs([surface.material, ...others.map((other) => other.surface.material)]);
        if (isTorn) reportTorn(polygons, diagnostics, { file: scene.source, path });
        const request = {
          subset,
          uv: uvChoice(surface.material, polygons),
          keeps,
          color: requestedColor(color),
          drawsColors: this.format.drawsColors,
          hasTextures: this.format.textures.length > 0,
          attributes,
          tangentTurn: surface.material.tangentTurn,
          uvLimits: uvs,
          textureSize: this.surfaces.textureSize(surface.material),
        } as const;
        const mesh = await prepareMesh(polygons, request, diagnostics, { file: scene.source, path });
        if (mesh === null) continue;
        const { tint, palette } = index;
        const texture = palette < 0 ? '' : this.surfaces.scene.palettes[palette].fileName;
        // Tangents that a source does not give are made by who draws it: they are not those that stand for none when meshes are merged.
        const isBare = surface.material.places !== undefined && !mesh.attributes.tangent;
        const key = `${material}|${tint?.join(',') ?? ''}|${texture}${isBare ? '|bare' : ''}${others.length > 0 ? JSON.stringify(variants) : ''}`;
        parts.push({ mesh, surface, key, ...(others.length > 0 ? { variants: others } : {}) });
      }
    }
    this.#reported.push({ mesh: index, reported: diagnostics.reported });
    return parts;
  }
}

function indexOf(material: number, color: FaceColor): MeshMaterialIndex {
  const tint = color.kind === 'tint' ? color.tint : null;
  return { material, tint, palette: 'palette' in color ? color.palette : -1 };
}

function requestedColor(color: FaceColor): MeshRequest['color'] {
  switch (color.kind) {
    case 'palette':
      return { palette: color.cells };
    case 'baked':
      return { baked: color.colors };
    case 'store':
      return 'store';
    default:
      return 'white';
  }
}

/** Corners that are prepared in about 10 ms, and what a primitive costs besides, in corners. */
const LONG_STRETCH = 100_000;
const PRIMITIVE_WORK = 50;

/** Lets signals and progress through between two long stretches of work. */
export const yieldToEvents = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
