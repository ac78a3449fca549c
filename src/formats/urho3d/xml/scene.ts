// Scenes of Urho3D as XML: nodes with models, lights and cameras, in Urho3D's space (axes.ts). Attributes have the names under
// which the engine registers them (Node, StaticModel, AnimatedModel, Light, Camera).

import { type Diagnostic, fail, SourceError } from '../../../diagnostics/diagnostic.ts';
import { nameFault } from '../package/layout.ts';
import { element, numbers, parseXml, writeXml, type XmlElement } from './document.ts';

type Vector = readonly [number, number, number];

export interface SceneModel {
  /** Resource name of a .mdl file. */
  readonly model: string;
  /** One for each geometry; null for the engine's own. */
  readonly materials: readonly (string | null)[];
  /** The model is not drawn beyond so many metres; 0: at any distance. */
  readonly drawDistance: number;
  readonly castShadows: boolean;
  /** Whether a skeleton or morphs move it. */
  readonly animated: boolean;
}

/** Along +Z of its node. */
export interface SceneLight {
  readonly type: 'directional' | 'spot' | 'point';
  /** Linear. */
  readonly color: Vector;
  readonly brightness: number;
  /** Metres; not of a directional light. */
  readonly range: number;
  /** The whole angle of a spot, in degrees. */
  readonly spotFov: number;
  readonly castShadows: boolean;
}

/** Looks along +Z of its node. */
export interface SceneCamera {
  readonly nearClip: number;
  readonly farClip: number;
  /** The whole vertical angle in degrees; null for a parallel projection. */
  readonly fov: number | null;
  /** Height in metres of a parallel projection. */
  readonly orthographicSize: number;
}

export interface SceneNode {
  readonly name: string;
  readonly position: Vector;
  /** w x y z. */
  readonly rotation: readonly [number, number, number, number];
  readonly scale: Vector;
  readonly models: readonly SceneModel[];
  readonly lights: readonly SceneLight[];
  readonly cameras: readonly SceneCamera[];
  readonly children: readonly SceneNode[];
}

/** Numbers of nodes and components that are replicated end before this (Scene.h). */
const END_OF_IDS = 0x01000000;

const LIGHT_TYPES = { directional: 'Directional', spot: 'Spot', point: 'Point' } as const;

const attribute = (name: string, value: string): XmlElement => element('attribute', { name, value });
const truth = (name: string, value: boolean): XmlElement => attribute(name, value ? 'true' : 'false');

function resource(type: string, names: readonly (string | null)[]): string {
  for (const name of names) {
    // The names of a list are divided by semicolons.
    const fault = name === null ? null : name.includes(';') ? 'has a semicolon' : nameFault(name);
    if (fault !== null) throw new Error(`a resource that cannot be named: ${JSON.stringify(name)} ${fault}`);
  }
  return [type, ...names.map((name) => name ?? '')].join(';');
}

const modelAttributes = ({ model, materials, drawDistance, castShadows }: SceneModel): XmlElement[] => [
  attribute('Model', resource('Model', [model])),
  attribute('Material', resource('Material', materials)),
  truth('Cast Shadows', castShadows),
  attribute('Draw Distance', numbers([drawDistance])),
];

const lightAttributes = (light: SceneLight): XmlElement[] => [
  attribute('Light Type', LIGHT_TYPES[light.type]),
  attribute('Color', numbers([...light.color, 1])),
  attribute('Brightness Multiplier', numbers([light.brightness])),
  ...(light.type === 'directional' ? [] : [attribute('Range', numbers([light.range]))]),
  ...(light.type === 'spot' ? [attribute('Spot FOV', numbers([light.spotFov]))] : []),
  truth('Cast Shadows', light.castShadows),
];

const cameraAttributes = ({ nearClip, farClip, fov, orthographicSize }: SceneCamera): XmlElement[] => [
  attribute('Near Clip', numbers([nearClip])),
  attribute('Far Clip', numbers([farClip])),
  ...(fov === null
    ? [truth('Orthographic', true), attribute('Orthographic Size', numbers([orthographicSize]))]
    : [attribute('FOV', numbers([fov]))]),
];

/**
 * A scene whose nodes are `nodes`, numbered in their order. Throws an Error, which is a bug of the caller, for names of resources
 * that lead outside, numbers that are not finite, and more nodes than the engine can number.
 */
export function writeScene(name: string, nodes: readonly SceneNode[]): Uint8Array {
  const next = { node: 1, component: 1 };
  const number = (of: keyof typeof next): string => {
    if (next[of] >= END_OF_IDS) throw new Error(`a scene with more than ${END_OF_IDS} of ${of}`);
    return String(next[of]++);
  };
  const component = (type: string, attributes: readonly XmlElement[] = []): XmlElement =>
    element('component', { type, id: number('component') }, attributes);
  const node = (of: SceneNode): XmlElement =>
    element('node', { id: number('node') }, [
      attribute('Name', of.name),
      attribute('Position', numbers(of.position)),
      attribute('Rotation', numbers(of.rotation)),
      attribute('Scale', numbers(of.scale)),
      ...of.models.map((model) => component(model.animated ? 'AnimatedModel' : 'StaticModel', modelAttributes(model))),
      ...of.lights.map((light) => component('Light', lightAttributes(light))),
      ...of.cameras.map((camera) => component('Camera', cameraAttributes(camera))),
      ...of.children.map(node),
    ]);
  return writeXml(
    element('scene', { id: number('node') }, [attribute('Name', name), component('Octree'), ...nodes.map(node)]),
  );
}

/** The element of the document of a scene, or of a prefab: a node with all that is below it. */
export const SCENE_ROOTS = ['scene', 'node'] as const;

/** What rbfx puts its nodes and components into, where it does not write the form of Urho3D (NodePrefab::SerializeInBlock). */
const ARCHIVE_LISTS: ReadonlySet<string> = new Set(['components', 'nodes']);

/** The root of a scene or a prefab. Throws UC3960 and UC3971. */
export function readSceneRoot(bytes: Uint8Array, file: string): XmlElement {
  const root = parseXml(bytes, file);
  const isScene = SCENE_ROOTS.some((name) => name === root.name);
  const list = root.children.find(({ name }) => ARCHIVE_LISTS.has(name));
  if (isScene && list === undefined) return root;
  const what = isScene ? `has <${list?.name}>, which is the newer form of rbfx` : `is a <${root.name}>`;
  return fail('UC3971', file, '', `material or scene that Urho3D does not read: the document ${what}`);
}

/** Whether a file is a scene or a prefab at all: its nodes are not looked at. */
export function validateScene(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  try {
    readSceneRoot(bytes, file);
    return [];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics;
  }
}
