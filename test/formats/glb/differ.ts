// Compares a glTF source with the GLB that the cook makes of it, both read by gltf-transform: nodes, what is drawn at rest, in
// every animation and at every morph target, cameras, lights, skins and clips. What may differ is listed in DIFFERENCES alone.

import { type Camera, type Document, type Node, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, type Light } from '@gltf-transform/extensions';
import draco3d from 'draco3dgltf';
import { MeshoptDecoder } from 'meshoptimizer';
import { localsAt, type Moment, nodesOf, spanOf, type Triangle, targetNames, trianglesAt } from './drawn.ts';

/** What a GLB of ours has otherwise than its source, with the code that says so; null: nothing is lost. */
export const DIFFERENCES = {
  'a mesh of several primitives has a child node for each material': null,
  'a node with a skin stands at the root': null,
  'a name that another node has gets a number': null,
  'a node without a name gets one': null,
  'mirrors are part of the vertices': null,
  'instances are nodes': null,
  'equal meshes are one, with the name of the first': null,
  'points and lines are left out': 'UC1333',
  'attributes of applications are left out': 'UC2480',
} as const satisfies Record<string, string | null>;
export type Difference = keyof typeof DIFFERENCES;

/** Of whatever is not in the table: what, and where. */
export interface Found {
  readonly table: Set<Difference>;
  readonly others: string[];
}

/** Metres, and shares of the size: what sampled curves may be off, and roundings. */
const POINT = 4e-4;

export async function reader(): Promise<NodeIO> {
  await Promise.all([MeshoptDecoder.ready]);
  return new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    'meshopt.decoder': MeshoptDecoder,
    'draco3d.decoder': await draco3d.createDecoderModule(),
  });
}

const isNear = (a: readonly number[], b: readonly number[], tolerance: number): boolean =>
  a.length === b.length && a.every((value, k) => Math.abs(value - b[k]) <= tolerance * Math.max(1, Math.abs(value)));

const shown = (numbers: readonly number[]): string => numbers.map((value) => Number(value.toPrecision(5))).join(' ');

/** The rest, then each target alone, then five times of each animation. */
function momentsOf(source: Document): Moment[] {
  const names = new Set(
    source
      .getRoot()
      .listMeshes()
      .flatMap((mesh) => targetNames(mesh)),
  );
  const moments: Moment[] = [{ animation: -1, time: 0 }];
  for (const target of names) moments.push({ animation: -1, time: 0, target });
  for (const animation of source.getRoot().listAnimations().keys()) {
    const [start, end] = spanOf(source, animation);
    for (const share of [0, 0.2, 0.5, 0.75, 1]) moments.push({ animation, time: share * (end - start) });
  }
  return moments;
}

/** Moments of the source as moments of the file: animations are found by their names. */
function momentsIn(file: Document, source: Document, moments: readonly Moment[], others: string[]): Moment[] {
  const [theirs, ours] = [source, file].map((document) => document.getRoot().listAnimations());
  return moments.map((moment) => {
    if (moment.animation < 0) return moment;
    const name = theirs[moment.animation].getName();
    const at = ours.findIndex((one) => one.getName() === name);
    if (at < 0 && !others.includes(`animation ${name} is missing`)) others.push(`animation ${name} is missing`);
    return { ...moment, animation: at };
  });
}

/** How a triangle of the file can be one of the source; null: it is another one. */
function isSame(a: Triangle, b: Triangle, tolerance: number): boolean {
  if (a.material !== '' && a.material !== b.material) return false;
  return [0, 1, 2].some((turn) => {
    const order = [0, 1, 2].map((k) => (k + turn) % 3);
    const places = a.tracks.every((track, m) =>
      order.every((from, k) =>
        [0, 1, 2].every((r) => Math.abs(track[k * 3 + r] - b.tracks[m][from * 3 + r]) <= tolerance),
      ),
    );
    if (!places) return false;
    return [...a.values].every(([name, corners]) => {
      const own = b.values.get(name);
      const by = name === 'COLOR_0' ? 1 / 250 : 1e-3;
      return (
        own !== undefined && order.every((from, k) => isNear(corners[k], own[from].slice(0, corners[k].length), by))
      );
    });
  });
}

