// The materials of a Scene: those bound to drawn shapes, and those of unbound shapes. Material prims that arcs bring in
// from the same opinions share one material.

import type { Scene, SceneMaterial, TextureUse } from '../../../scene/types.ts';
import type { Stage, StagePrim } from '../compose/stage/stage.ts';
import { numberOf } from '../compose/values/values.ts';
import type { Notes } from '../notes.ts';
import { Origins } from '../origins.ts';
import { type BindingPurpose, Bindings } from './binding.ts';
import { displacementTexture } from './displacement.ts';
import { ImageTable, type ResolveAsset } from './images.ts';
import { isMaterialXSurface, materialXSurface } from './materialXSurface.ts';
import { Evaluator } from './network/evaluate.ts';
import { Network, shaderId } from './network/network.ts';
import { displaySurface, foreignSurface, isPreviewSurface, MISSING_SURFACE, previewSurface } from './surface.ts';
import type { UsdSurface } from './surfaceReader.ts';
import type { ShadeContext } from './texture.ts';

/** The primvars that a material needs from a mesh. */
export interface MaterialUse {
  /** Index into Scene.materials. */
  readonly index: number;
  /** The primvars with the texture coordinates of the material's textures. */
  readonly uvSets: readonly string[];
  /** Whether the material names no UV set for one of its textures (UC1907). */
  readonly guessesUvs: boolean;
  readonly colorPrimvar: string | null;
  readonly opacityPrimvar: string | null;
}

/** The surface shader of a Material: a UsdPreviewSurface, a MaterialX surface, or one of another renderer. */
type SurfaceShader =
  | { readonly kind: 'preview' | 'materialX' | 'foreign'; readonly node: StagePrim }
  | { readonly kind: 'none' };

function isReadable({ kind }: SurfaceShader): boolean {
  return kind === 'preview' || kind === 'materialX';
}

function shaderName(shader: StagePrim): string {
  return shaderId(shader) || 'a shader without an identifier';
}

/** The surface outputs of a Material: the universal one, then those of render contexts in property order. */
function surfaceOutputs(material: StagePrim): string[] {
  const first = ['outputs:surface', 'outputs:glslfx:surface'];
  const others = material.propertyNames().filter((name) => /^outputs:[^:]+:surface$/.test(name));
  return [...new Set([...first, ...others])];
}

export class MaterialTable {
  readonly #bindings: Bindings;
  readonly #network: Network;
  readonly #images: ImageTable;
  readonly #notes: Notes;
  readonly #context: ShadeContext;
  readonly #uses = new Map<string, MaterialUse>();
  readonly #materials: { readonly name: string; readonly path: string; readonly surface: UsdSurface }[] = [];
  readonly #doubleSided = new Set<number>();
  readonly #origins = new Origins();
  readonly #shared = new Map<string, MaterialUse>();
  readonly #shaders = new Map<string, SurfaceShader>();

  /** `wanted` is the preferred purpose of bindings. `keepsLayers`: ImportOptions.keepsMaterials. */
  constructor(
    stage: Stage,
    resolve: ResolveAsset,
    notes: Notes,
    wanted: BindingPurpose = 'preview',
    keepsLayers = false,
  ) {
    this.#bindings = new Bindings(stage, notes, wanted);
    this.#network = new Network(stage, notes);
    this.#images = new ImageTable(resolve, notes);
    this.#notes = notes;
    const evaluator = new Evaluator(this.#network, notes);
    this.#context = { network: this.#network, evaluator, images: this.#images, notes, keepsLayers };
  }

  /** The material bound to a shape or subset; null if there is none. */
  bound(prim: StagePrim): MaterialUse | null {
    const material = this.#choose(prim);
    if (material === null) return null;
    return this.#uses.get(material.path) ?? this.#addBound(material);
  }

  /**
   * The material that unbound shapes share. It has no prim, so its path is empty. `default` is grey 0.18;
   * `displayColor` is white and multiplied by vertex colours. With displayOpacity, the name ends in `_transparent`.
   */
  unbound(color: boolean, opacity: boolean): MaterialUse {
    const name = `${color ? 'displayColor' : 'default'}${opacity ? '_transparent' : ''}`;
    return this.#uses.get(`\0${name}`) ?? this.#add(`\0${name}`, name, '', displaySurface(color, opacity), false);
  }

  /**
   * Marks a material as double-sided. In USD, shapes are double-sided; here a material is if one of its shapes is.
   */
  markDoubleSided(use: MaterialUse): void {
    this.#doubleSided.add(use.index);
  }

  finish(): Pick<Scene, 'materials' | 'images'> {
    const materials = this.#materials.map(({ name, path, surface }, index): SceneMaterial => {
      const { colorPrimvar, opacityPrimvar, ...rest } = surface;
      const usesVertexColors = colorPrimvar !== null || opacityPrimvar !== null;
      return { name, path, ...rest, doubleSided: this.#doubleSided.has(index), usesVertexColors };
    });
    return { materials, images: this.#images.images };
  }

  /** What a Material says whose surface is one of MaterialX; null: its surface is another, or it has none. */
  materialXSurface(material: StagePrim): UsdSurface | null {
    return this.#shaderOf(material).kind === 'materialX' ? this.#read(material) : null;
  }

  get images(): Scene['images'] {
    return this.#images.images;
  }

  /**
   * The Material of the most preferred binding. A Material bound for purpose full is often made for another renderer;
   * if its surface cannot be read, the next binding with a readable surface is used (UC1968). Null if nothing is bound
   * or the target is not a Material.
   */
  #choose(prim: StagePrim): StagePrim | null {
    const candidates = this.#bindings.candidates(prim);
    const [first, ...others] = candidates;
    if (first === undefined) return null;
    const material = this.#bindings.material(first.material, prim);
    if (material !== null && first.purpose === 'full' && others.length > 0) {
      const shader = this.#shaderOf(material);
      const next = isReadable(shader) ? undefined : others.find(({ material: path }) => this.#isReadable(path));
      if (next) {
        const what = shader.kind === 'none' ? 'it has no surface' : `its surface is ${shaderName(shader.node)}`;
        this.#notes.report('UC1968', material.path, `${what}; ${next.material} is used instead`);
        const leftOut = others.filter((candidate) => candidate !== next);
        this.#bindings.noteChoice(leftOut, next, prim);
        return this.#bindings.find(next.material);
      }
    }
    if (material !== null) this.#bindings.noteChoice(candidates, first, prim);
    return material;
  }

  #isReadable(path: string): boolean {
    const material = this.#bindings.find(path);
    return material !== null && isReadable(this.#shaderOf(material));
  }

  /** Adds a bound Material. Materials of the same name, opinions and surface share one entry. */
  #addBound(material: StagePrim): MaterialUse {
    const { name, path } = material;
    const before = this.#notes.guessedUvs;
    const surface = this.#read(material);
    const guesses = this.#notes.guessedUvs > before;
    const origins = this.#origins.of(material);
    if (origins === null) return this.#add(path, name, path, surface, guesses);
    const key = `${name}\n${origins}\n${JSON.stringify(surface)}`;
    const like = this.#shared.get(key);
    const use = like ?? this.#add(path, name, path, surface, guesses);
    this.#shared.set(key, use);
    this.#uses.set(path, use);
    return use;
  }

