// inspect() of files of Urho3D.

import { type Diagnostic, SourceError } from '../diagnostics/diagnostic.ts';
import type { Urho3dType } from '../formats/kinds.ts';
import { checkAnimation } from '../formats/urho3d/animation/read.ts';
import { readScript } from '../formats/urho3d/compiled/script.ts';
import { readShader } from '../formats/urho3d/compiled/shader.ts';
import { ELEMENT_TYPES, elementBits, type VertexElement } from '../formats/urho3d/model/elements.ts';
import type { Model } from '../formats/urho3d/model/layout.ts';
import { checkModel } from '../formats/urho3d/model/read.ts';
import { readPackage } from '../formats/urho3d/package/read.ts';

import { parseXml, type XmlElement } from '../formats/urho3d/xml/document.ts';
import { readMaterial } from '../formats/urho3d/xml/material.ts';

/** What is in a file of Urho3D. */
export interface Urho3dDocument {
  readonly source: string;
  readonly kind: 'urho3d';
  readonly type: Urho3dType;
  readonly bytes: number;
  /** The version of the layout, the type of a shader, the technique of a material, the name of an animation; null: none. */
  readonly variant: string | null;
  /** What the content counts, by name. */
  readonly totals: Readonly<Record<string, number>>;
  /** Of a model. */
  readonly geometries: readonly {
    readonly vertices: number;
    readonly levels: readonly { readonly distance: number; readonly triangles: number }[];
    /** What a vertex of the first level has, in its order. */
    readonly elements: readonly string[];
  }[];
  /** Bones of a model, tracks of an animation, resources that a material or a scene names. */
  readonly names: readonly string[];
  /** Of a package, in its order. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly warnings: readonly Diagnostic[];
}

type Described = Omit<Urho3dDocument, 'source' | 'kind' | 'type' | 'bytes'>;

const NOTHING: Pick<Described, 'geometries' | 'names' | 'files' | 'warnings' | 'variant'> = {
  variant: null,
  geometries: [],
  names: [],
  files: [],
  warnings: [],
};

const elementName = (element: VertexElement): string => {
  const { semantic, index, type } = element;
  return elementBits(element) >>> 16 === 0 ? `${semantic} ${type}` : `${semantic}${index} ${type}`;
};

function modelDescription(model: Model, warnings: readonly Diagnostic[]): Described {
  const { format, vertexBuffers, geometries, morphs, bones } = model;
  const described = geometries.map(({ levels }) => ({
    vertices: vertexBuffers[levels[0]?.vertexBuffer]?.vertexCount ?? 0,
    levels: levels.map(({ distance, indexCount }) => ({ distance, triangles: Math.floor(indexCount / 3) })),
    elements: (vertexBuffers[levels[0]?.vertexBuffer]?.elements ?? []).map(elementName),
  }));
  const vertexBytes = vertexBuffers.flatMap(({ elements, vertexCount }) =>
    elements.map(({ type }) => ELEMENT_TYPES[type].bytes * vertexCount),
  );
  return {
    ...NOTHING,
    variant: format,
    totals: {
      geometries: geometries.length,
      triangles: described.reduce((sum, { levels }) => sum + (levels[0]?.triangles ?? 0), 0),
      vertices: vertexBuffers.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
      'bytes of vertices': vertexBytes.reduce((sum, bytes) => sum + bytes, 0),
      morphs: morphs.length,
      bones: bones.length,
    },
    geometries: described,
    names: bones.map(({ name }) => name),
    warnings,
  };
}

/** Attributes that name resources. */
const NAMING: ReadonlySet<string> = new Set(['Material', 'Model', 'Prefab']);

function sceneDescription(root: XmlElement): Described {
  const counts = { nodes: 0, components: 0 };
  const names = new Set<string>();
  const open = [root];
  for (let element = open.pop(); element; element = open.pop()) {
    const { name, attributes, children } = element;
    if (name === 'node') counts.nodes++;
    if (name === 'component') counts.components++;
    const { name: attribute, value = '' } = attributes;
    if (name === 'attribute' && attribute !== undefined && NAMING.has(attribute)) {
      for (const resource of value.split(';').slice(1)) if (resource !== '') names.add(resource);
    }
    for (let i = children.length - 1; i >= 0; i--) open.push(children[i]);
  }
  return { ...NOTHING, totals: counts, names: [...names] };
}

function describe(type: Urho3dType, bytes: Uint8Array, name: string): Described {
  switch (type) {
    case 'model': {
      const { model, diagnostics } = checkModel(bytes, name);
      if (!model) throw new SourceError(diagnostics);
      return modelDescription(model, diagnostics);
    }
    case 'animation': {
      const { animation, diagnostics } = checkAnimation(bytes, name);
      if (!animation) throw new SourceError(diagnostics);
      const keys = animation.tracks.reduce((sum, track) => sum + track.keys.time.length, 0);
      const totals = { seconds: animation.length, tracks: animation.tracks.length, keys };
      const names = animation.tracks.map(({ bone }) => bone);
      return { ...NOTHING, variant: animation.name, totals, names, warnings: diagnostics };
    }
    case 'shader': {
      const { type: of, model, parameters, units, bytecode } = readShader(bytes, name);
      const totals = { parameters: parameters.length, units: units.length, 'bytes of code': bytecode.length };
      return { ...NOTHING, variant: `${of} shader, model ${model}`, totals, names: parameters.map((one) => one.name) };
    }
    case 'script':
      return { ...NOTHING, totals: { 'bytes of code': readScript(bytes, name).length } };
    case 'material': {
      const { technique, textures, parameters } = readMaterial(bytes, name);
      const totals = { textures: textures.length, parameters: parameters.length };
      return { ...NOTHING, variant: technique, totals, names: textures.map((one) => `${one.unit} ${one.name}`) };
    }
    case 'package': {
      const { format, files } = readPackage(bytes, name);
      const held = files.map((file) => ({ path: file.name, bytes: file.bytes.length }));
      const unpacked = held.reduce((sum, file) => sum + file.bytes, 0);
      return { ...NOTHING, variant: format, totals: { files: held.length, 'bytes unpacked': unpacked }, files: held };
    }
    case 'scene':
      return sceneDescription(parseXml(bytes, name));
  }
}

/** Throws SourceError for a file that cannot be read. */
export function urho3dDocument(type: Urho3dType, bytes: Uint8Array, name: string): Urho3dDocument {
  return { source: name, kind: 'urho3d', type, bytes: bytes.length, ...describe(type, bytes, name) };
}
