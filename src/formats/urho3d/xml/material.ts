// Materials of Urho3D as XML: technique, textures by unit, shader parameters, culling (Material.cpp). What the engine knows
// beyond that is passed over when it is read.

import { type Diagnostic, fail, SourceError } from '../../../diagnostics/diagnostic.ts';
import { nameFault } from '../package/layout.ts';
import { element, numbers, numbersOf, parseXml, writeXml, type XmlElement } from './document.ts';

export const TEXTURE_UNITS = ['diffuse', 'normal', 'specular', 'emissive'] as const;
export type TextureUnit = (typeof TEXTURE_UNITS)[number];

/** Other names that the engine takes for these units; their numbers too (Material.cpp, ParseTextureUnitName). */
const SHORT_UNITS: Readonly<Record<string, TextureUnit>> = {
  diff: 'diffuse',
  albedo: 'diffuse',
  norm: 'normal',
  spec: 'specular',
};

/** As the engine reads the name of a unit; undefined: it is none of these. */
function unitOf(text: string): TextureUnit | undefined {
  const name = text.trim().toLowerCase();
  if (Object.hasOwn(SHORT_UNITS, name)) return SHORT_UNITS[name];
  return TEXTURE_UNITS.find((unit, number) => unit === name || String(number) === name);
}

export const CULL_MODES = ['none', 'ccw', 'cw'] as const;
export type CullMode = (typeof CULL_MODES)[number];

/** Names of resources are relative to a resource folder, with `/`. */
export interface Urho3dMaterial {
  readonly technique: string;
  /** Defines for the shaders beyond those of the technique. */
  readonly vertexDefines: readonly string[];
  readonly pixelDefines: readonly string[];
  readonly textures: readonly { readonly unit: TextureUnit; readonly name: string }[];
  readonly parameters: readonly { readonly name: string; readonly value: readonly number[] }[];
  /** Of the surface and of its shadow. */
  readonly cull: CullMode;
}

export interface ReadMaterial extends Urho3dMaterial {
  /** Names of the units with textures that are not known here. */
  readonly otherUnits: readonly string[];
}

/** Throws an Error, which is a bug of the caller, for names that lead outside and numbers that are not finite. */
export function writeMaterial(material: Urho3dMaterial): Uint8Array {
  const { technique, textures, parameters, cull, vertexDefines, pixelDefines } = material;
  for (const name of [technique, ...textures.map(({ name }) => name)]) {
    const fault = nameFault(name);
    if (fault !== null) throw new Error(`a resource that cannot be named: ${JSON.stringify(name)} ${fault}`);
  }
  const defines = {
    ...(vertexDefines.length > 0 ? { vsdefines: vertexDefines.join(' ') } : {}),
    ...(pixelDefines.length > 0 ? { psdefines: pixelDefines.join(' ') } : {}),
  };
  return writeXml(
    element('material', {}, [
      element('technique', { name: technique }),
      ...(Object.keys(defines).length > 0 ? [element('shader', defines)] : []),
      ...textures.map(({ unit, name }) => element('texture', { unit, name })),
      ...parameters.map(({ name, value }) => element('parameter', { name, value: numbers(value) })),
      element('cull', { value: cull }),
      element('shadowcull', { value: cull }),
    ]),
  );
}

/** An attribute that must be there. Throws UC3971. */
function wanted({ name, attributes }: XmlElement, attribute: string, file: string): string {
  return (
    attributes[attribute] ??
    fail('UC3971', file, name, `material or scene that Urho3D does not read: <${name}> has no ${attribute}`)
  );
}

function resource(from: XmlElement, file: string): string {
  const name = wanted(from, 'name', file);
  const fault = nameFault(name);
  return fault === null ? name : fail('UC3974', file, from.name, `the name ${JSON.stringify(name)} ${fault}`);
}

function oneOf<T extends string>(value: string, known: readonly T[], file: string, place: string): T {
  return (
    known.find((one) => one === value) ??
    fail('UC3971', file, place, `material or scene that Urho3D does not read: ${JSON.stringify(value)}`)
  );
}

/** Those of a matrix; no parameter is larger. */
const MAX_NUMBERS = 16;

function parsedNumbers(from: XmlElement, file: string): number[] {
  const text = wanted(from, 'value', file);
  const values = numbersOf(text, MAX_NUMBERS);
  if (values === null) {
    const shown = JSON.stringify(text.slice(0, 80));
    return fail(
      'UC3971',
      file,
      from.name,
      `material or scene that Urho3D does not read: the value ${shown} is not up to ${MAX_NUMBERS} numbers of 32 bits`,
    );
  }
  return values;
}

const words = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((word) => word !== '');

/**
 * The first technique, and the textures and parameters of a material. Throws UC3960, UC3971 and UC3974. Parameters of a kind
 * that is not known here are passed over.
 */
export function readMaterial(bytes: Uint8Array, file: string): ReadMaterial {
  const root = parseXml(bytes, file);
  if (root.name !== 'material')
    fail('UC3971', file, '', `material or scene that Urho3D does not read: the document is a <${root.name}>`);
  const all = (name: string) => root.children.filter((child) => child.name === name);
  const [technique] = all('technique');
  if (!technique) fail('UC3971', file, '', 'material or scene that Urho3D does not read: there is no <technique>');
  const [shader] = all('shader');
  const [cull] = all('cull');
  return {
    technique: resource(technique, file),
    vertexDefines: words(shader?.attributes.vsdefines),
    pixelDefines: words(shader?.attributes.psdefines),
    textures: all('texture').flatMap((texture) => {
      const unit = unitOf(wanted(texture, 'unit', file));
      return unit === undefined ? [] : [{ unit, name: resource(texture, file) }];
    }),
    otherUnits: all('texture').flatMap(({ attributes: { unit = '' } }) => (unitOf(unit) ? [] : [unit.slice(0, 80)])),
    parameters: all('parameter').flatMap((parameter) => {
      // Parameters of other types than vectors of numbers say so.
      if (parameter.attributes.type !== undefined) return [];
      return [{ name: wanted(parameter, 'name', file), value: parsedNumbers(parameter, file) }];
    }),
    cull: cull ? oneOf(wanted(cull, 'value', file), CULL_MODES, file, 'cull') : 'ccw',
  };
}

/** Everything that is wrong with a file. */
export function validateMaterial(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  try {
    readMaterial(bytes, file);
    return [];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics;
  }
}
