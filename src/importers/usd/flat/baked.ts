// A material of MaterialX as nodes of UsdPreviewSurface (UsdPreviewSurface specification 2.6): factors become constants, or scale
// and bias of textures. What such a surface cannot say is reported.

import type { Value } from '../../../formats/usdc/values.ts';
import type { CrateSpec } from '../../../formats/usdc/write.ts';
import type { TextureUse } from '../../../scene/types.ts';
import type { Stage, StagePrim } from '../compose/stage/stage.ts';
import type { Layer } from '../layer.ts';
import type { Notes } from '../notes.ts';
import type { ResolveAsset } from '../shade/images.ts';
import { MaterialTable } from '../shade/materials.ts';
import type { UsdSurface } from '../shade/surfaceReader.ts';
import type { FlatFiles } from './files.ts';
import { attribute, connected, prim, scalar, token, UNIFORM } from './specs.ts';

type Slot = 'baseColor' | 'opacity' | 'normal' | 'metallic' | 'roughness' | 'emissive' | 'occlusion';
type Four = readonly [number, number, number, number];

interface InputKind {
  readonly slot: Slot;
  readonly name: string;
  readonly type: 'color3f' | 'float' | 'normal3f';
}

/** The inputs of UsdPreviewSurface that a material is written to. */
const INPUTS: readonly InputKind[] = [
  { slot: 'baseColor', name: 'diffuseColor', type: 'color3f' },
  { slot: 'emissive', name: 'emissiveColor', type: 'color3f' },
  { slot: 'metallic', name: 'metallic', type: 'float' },
  { slot: 'roughness', name: 'roughness', type: 'float' },
  { slot: 'occlusion', name: 'occlusion', type: 'float' },
  { slot: 'opacity', name: 'opacity', type: 'float' },
  { slot: 'normal', name: 'normal', type: 'normal3f' },
];

const DEGREES = 180 / Math.PI;
/** Larger differences from a turn and a scale are a shear. */
const STRAIGHT = 1e-6;

const multiplied = (a: Four, by: Four): Four => [a[0] * by[0], a[1] * by[1], a[2] * by[2], a[3] * by[3]];

/** Scale and bias of a texture so that it gives the value of a slot, with the factor in it. */
function sampled(slot: Slot, surface: UsdSurface, { scale, bias }: TextureUse): { scale: Four; bias: Four } {
  if (slot === 'normal') {
    // Texels from 0 to 1 become vectors from -1 to 1, whose slopes the factor makes steeper.
    const steep: Four = [surface.normalScale, surface.normalScale, 1, 1];
    const offset: Four = [2 * bias[0] - 1, 2 * bias[1] - 1, 2 * bias[2] - 1, 0];
    return { scale: multiplied(multiplied(scale, [2, 2, 2, 1]), steep), bias: multiplied(offset, steep) };
  }
  if (slot === 'occlusion') {
    const strength = surface.occlusionStrength;
    const offset = (value: number) => 1 + strength * (value - 1);
    return {
      scale: multiplied(scale, [strength, strength, strength, strength]),
      bias: [offset(bias[0]), offset(bias[1]), offset(bias[2]), offset(bias[3])],
    };
  }
  const factor = factorOf(slot, surface);
  return { scale: multiplied(scale, factor), bias: multiplied(bias, factor) };
}

function factorOf(slot: Slot, surface: UsdSurface): Four {
  const grey = (value: number): Four => [value, value, value, value];
  if (slot === 'baseColor') return [surface.baseColor[0], surface.baseColor[1], surface.baseColor[2], 1];
  if (slot === 'emissive') return [surface.emissive[0], surface.emissive[1], surface.emissive[2], 1];
  if (slot === 'opacity') return grey(surface.baseColor[3]);
  if (slot === 'metallic' || slot === 'roughness') return grey(surface[slot]);
  return [1, 1, 1, 1];
}

/** A transform of UVs as turn, scale and translation; null: it shears. */
function turned([a, b, c, d, tx, ty]: NonNullable<TextureUse['transform']>) {
  const width = Math.hypot(a, b);
  if (width === 0 || Math.abs(a * c + b * d) > STRAIGHT * width * Math.hypot(c, d)) return null;
  return { rotation: Math.atan2(b, a) * DEGREES, scale: [width, (a * d - b * c) / width], translation: [tx, ty] };
}

interface Asset {
  readonly layer: Layer;
  readonly path: string;
  readonly element: string;
}

/** The nodes of a material below its path. */
class Nodes {
  readonly specs: CrateSpec[] = [];
  readonly names: string[] = [];
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Adds a shader and gives the path of its output. */
  add(name: string, id: string, inputs: readonly CrateSpec[], output: readonly [string, string]): string {
    const path = `${this.#path}/${name}`;
    const all = [
      attribute(`${path}.info:id`, 'token', token(id), [UNIFORM]),
      ...inputs,
      attribute(`${path}.outputs:${output[0]}`, output[1], null),
    ];
    this.names.push(name);
    this.specs.push(prim(path, 'Shader', all), ...all);
    return `${path}.outputs:${output[0]}`;
  }

  at(name: string, input: string): string {
    return `${this.#path}/${name}.inputs:${input}`;
  }
}

export interface BakedMaterial {
  /** The output of the surface. */
  readonly surface: string;
  readonly children: readonly string[];
  readonly specs: readonly CrateSpec[];
}

export class MaterialBaker {
  readonly #table: MaterialTable;
  readonly #assets = new Map<string, Asset>();
  /** What materials say; those of equal instances say the same. */
  readonly #surfaces = new Map<object, UsdSurface | null>();
  readonly #files: FlatFiles;
  readonly #notes: Notes;

