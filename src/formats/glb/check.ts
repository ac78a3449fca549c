// What is wrong with a GLB that the cook wrote, by the rules of glTF 2.0: a code for each kind. Never throws for what the
// bytes hold.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { FILE_SLOTS, slotKind } from '../../scene/materialSlots.ts';
import type { VerifyRules } from '../format.ts';
import { checkGeometry } from './checkGeometry.ts';
import { EMISSIVE_STRENGTH, type GlbJson, LIGHTS, MESHOPT, type Sampler } from './layout.ts';
import { mimeTypeOf } from './materials.ts';
import { type GlbFile, GlbFindings, isObject, openGlb } from './read.ts';

const KNOWN_EXTENSIONS: readonly string[] = [MESHOPT, LIGHTS, EMISSIVE_STRENGTH];

/** Where materials refer to textures, each place once: two slots may share one. */
const TEXTURE_INFOS = [
  ...new Map(FILE_SLOTS.flatMap((slot) => slotKind(slot).gltf ?? []).map((place) => [place.key, place])).values(),
];

type Loose = Readonly<Record<string, unknown>>;

/** The lists that other elements refer to by index. */
const LISTS = [
  'accessors',
  'bufferViews',
  'images',
  'textures',
  'materials',
  'meshes',
  'skins',
  'cameras',
  'nodes',
  'animations',
  'scenes',
] as const;

/** A list of objects; null, with UC3703, for anything else. */
function listOf(json: Loose, name: string, findings: GlbFindings): readonly Loose[] | null {
  const value = json[name];
  if (value === undefined) return [];
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) return value as Loose[];
  findings.report('UC3703', name, 'it is no list of objects');
  return null;
}

/** Every reference of an element to one of a list. */
class References {
  readonly #lists: Readonly<Record<string, readonly Loose[]>>;
  readonly #findings: GlbFindings;
  isSound = true;

  constructor(lists: Readonly<Record<string, readonly Loose[]>>, findings: GlbFindings) {
    this.#lists = lists;
    this.#findings = findings;
  }

  /** `index` may be absent if `optional`. */
  check(index: unknown, list: string, path: string, optional = true): void {
    if (index === undefined && optional) return;
    const { length } = this.#lists[list];
    if (Number.isInteger(index) && (index as number) >= 0 && (index as number) < length) return;
    this.isSound = false;
    this.#findings.report('UC3704', path, `${JSON.stringify(index)} of ${length} ${list}`);
  }

  each(value: unknown, list: string, path: string): void {
    if (value === undefined) return;
    if (Array.isArray(value)) for (const [i, index] of value.entries()) this.check(index, list, `${path}/${i}`, false);
    else this.check(value, list, path, false);
  }
}

const child = (value: Loose, name: string): Loose => (isObject(value[name]) ? (value[name] as Loose) : {});
const children = (value: Loose, name: string): readonly Loose[] =>
  Array.isArray(value[name]) ? (value[name] as unknown[]).map((one) => (isObject(one) ? one : {})) : [];

/** Whether every reference leads to an element; UC3704. */
function checkReferences(
  lists: Readonly<Record<string, readonly Loose[]>>,
  json: Loose,
  findings: GlbFindings,
): boolean {
  const refs = new References(lists, findings);
  const lights = children(child(child(json, 'extensions'), LIGHTS), 'lights');
  const all = new References({ ...lists, lights }, findings);
  refs.check(json.scene, 'scenes', 'scene');
  for (const [i, scene] of lists.scenes.entries()) refs.each(scene.nodes, 'nodes', `scenes/${i}/nodes`);
  lists.nodes.forEach((node, i) => {
    const path = `nodes/${i}`;
    refs.each(node.children, 'nodes', `${path}/children`);
    for (const [key, list] of [
      ['mesh', 'meshes'],
      ['skin', 'skins'],
      ['camera', 'cameras'],
    ])
      refs.check(node[key], list, `${path}/${key}`);
    all.check(child(child(node, 'extensions'), LIGHTS).light, 'lights', `${path}/extensions/${LIGHTS}`);
  });
  lists.meshes.forEach((mesh, i) => {
    children(mesh, 'primitives').forEach((primitive, p) => {
      const path = `meshes/${i}/primitives/${p}`;
      for (const [name, index] of Object.entries(child(primitive, 'attributes')))
        refs.check(index, 'accessors', `${path}/${name}`, false);
      refs.check(primitive.indices, 'accessors', `${path}/indices`, false);
      refs.check(primitive.material, 'materials', `${path}/material`);
    });
  });
  lists.skins.forEach((skin, i) => {
    refs.each(skin.joints, 'nodes', `skins/${i}/joints`);
    refs.check(skin.inverseBindMatrices, 'accessors', `skins/${i}/inverseBindMatrices`);
  });
  lists.animations.forEach((animation, i) => {
    const samplers = children(animation, 'samplers');
    const ofClip = new References({ samplers }, findings);
    samplers.forEach(({ input, output }, s) => {
      for (const index of [input, output]) refs.check(index, 'accessors', `animations/${i}/samplers/${s}`, false);
    });
    children(animation, 'channels').forEach((channel, c) => {
      ofClip.check(channel.sampler, 'samplers', `animations/${i}/channels/${c}`, false);
      refs.check(child(channel, 'target').node, 'nodes', `animations/${i}/channels/${c}/target`);
    });
    all.isSound &&= ofClip.isSound;
  });
  lists.materials.forEach((material, i) => {
    for (const { holder, key } of TEXTURE_INFOS) {
      const owner = holder === 'material' ? material : child(material, holder);
      if (owner[key] !== undefined) refs.check(child(owner, key).index, 'textures', `materials/${i}/${key}`, false);
    }
  });
  for (const [i, texture] of lists.textures.entries())
    refs.check(texture.source, 'images', `textures/${i}/source`, false);
  for (const [i, image] of lists.images.entries())
    refs.check(image.bufferView, 'bufferViews', `images/${i}/bufferView`, false);
  for (const [i, accessor] of lists.accessors.entries())
    refs.check(accessor.bufferView, 'bufferViews', `accessors/${i}`, false);
  return refs.isSound && all.isSound;
}