/** Every triangle of the source is one of the file, and none is there besides. */
function compareDrawn(source: readonly Triangle[], file: readonly Triangle[], others: string[]): void {
  const coordinates = source.flatMap(({ tracks }) => [...tracks[0]]);
  const size = coordinates.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  const tolerance = POINT * size;
  const cell = Math.max(tolerance * 4, size / 256);
  const centre = ({ tracks: [t] }: Triangle) => [0, 1, 2].map((k) => (t[k] + t[3 + k] + t[6 + k]) / 3);
  const cells = new Map<string, Triangle[]>();
  for (const triangle of file) {
    const key = centre(triangle)
      .map((value) => Math.floor(value / cell))
      .join(' ');
    cells.set(key, [...(cells.get(key) ?? []), triangle]);
  }
  const used = new Set<Triangle>();
  const steps = [0, -1, 1];
  const missing = source.filter((triangle) => {
    const [x, y, z] = centre(triangle).map((value) => Math.floor(value / cell));
    const near = steps.flatMap((i) =>
      steps.flatMap((j) => steps.flatMap((k) => cells.get(`${x + i} ${y + j} ${z + k}`) ?? [])),
    );
    const found = near.find((one) => !used.has(one) && isSame(triangle, one, tolerance));
    if (found) used.add(found);
    return !found;
  });
  const first = missing[0];
  if (first)
    others.push(
      `${missing.length} of ${source.length} triangles are not drawn so, first of ${first.node.getName()}: ${shown([...first.tracks[0]])}`,
    );
  if (file.length > used.size) others.push(`${file.length - used.size} triangles are drawn besides`);
}

type Pairs = Map<Node, Node>;

/** Pairs the nodes of the source with those of the file, from the roots down. */
function pairNodes(source: Document, file: Document, { table, others }: Found): Pairs {
  const pairs: Pairs = new Map();
  const childrenOf = (document: Document, parent: Node | null): Node[] =>
    nodesOf(document).filter((node) => node.getParentNode() === parent);
  const own = nodesOf(source).map((node) => node.getName());
  const claimed = new Set<Node>();
  const visit = (theirs: Node | null, ours: Node | null): void => {
    const free = childrenOf(file, ours);
    for (const node of childrenOf(source, theirs)) {
      const name = node.getName();
      const isOnce = name !== '' && own.filter((one) => one === name).length === 1;
      const all = node.getSkin() ? childrenOf(file, null) : free;
      let match = all.find((one) => one.getName() === name && !claimed.has(one));
      if (!match && !isOnce) {
        match = all.find((one) => !claimed.has(one) && (name === '' || one.getName().startsWith(`${name}_`)));
        if (match)
          table.add(name === '' ? 'a node without a name gets one' : 'a name that another node has gets a number');
      }
      if (!match) {
        others.push(`node ${name} is not below ${ours?.getName() ?? 'the scene'}`);
        continue;
      }
      if (node.getSkin() && theirs !== null && match.getParentNode() === null)
        table.add('a node with a skin stands at the root');
      claimed.add(match);
      pairs.set(node, match);
      visit(node, match);
    }
  };
  visit(null, null);
  const drawsParts = new Set(
    [...pairs].flatMap(([node, ours]) => ((node.getMesh()?.listPrimitives().length ?? 0) > 1 ? [ours] : [])),
  );
  const hasInstances = new Set(
    [...pairs].flatMap(([node, ours]) => (node.getExtension('EXT_mesh_gpu_instancing') ? [ours] : [])),
  );
  for (const node of nodesOf(file)) {
    if (claimed.has(node)) continue;
    const parent = node.getParentNode();
    if (parent && drawsParts.has(parent)) table.add('a mesh of several primitives has a child node for each material');
    else if (parent && hasInstances.has(parent)) table.add('instances are nodes');
    else others.push(`node ${node.getName()} is in the file alone`);
  }
  return pairs;
}

function compareLocals(
  source: Document,
  file: Document,
  pairs: Pairs,
  moments: readonly Moment[],
  inFile: readonly Moment[],
  { table, others }: Found,
): void {
  for (const [m, moment] of moments.entries()) {
    const [theirs, ours] = [localsAt(source, moment), localsAt(file, inFile[m])];
    for (const [node, other] of pairs) {
      // A skin alone places what has one (glTF 2.0, 3.7.3.3).
      if (node.getSkin()) continue;
      const [a, b] = [theirs.get(node)!, ours.get(other)!];
      const dot = Math.abs(a.rotation.reduce((sum, value, k) => sum + value * b.rotation[k], 0));
      const size = Math.max(1, ...a.translation.map(Math.abs));
      const isLocal =
        isNear(a.translation, b.translation, POINT * size) && isNear(a.scale, b.scale, 1e-3) && dot > 1 - 1e-5;
      if (isLocal) continue;
      let isMirrored = false;
      for (let at: Node | null = node; at; at = at.getParentNode())
        if (at.getScale().some((value) => value < 0)) isMirrored = true;
      if (isMirrored) table.add('mirrors are part of the vertices');
      else
        others.push(
          `${node.getName()} at ${JSON.stringify(moment)}: ${shown([...a.translation, ...a.rotation, ...a.scale])} is ${shown([...b.translation, ...b.rotation, ...b.scale])}`,
        );
    }
  }
}

