// What the renderer draws of a source's Scene, as a cook would show it in full detail: the same materials, textures and
// triangles, but nothing is planned, merged or stored. Vertex colours are drawn as they are.

import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { FLOAT_UVS } from '../formats/floatMesh.ts';
import type { Mesh } from '../geometry/mesh/mesh.ts';
import { prepareMesh } from '../geometry/mesh/prepare.ts';
import { placeMesh } from '../geometry/mesh/transform.ts';
import type { Finish, RasterMaterial, RasterMesh } from '../raster/scene.ts';
import { buildTexture, type Texture } from '../raster/texture.ts';
import type { Scene, ScenePrimitive } from '../scene/types.ts';
import { decodeImageFile } from '../textures/encode/png.ts';
import { type PrepareOptions, prepareMaterials } from '../textures/prepare.ts';
import { lightThroughMaterial } from '../textures/seenThrough.ts';
import type { PreparedMaterial, PreparedMaterials, PreparedTexture } from '../textures/types.ts';
import { DEFAULT_MATERIAL } from '../workers/jobs.ts';
import { throwIfAborted } from './interruption.ts';
import { authoredLevels, withoutMeshesOf } from './steps/read/authoredLevels.ts';
import { uvReader } from './steps/textures/uvTriangles.ts';
import { materialOf } from './steps/textures/vertexColors.ts';

async function textureOf({ bytes }: PreparedTexture): Promise<Texture | null> {
  const pixels = bytes && (await decodeImageFile(bytes));
  return pixels && buildTexture(pixels.data, pixels.width, pixels.height);
}

/** The surfaces of prepared materials; each texture is decoded once. */
export class DrawnMaterials {
  readonly #materials: readonly PreparedMaterial[];
  readonly #textures: readonly PreparedTexture[];
  readonly #mirrors: boolean;
  readonly #decode: (texture: PreparedTexture) => Promise<Texture | null>;
  readonly #decoded = new Map<number, Promise<Texture | null>>();
  readonly #surfaces = new Map<number, Promise<RasterMaterial>>();

  /** `decode`: null for a texture that cannot be read. `mirrors`: whether surfaces get what their reflections need. */
  constructor(
    { materials, textures }: PreparedMaterials,
    decode: (texture: PreparedTexture) => Promise<Texture | null>,
    mirrors = false,
  ) {
    this.#mirrors = mirrors;
    this.#materials = materials;
    this.#textures = textures;
    this.#decode = decode;
  }

  material(index: number): PreparedMaterial {
    return index < 0 ? DEFAULT_MATERIAL : this.#materials[index];
  }

  surface(index: number): Promise<RasterMaterial> {
    const known = this.#surfaces.get(index) ?? this.#surface(this.material(index));
    this.#surfaces.set(index, known);
    return known;
  }

  async #surface(material: PreparedMaterial): Promise<RasterMaterial> {
    const { baseColor, emissive, alphaMode, alphaCutoff, slots } = material;
    const transmission = lightThroughMaterial(material);
    const isGlowing = emissive.some((value) => value > 0);
    const baseColorTexture = await this.#texture(slots.baseColor);
    const emissiveTexture = isGlowing ? await this.#texture(slots.emissive) : null;
    const finish = this.#mirrors ? await this.#finish(material) : null;
    return {
      baseColor,
      emissive,
      alphaMode,
      alphaCutoff,
      transmission,
      ...(material.unlit === 'kept' ? { isUnlit: true } : {}),
      baseColorTexture,
      emissiveTexture,
      finish,
    };
  }

  async #finish({ metallic, roughness, metallicChannel, roughnessChannel, slots }: PreparedMaterial): Promise<Finish> {
    const metallicTexture = metallic > 0 ? await this.#texture(slots.metallic) : null;
    const roughnessTexture = await this.#texture(slots.roughness);
    return { metallic, roughness, metallicTexture, roughnessTexture, metallicChannel, roughnessChannel };
  }

  #texture(slot: number): Promise<Texture | null> {
    if (slot < 0) return Promise.resolve(null);
    const known = this.#decoded.get(slot) ?? this.#decode(this.#textures[slot]);
    this.#decoded.set(slot, known);
    return known;
  }
}