/** UC3711: nodes form trees, and scenes list their roots. */
function checkHierarchy({ nodes = [], scenes = [] }: GlbJson, findings: GlbFindings): void {
  const parents = new Map<number, number>();
  for (const [i, { children: below = [] }] of nodes.entries()) {
    for (const node of below) {
      if (parents.has(node)) findings.report('UC3711', `nodes/${node}`, `below nodes ${parents.get(node)} and ${i}`);
      parents.set(node, i);
    }
  }
  for (const [i] of nodes.entries()) {
    let at = i;
    let steps = 0;
    while (parents.has(at) && steps++ <= nodes.length) at = parents.get(at) as number;
    if (steps > nodes.length) {
      findings.report('UC3711', `nodes/${i}`, 'it is below itself');
      return;
    }
  }
  for (const [i, { nodes: roots = [] }] of scenes.entries()) {
    for (const node of roots)
      if (parents.has(node)) findings.report('UC3711', `scenes/${i}`, `node ${node} is no root`);
  }
}

function checkExtensions(
  { extensionsUsed = [], extensionsRequired = [], bufferViews = [] }: GlbJson,
  findings: GlbFindings,
): void {
  for (const name of extensionsRequired) {
    if (!KNOWN_EXTENSIONS.includes(name)) findings.report('UC3713', 'extensionsRequired', `${name} is not known`);
    if (!extensionsUsed.includes(name)) findings.report('UC3713', 'extensionsUsed', `${name} is not listed`);
  }
  const uses = bufferViews.some(({ extensions }) => extensions?.[MESHOPT]);
  if (uses && !extensionsRequired.includes(MESHOPT))
    findings.report('UC3713', 'extensionsRequired', `${MESHOPT} is not listed`);
}

function checkImages(glb: GlbFile, findings: GlbFindings): void {
  for (const [i, { bufferView, mimeType }] of (glb.json.images ?? []).entries()) {
    const bytes = glb.view(bufferView as number);
    if (bytes && mimeTypeOf(bytes) !== mimeType)
      findings.report('UC3712', `images/${i}`, `its bytes are no ${mimeType}`);
  }
}

function checkAnimations(glb: GlbFile, findings: GlbFindings): void {
  const check = ({ input, output }: Sampler, size: number, path: string) => {
    const times = glb.values(input);
    const values = glb.values(output);
    if (!times || !values) return;
    const isAscending = times.every((time, i) => Number.isFinite(time) && (i === 0 ? time >= 0 : time > times[i - 1]));
    if (!isAscending || values.length !== times.length * size || !values.every(Number.isFinite)) {
      findings.report(
        'UC3717',
        path,
        `${times.length} times for ${values.length} numbers, or times that do not ascend`,
      );
    }
  };
  for (const [i, { channels, samplers }] of (glb.json.animations ?? []).entries()) {
    for (const [c, { sampler, target }] of channels.entries()) {
      check(samplers[sampler], target.path === 'rotation' ? 4 : 3, `animations/${i}/channels/${c}`);
    }
  }
}

/** All findings of a file. */
export async function verifyGlb(bytes: Uint8Array, file: string, _rules: VerifyRules): Promise<readonly Diagnostic[]> {
  const findings = new GlbFindings(file);
  const glb = await openGlb(bytes, findings);
  if (glb === null) return findings.list;
  const json = glb.json as unknown as Loose;
  const lists: Record<string, readonly Loose[]> = {};
  for (const name of LISTS) {
    const list = listOf(json, name, findings);
    if (list === null) return findings.list;
    lists[name] = list;
  }
  if (!checkReferences(lists, json, findings)) return findings.list;
  checkHierarchy(glb.json, findings);
  checkExtensions(glb.json, findings);
  checkImages(glb, findings);
  checkGeometry(glb, findings);
  checkAnimations(glb, findings);
  return findings.list;
}