  constructor(stage: Stage, resolve: ResolveAsset, files: FlatFiles, notes: Notes) {
    const noted: ResolveAsset = (layer, path, element) => {
      const asset = resolve(layer, path, element);
      if (!this.#assets.has(asset.file)) this.#assets.set(asset.file, { layer, path, element });
      return asset;
    };
    this.#table = new MaterialTable(stage, noted, notes);
    this.#files = files;
    this.#notes = notes;
  }

  /** The nodes of a material whose surface is one of MaterialX; null: it is another. `taken`: names that its children have. */
  bake(material: StagePrim, path: string, taken: readonly string[]): BakedMaterial | null {
    const key = material.prototype ?? material;
    const known = this.#surfaces.get(key);
    const surface = known === undefined ? this.#table.materialXSurface(material) : known;
    this.#surfaces.set(key, surface);
    if (surface === null) return null;
    let folder = 'PreviewSurface';
    while (taken.includes(folder)) folder += '_';
    const nodes = new Nodes(`${path}/${folder}`);
    const inputs: CrateSpec[] = [];
    for (const input of INPUTS) {
      const spec = this.#input(input, surface, nodes, material);
      if (spec) inputs.push(spec);
    }
    if (surface.alphaMode === 'mask') {
      inputs.push(attribute(nodes.at('Surface', 'opacityThreshold'), 'float', scalar('Float', surface.alphaCutoff)));
    }
    if (known === undefined) this.#note(material, surface);
    const output = nodes.add('Surface', 'UsdPreviewSurface', inputs, ['surface', 'token']);
    const scope = prim(`${path}/${folder}`, 'Scope', [], nodes.names);
    return { surface: output, children: [folder], specs: [scope, ...nodes.specs] };
  }

  #note(material: StagePrim, surface: UsdSurface): void {
    const lost = [
      ...(surface.transmission > 0 ? ['transmission'] : []),
      ...(surface.textures.height ? ['displacement'] : []),
      ...(surface.colorPrimvar === null && surface.opacityPrimvar === null ? [] : ['colours of vertices']),
    ];
    const without = lost.length > 0 ? `, without ${lost.join(' and ')}` : '';
    this.#notes.report('UC2474', material.path, `it is written as a UsdPreviewSurface${without}`);
  }

  #input({ slot, name, type }: InputKind, surface: UsdSurface, nodes: Nodes, material: StagePrim): CrateSpec | null {
    const at = nodes.at('Surface', name);
    if (slot === 'opacity' && surface.alphaMode === 'opaque') return null;
    const use = surface.textures[slot];
    const output = use && this.#texture(slot, use, surface, nodes, material);
    if (output) return connected(at, type, output);
    if (slot === 'normal' || slot === 'occlusion') return null;
    const factor = factorOf(slot, surface);
    const value: Value = type === 'float' ? scalar('Float', factor[3]) : scalar('Vec3f', factor.slice(0, 3));
    return attribute(at, type, value);
  }

  /** The nodes of a texture; null: its file is left out, which was reported. */
  #texture(slot: Slot, use: TextureUse, surface: UsdSurface, nodes: Nodes, material: StagePrim): string | null {
    const asset = this.#assets.get(this.#table.images[use.image].file);
    if (!asset) return null;
    const isColor = use.colorSpace === 'srgb';
    const file = this.#files.name(asset.layer, asset.path, asset.element, isColor ? 'color' : 'data');
    if (file === null) return null;
    const title = slot[0].toUpperCase() + slot.slice(1);
    const name = `${title}Texture`;
    const reader = `${title}Reader`;
    const varname = attribute(nodes.at(reader, 'varname'), 'string', scalar('String', use.uvSet));
    let uvs = nodes.add(reader, 'UsdPrimvarReader_float2', [varname], ['result', 'float2']);
    const transform = use.transform && turned(use.transform);
    if (use.transform && !transform) {
      this.#notes.report('UC2470', material.path, `the texture coordinates of ${slot} are sheared, which is left out`);
    }
    if (transform) {
      const place = `${title}Transform`;
      const inputs = [
        connected(nodes.at(place, 'in'), 'float2', uvs),
        attribute(nodes.at(place, 'rotation'), 'float', scalar('Float', transform.rotation)),
        attribute(nodes.at(place, 'scale'), 'float2', scalar('Vec2f', transform.scale)),
        attribute(nodes.at(place, 'translation'), 'float2', scalar('Vec2f', transform.translation)),
      ];
      uvs = nodes.add(place, 'UsdTransform2d', inputs, ['result', 'float2']);
    }
    const { scale, bias } = sampled(slot, surface, use);
    const inputs = [
      attribute(nodes.at(name, 'file'), 'asset', scalar('AssetPath', file)),
      attribute(nodes.at(name, 'sourceColorSpace'), 'token', token(isColor ? 'sRGB' : 'raw')),
      connected(nodes.at(name, 'st'), 'float2', uvs),
      attribute(nodes.at(name, 'wrapS'), 'token', token(use.wrapS)),
      attribute(nodes.at(name, 'wrapT'), 'token', token(use.wrapT)),
      attribute(nodes.at(name, 'scale'), 'float4', scalar('Vec4f', scale)),
      attribute(nodes.at(name, 'bias'), 'float4', scalar('Vec4f', bias)),
    ];
    const output = use.channel === 'rgb' ? (['rgb', 'float3'] as const) : ([use.channel, 'float'] as const);
    return nodes.add(name, 'UsdUVTexture', inputs, output);
  }
}