/** The renderer draws unlit surfaces as such. */
const DRAWN: PrepareOptions = { missingTexture: 'drop', keepsUnlit: () => true };

/** What the renderer needs of materials. */
export type DrawnSurfaces = Pick<DrawnMaterials, 'material' | 'surface'>;

/** Some materials of a scene as it has them. What is wrong with their textures is told elsewhere. */
export async function surfacesOf(scene: Scene, wanted: ReadonlySet<number>): Promise<DrawnSurfaces> {
  const materials = scene.materials.map((material, i) => (wanted.has(i) ? material : { ...material, textures: {} }));
  const reader = uvReader(scene, placedMeshes(scene));
  const bare = { ...scene, materials };
  return new DrawnMaterials(await prepareMaterials(bare, DRAWN, reader, new Diagnostics()), textureOf);
}

interface Part {
  readonly mesh: Mesh;
  readonly path: string;
  readonly surface: RasterMaterial;
}

/** The parts of a primitive in mesh space, one for each material. What a cook would repair of them is repaired in silence. */
async function partsOf(primitive: ScenePrimitive, materials: DrawnSurfaces, file: string): Promise<Part[]> {
  if (primitive.triangleCount === 0) return [];
  const polygons = await primitive.read();
  const parts: Part[] = [];
  for (const subset of [-1, ...primitive.subsets.keys()]) {
    const index = materialOf(primitive, subset);
    const { uv, usesVertexColors } = materials.material(index);
    const request = {
      subset,
      uv,
      color: usesVertexColors ? 'store' : 'white',
      attributes: ['normal', 'uv0', 'color0'],
      uvLimits: FLOAT_UVS,
    } as const;
    const { path } = primitive;
    const mesh = await prepareMesh(polygons, request, new Diagnostics(), { file, path });
    if (mesh !== null) parts.push({ mesh, path, surface: await materials.surface(index) });
  }
  return parts;
}

/** The meshes of a scene in world space, the finest levels of those that artists have made. Reports what is wrong with its textures; throws what reading it throws. */
export async function drawScene(
  source: Scene,
  diagnostics: Diagnostics,
  signal: AbortSignal | undefined,
): Promise<RasterMesh[]> {
  // Groups that are not in order are for a cook to report.
  const scene = withoutMeshesOf(source, authoredLevels(source, new Diagnostics()).hidden);
  const reader = uvReader(scene, placedMeshes(scene));
  const prepared = await prepareMaterials(scene, DRAWN, reader, diagnostics);
  return drawnMeshes(scene, new DrawnMaterials(prepared, textureOf, true), signal);
}

const placedMeshes = ({ nodes }: Scene): Set<number> =>
  new Set(nodes.map(({ mesh }) => mesh).filter((mesh) => mesh >= 0));

/** The meshes of a scene in world space with surfaces of its materials. Throws what reading it throws. */
export async function drawnMeshes(
  scene: Scene,
  drawn: DrawnSurfaces,
  signal: AbortSignal | undefined,
): Promise<RasterMesh[]> {
  const parts = new Map<number, readonly Part[]>();
  for (const index of placedMeshes(scene)) {
    throwIfAborted(signal);
    const ofMesh: Part[] = [];
    for (const primitive of scene.meshes[index].primitives) {
      ofMesh.push(...(await partsOf(primitive, drawn, scene.source)));
    }
    parts.set(index, ofMesh);
  }
  return scene.nodes.flatMap(({ mesh: index, world }) =>
    (parts.get(index) ?? []).map(({ mesh, path, surface }): RasterMesh => {
      const { positions, attributes, indices } = placeMesh(mesh, world, new Diagnostics(), {
        file: scene.source,
        path,
      });
      const { normal: normals, uv0 = null, color0 = null } = attributes;
      return { positions, normals, uv0, color0, indices, surface };
    }),
  );
}
