// Lays the KayKit City Builder Bits (CC0, kaylousberg.com) out as a town and writes it as one GLB:
//
//   npx tsx samples/kaykit.ts PARTS_FOLDER OUT.glb [SEED]
//
// PARTS_FOLDER holds the pack's .gltf files. The parts are other people's work: the town is not written into the project.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { Document, type Material, type Mesh, type Node, NodeIO } from '@gltf-transform/core';
import { kaykitLayout } from './kaykitLayout.ts';

/** Metres for each unit of the parts: a tile becomes 12 m wide, a storey a little over 4 m high. */
const METRES = 6;

class Refusal extends Error {}

/** A part in the new document: what each of its drawn nodes is called, where it stands and what it draws. */
interface Part {
  readonly name: string;
  readonly matrix: Parameters<Node['setMatrix']>[0];
  readonly mesh: Mesh;
}

/** Copies meshes of part files into one document; materials and images that are equal become one. */
class Town {
  readonly document = new Document();
  readonly #buffer = this.document.createBuffer();
  readonly #materials = new Map<string, Material>();
  readonly #io = new NodeIO();

  async part(file: string): Promise<Part[]> {
    const source = await this.#io.read(file).catch((error: Error) => {
      throw new Refusal(`${file} cannot be read: ${error.message}`);
    });
    const root = source.getRoot();
    if (root.listExtensionsUsed().length > 0) throw new Refusal(`${file} uses extensions, which are not copied`);
    const scene = root.getDefaultScene() ?? root.listScenes()[0];
    const parts: Part[] = [];
    scene?.traverse((node) => {
      const mesh = node.getMesh();
      if (mesh) parts.push({ name: node.getName(), matrix: node.getWorldMatrix(), mesh: this.#mesh(mesh, file) });
    });
    if (parts.length === 0) throw new Refusal(`${file} draws nothing`);
    return parts;
  }

  #mesh(mesh: Mesh, file: string): Mesh {
    const copy = this.document.createMesh(mesh.getName());
    for (const primitive of mesh.listPrimitives()) {
      const made = this.document.createPrimitive().setMode(primitive.getMode());
      for (const semantic of primitive.listSemantics()) {
        made.setAttribute(semantic, this.#accessor(primitive.getAttribute(semantic)));
      }
      const indices = primitive.getIndices();
      const material = primitive.getMaterial();
      if (indices) made.setIndices(this.#accessor(indices));
      if (material) made.setMaterial(this.#material(material, file));
      copy.addPrimitive(made);
    }
    return copy;
  }

  #accessor(accessor: ReturnType<Document['createAccessor']> | null) {
    if (!accessor) return null;
    return this.document
      .createAccessor()
      .setType(accessor.getType())
      .setArray(accessor.getArray())
      .setNormalized(accessor.getNormalized())
      .setBuffer(this.#buffer);
  }

  #material(material: Material, file: string): Material {
    const textures = [material.getNormalTexture(), material.getOcclusionTexture(), material.getEmissiveTexture()];
    if (textures.some((texture) => texture) || material.getMetallicRoughnessTexture()) {
      throw new Refusal(`${file} has textures besides that of the base colour, which are not copied`);
    }
    const image = material.getBaseColorTexture()?.getImage() ?? null;
    const factors = {
      name: material.getName(),
      color: material.getBaseColorFactor(),
      metallic: material.getMetallicFactor(),
      roughness: material.getRoughnessFactor(),
      emissive: material.getEmissiveFactor(),
      alpha: [material.getAlphaMode(), material.getAlphaCutoff(), material.getDoubleSided()],
    };
    const key = JSON.stringify([factors, image && createHash('sha256').update(image).digest('hex')]);
    const known = this.#materials.get(key);
    if (known) return known;
    const made = this.document
      .createMaterial(factors.name)
      .setBaseColorFactor(factors.color)
      .setMetallicFactor(factors.metallic)
      .setRoughnessFactor(factors.roughness)
      .setEmissiveFactor(factors.emissive)
      .setAlphaMode(material.getAlphaMode())
      .setAlphaCutoff(material.getAlphaCutoff())
      .setDoubleSided(material.getDoubleSided());
    if (image) {
      const texture = material.getBaseColorTexture() as NonNullable<ReturnType<Material['getBaseColorTexture']>>;
      made.setBaseColorTexture(
        this.document.createTexture(texture.getName()).setMimeType(texture.getMimeType()).setImage(image),
      );
    }
    this.#materials.set(key, made);
    return made;
  }

  bytes(): Promise<Uint8Array> {
    return this.#io.writeBinary(this.document);
  }
}

/** The town as a GLB. Throws a Refusal that names what is missing or cannot be copied. */
export async function townGlb(folder: string, seed: number, blocks?: number): Promise<Uint8Array> {
  const placements = kaykitLayout(seed, blocks);
  const names = [...new Set(placements.map(({ part }) => part))].sort();
  const missing = names.filter((name) => !existsSync(join(folder, `${name}.gltf`)));
  if (missing.length > 0) throw new Refusal(`${folder} lacks ${missing.map((name) => `${name}.gltf`).join(', ')}`);
  const town = new Town();
  const parts = new Map<string, Part[]>();
  for (const name of names) parts.set(name, await town.part(join(folder, `${name}.gltf`)));
  const top = town.document.createNode('Town').setScale([METRES, METRES, METRES]);
  const counts = new Map<string, number>();
  for (const { part, at, turn, scale } of placements) {
    const number = (counts.get(part) ?? 0) + 1;
    counts.set(part, number);
    const half = (turn * Math.PI) / 360;
    const node = town.document
      .createNode(`${part}_${number}`)
      .setTranslation(at)
      .setRotation([0, Math.sin(half), 0, Math.cos(half)])
      .setScale([scale, scale, scale]);
    for (const { name, matrix, mesh } of parts.get(part) as Part[]) {
      node.addChild(town.document.createNode(name).setMatrix(matrix).setMesh(mesh));
    }
    top.addChild(node);
  }
  town.document.getRoot().setDefaultScene(town.document.createScene('kaykit').addChild(top));
  return town.bytes();
}

/** A path by the real one of the nearest folder above that exists. */
function realPlace(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPlace(dirname(path)), basename(path));
}