const cameraFacts = (camera: Camera) => ({
  name: camera.getName(),
  type: camera.getType(),
  numbers:
    camera.getType() === 'perspective'
      ? [camera.getYFov(), camera.getAspectRatio() ?? -1, camera.getZNear(), camera.getZFar() ?? -1]
      : [camera.getXMag(), camera.getYMag(), camera.getZNear(), camera.getZFar() ?? -1],
});

const lightFacts = (light: Light) => ({
  name: light.getName(),
  type: light.getType(),
  numbers: [
    ...light.getColor().map((value) => value * light.getIntensity()),
    light.getRange() ?? -1,
    ...(light.getType() === 'spot' ? [light.getInnerConeAngle(), light.getOuterConeAngle()] : []),
  ],
});

type Facts = { readonly name: string; readonly type: string; readonly numbers: readonly number[] } | null;

/** Cameras, lights, extras, morph targets and skins of pairs of nodes. */
function compareHeld(pairs: Pairs, { table, others }: Found): void {
  for (const [node, other] of pairs) {
    const name = node.getName();
    const compare = (what: string, a: Facts, b: Facts) => {
      const isAlike = a === null || b === null ? a === b : a.type === b.type && isNear(a.numbers, b.numbers, 1e-3);
      if (!isAlike) others.push(`${what} of ${name}: ${JSON.stringify(a)} is ${JSON.stringify(b)}`);
      else if (a && a.name !== '' && a.name !== b?.name) others.push(`${what} ${a.name} is called ${b?.name}`);
    };
    const [a, b] = [node.getCamera(), other.getCamera()];
    compare('camera', a && cameraFacts(a), b && cameraFacts(b));
    const [c, d] = [node, other].map((one) => one.getExtension<Light>('KHR_lights_punctual'));
    compare('light', c && lightFacts(c), d && lightFacts(d));
    const [mesh, drawn] = [node.getMesh()?.getName() ?? '', other.getMesh()?.getName()];
    if (drawn !== undefined && mesh !== '' && mesh !== drawn) {
      const isOther = [...pairs.keys()].some((one) => one.getMesh()?.getName() === drawn);
      if (isOther) table.add('equal meshes are one, with the name of the first');
      else others.push(`mesh ${mesh} is called ${drawn}`);
    }
    if (JSON.stringify(node.getExtras()) !== JSON.stringify(other.getExtras()))
      others.push(`extras of ${name}: ${JSON.stringify(node.getExtras())} is ${JSON.stringify(other.getExtras())}`);
    const [skin, own] = [node.getSkin(), other.getSkin()];
    const below = own ? [own] : other.listChildren().flatMap((child) => child.getSkin() ?? []);
    if (skin && below.length === 0) others.push(`${name} has no skin`);
    for (const one of below) {
      const names = new Set(one.listJoints().map((joint) => joint.getName()));
      const missing = skin?.listJoints().filter((joint) => joint.getName() !== '' && !names.has(joint.getName())) ?? [];
      for (const joint of missing) others.push(`${joint.getName()} is no joint of ${name}`);
    }
  }
}

/** What differs. `source` and `file`: both as gltf-transform reads them. */
export function differencesOf(source: Document, file: Document): Found {
  const found: Found = { table: new Set(), others: [] };
  const moments = momentsOf(source);
  const inFile = momentsIn(file, source, moments, found.others);
  const pairs = pairNodes(source, file, found);
  compareHeld(pairs, found);
  compareLocals(source, file, pairs, moments, inFile, found);
  compareDrawn(trianglesAt(source, moments), trianglesAt(file, inFile), found.others);
  const primitives = source
    .getRoot()
    .listMeshes()
    .flatMap((mesh) => mesh.listPrimitives());
  if (primitives.some((one) => one.getMode() < 4)) found.table.add('points and lines are left out');
  const semantics = primitives.flatMap((one) => one.listSemantics());
  if (semantics.some((name) => /^_/.test(name))) found.table.add('attributes of applications are left out');
  const [theirs, ours] = [source, file].map((document) => document.getRoot().getAsset());
  if (theirs.copyright !== ours.copyright) found.others.push(`copyright is ${ours.copyright}`);
  return found;
}