  #add(key: string, name: string, path: string, surface: UsdSurface, guessesUvs: boolean): MaterialUse {
    const uvSets = new Set(Object.values(surface.textures).map((use) => use.uvSet));
    const use: MaterialUse = {
      index: this.#materials.length,
      uvSets: [...uvSets],
      guessesUvs,
      colorPrimvar: surface.colorPrimvar,
      opacityPrimvar: surface.opacityPrimvar,
    };
    this.#materials.push({ name, path, surface });
    this.#uses.set(key, use);
    return use;
  }

  #read(material: StagePrim): UsdSurface {
    const height = this.#heightOf(material);
    const surface = this.#surfaceOf(material, height !== null);
    return height === null ? surface : { ...surface, textures: { ...surface.textures, height } };
  }

  /** The texture that displaces the surface; a displacement that is none has no counterpart in the engine (UC1914). */
  #heightOf(material: StagePrim): TextureUse | null {
    const output = material.propertyNames().find((name) => /^outputs:(?:mtlx:)?displacement$/.test(name));
    const source = output === undefined ? null : this.#network.follow(material.attribute(output));
    if (source?.kind !== 'node') return null;
    const height = displacementTexture(source.node, this.#context);
    if (height === null) this.#notes.report('UC1914', material.path, `not carried over: ${output}`);
    return height;
  }

  #surfaceOf(material: StagePrim, isDisplaced: boolean): UsdSurface {
    const context = this.#context;
    const shader = this.#shaderOf(material);
    switch (shader.kind) {
      case 'preview':
        return previewSurface(shader.node, context, isDisplaced);
      case 'materialX':
        return materialXSurface(shader.node, context);
      case 'foreign': {
        const what = `the surface is ${shaderName(shader.node)}; only its constants are carried over`;
        this.#notes.report('UC1903', material.path, what);
        return foreignSurface(shader.node, context);
      }
      case 'none':
        this.#notes.report('UC1904', material.path, 'no surface output leads to a shader');
        return MISSING_SURFACE;
    }
  }

  #shaderOf(material: StagePrim): SurfaceShader {
    const known = this.#shaders.get(material.path);
    if (known) return known;
    const shader = this.#findShader(material);
    this.#shaders.set(material.path, shader);
    return shader;
  }

  #findShader(material: StagePrim): SurfaceShader {
    let known: StagePrim | null = null;
    let other: StagePrim | null = null;
    for (const name of surfaceOutputs(material)) {
      const source = this.#network.follow(material.attribute(name));
      const node = source.kind === 'node' ? this.#singleSurface(source.node) : null;
      if (node === null) continue;
      if (isPreviewSurface(shaderId(node))) return { kind: 'preview', node };
      if (isMaterialXSurface(node)) known ??= node;
      else other ??= node;
    }
    if (known) return { kind: 'materialX', node: known };
    return other ? { kind: 'foreign', node: other } : { kind: 'none' };
  }

  /** Follows MaterialX nodes that mix surfaces or pass them on to the one surface that is used (UC1965). */
  #singleSurface(start: StagePrim): StagePrim {
    const seen = new Set<StagePrim>();
    let node = start;
    while (!seen.has(node)) {
      seen.add(node);
      const id = shaderId(node);
      const isMix = id === 'ND_mix_surfaceshader';
      if (!isMix && id !== 'ND_dot_surfaceshader') return node;
      const amount = isMix ? numberOf(this.#network.value(node, 'mix')?.value) : null;
      const isBackground = isMix && amount === 0;
      const source = this.#network.input(node, isMix ? (isBackground ? 'bg' : 'fg') : 'in');
      if (source.kind !== 'node') return node;
      if (isMix && amount !== 0 && amount !== 1)
        this.#notes.report('UC1965', node.path, `of the mixed surfaces, ${source.node.path} is used`);
      node = source.node;
    }
    return node;
  }
}