/** Does what the words of the command line say. */
async function make(words: readonly string[]): Promise<void> {
  const [folder, out, seedWord = '1'] = words;
  if (words.length < 2 || words.length > 3) {
    throw new Refusal('usage: npx tsx samples/kaykit.ts PARTS_FOLDER OUT.glb [SEED]');
  }
  const seed = Number(seedWord);
  if (!/^\d{1,9}$/.test(seedWord))
    throw new Refusal(`the seed is ${seedWord}, not a whole number of up to nine digits`);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Refusal(`${folder} is not a folder`);
  if (!out.endsWith('.glb')) throw new Refusal(`${out} does not end in .glb`);
  const place = realPlace(resolve(out));
  const project = realpathSync(resolve(import.meta.dirname, '..'));
  if (`${place}${sep}`.startsWith(`${project}${sep}`)) {
    throw new Refusal(`${out} lies inside the project, where other people's parts have no place`);
  }
  const bytes = await townGlb(folder, seed);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, bytes);
}

/** Runs the script; gives its exit code, and what it says. */
export async function run(words: readonly string[]): Promise<{ code: number; said: string }> {
  try {
    await make(words);
    return { code: 0, said: '' };
  } catch (error) {
    const isSystem = error instanceof Error && 'code' in error;
    if (!(error instanceof Refusal) && !isSystem) throw error;
    return { code: error instanceof Refusal ? 2 : 3, said: `${error.message}\n` };
  }
}

if (import.meta.filename === process.argv[1]) {
  const { code, said } = await run(process.argv.slice(2));
  process.stderr.write(said);
  process.exitCode = code;
}
