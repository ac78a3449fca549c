// What is wrong with a GLB that the cook wrote, by the rules of glTF 2.0: a code for each kind. Never throws for what the
// bytes hold.

import type { GLTF } from '@gltf-transform/core';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { Findings } from '../findings.ts';
import type { VerifyRules } from '../format.ts';
import { checkGeometry } from './checkGeometry.ts';
import { checkLooks } from './checkLooks.ts';
import { mimeTypeOf } from './images.ts';
import { DRACO, IMAGE_EXTENSIONS, MESHOPT, QUANTIZATION } from './layout.ts';
import { type GlbFile, openGlb } from './read.ts';

/** UC3711: nodes form trees, and scenes list their roots. */
function checkHierarchy({ nodes = [], scenes = [] }: GLTF.IGLTF, findings: Findings): void {
  const parents = new Map<number, number>();
  for (const [i, { children = [] }] of nodes.entries()) {
    for (const node of children) {
      if (parents.has(node)) findings.report('UC3711', `nodes/${node}`, `below nodes ${parents.get(node)} and ${i}`);
      parents.set(node, i);
    }
  }
  for (const [i, { nodes: roots = [] }] of scenes.entries()) {
    for (const node of roots)
      if (parents.has(node)) findings.report('UC3711', `scenes/${i}`, `node ${node} is no root`);
  }
  // Where each node has one parent at most, those in a circle are not below a root.
  const below = new Set([...nodes.keys()].filter((node) => !parents.has(node)));
  for (const node of below) for (const child of nodes[node].children ?? []) below.add(child);
  const lost = [...nodes.keys()].find((node) => !below.has(node));
  if (lost !== undefined) findings.report('UC3711', `nodes/${lost}`, 'it is below itself, or below a node that is');
}

/** What files of ours may require: how geometry is packed, and kinds of images. */
const KNOWN_REQUIRED: ReadonlySet<string> = new Set([MESHOPT, QUANTIZATION, DRACO, ...IMAGE_EXTENSIONS]);

function checkExtensions(
  { extensionsUsed = [], extensionsRequired = [], bufferViews = [], meshes = [] }: GLTF.IGLTF,
  findings: Findings,
): void {
  for (const name of extensionsRequired) {
    if (!KNOWN_REQUIRED.has(name)) findings.report('UC3713', 'extensionsRequired', `${name} is not known`);
    if (!extensionsUsed.includes(name)) findings.report('UC3713', 'extensionsUsed', `${name} is not listed`);
  }
  const packed = {
    [MESHOPT]: bufferViews.some(({ extensions }) => extensions?.[MESHOPT]),
    [DRACO]: meshes.some(({ primitives }) => primitives.some(({ extensions }) => extensions?.[DRACO])),
  };
  for (const [name, isUsed] of Object.entries(packed)) {
    if (isUsed && !extensionsRequired.includes(name))
      findings.report('UC3713', 'extensionsRequired', `${name} is not listed`);
  }
}

function checkImages(glb: GlbFile, findings: Findings): void {
  for (const [i, { bufferView, mimeType }] of (glb.json.images ?? []).entries()) {
    const bytes = glb.view(bufferView as number);
    if (bytes && mimeTypeOf(bytes) !== mimeType)
      findings.report('UC3712', `images/${i}`, `its bytes are no ${mimeType}`);
  }
}

/** How many numbers a value of a channel has. */
function sizeOf(
  { json: { nodes = [], meshes = [] } }: GlbFile,
  { node = -1, path }: GLTF.IAnimationChannelTarget,
): number {
  if (path !== 'weights') return path === 'rotation' ? 4 : 3;
  return meshes[nodes[node]?.mesh ?? -1]?.primitives[0]?.targets?.length ?? 0;
}

function checkAnimations(glb: GlbFile, findings: Findings): void {
  const check = ({ input, output, interpolation }: GLTF.IAnimationSampler, size: number, path: string) => {
    const times = glb.values(input);
    const values = glb.values(output);
    if (!times || !values) return;
    const isAscending = times.every((time, i) => Number.isFinite(time) && (i === 0 ? time >= 0 : time > times[i - 1]));
    const rows = times.length * (interpolation === 'CUBICSPLINE' ? 3 : 1);
    if (!isAscending || values.length !== rows * size || !values.every(Number.isFinite)) {
      findings.report(
        'UC3717',
        path,
        `${times.length} times for ${values.length} numbers, or times that do not ascend`,
      );
    }
  };
  for (const [i, { channels, samplers }] of (glb.json.animations ?? []).entries()) {
    for (const [c, { sampler, target }] of channels.entries()) {
      check(samplers[sampler], sizeOf(glb, target), `animations/${i}/channels/${c}`);
    }
  }
}

/** All findings of a file. */
export async function verifyGlb(bytes: Uint8Array, file: string, _rules: VerifyRules): Promise<readonly Diagnostic[]> {
  const findings = new Findings(file);
  const glb = await openGlb(bytes, findings);
  if (glb === null) return findings.list();
  checkHierarchy(glb.json, findings);
  checkExtensions(glb.json, findings);
  checkImages(glb, findings);
  checkLooks(glb, findings);
  checkGeometry(glb, findings);
  checkAnimations(glb, findings);
  return findings.list();
}
