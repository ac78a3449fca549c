// Recognises a source by its first bytes, a pack of models by its name, and calls the importer for it.

import { extname } from 'node:path';
import { fail } from '../diagnostics/diagnostic.ts';
import { PACK_EXTENSION } from '../formats/untoldpack/document.ts';
import { MODEL_MAGICS } from '../formats/urho3d/model/magics.ts';
import { placedScene } from '../scene/placement.ts';
import type { Scene, SourceKind } from '../scene/types.ts';
import { type Content, headOf, wholeOf } from './content.ts';
import { foreignRemedy } from './foreignFormats.ts';
import type { ImportContext } from './importer.ts';
import { withPackage } from './packages.ts';
import { noteUnusedOptions } from './unusedOptions.ts';
import type { StageDescription } from './usd/index.ts';

export type { ImportContext, ImportOptions } from './importer.ts';
export type { ShownValue, StagePrimRow } from './usd/stageDocument.ts';

/** The format that a file's first bytes show; 'json' is glTF or a manifest. */
export type ContentKind = Exclude<SourceKind, 'gltf'> | 'json';

function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  if (bytes.length < at + text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Recognises content; null for formats that no reader here opens. A UTF-8 byte order mark is skipped. */
export function recognise(bytes: Uint8Array): ContentKind | null {
  if (startsWith(bytes, 'glTF')) return 'glb';
  if (startsWith(bytes, 'PXR-USDC')) return 'usdc';
  if (startsWith(bytes, 'PK\x03\x04')) return 'usdz';
  if (startsWith(bytes, 'UNTOLD\0\0')) return 'untold';
  if (MODEL_MAGICS.some((magic) => startsWith(bytes, magic))) return 'mdl';
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (startsWith(bytes, '#usda', at)) return 'usda';
  while (at < bytes.length && (bytes[at] === 0x20 || (bytes[at] >= 0x09 && bytes[at] <= 0x0d))) at++;
  return bytes[at] === 0x7b ? 'json' : null;
}

/** So many bytes of white space at most may stand before the JSON of a file that is not in memory. */
const HEAD_BYTES = 2 ** 16;

export function recogniseContent(content: Content): ContentKind | null {
  return recognise(headOf(content, HEAD_BYTES));
}

/**
 * Reads the source at an absolute path into a Scene, placed as the options say; messages call it `name`. Throws SourceError: UC1200 when it cannot be
 * read, UC1206 when it is empty, UC1201 when no importer reads its format, and the errors of its importer.
 */
export async function importSource(path: string, name: string, context: ImportContext): Promise<Scene> {
  const files = await withPackage(path, context.files);
  const scene = await importAsIs(path, name, { ...context, files });
  const { placement } = context.options;
  return placement ? placedScene(scene, placement) : scene;
}

async function importAsIs(path: string, name: string, context: ImportContext): Promise<Scene> {
  const content = context.files.open(path, '', '');
  if (content.size === 0) return fail('UC1206', name, '', 'the file is empty');
  const kind = recogniseContent(content);
  if (kind !== 'mdl' && (context.files.search?.animations ?? []).length > 0) {
    context.diagnostics.report('UC1015', name, '--animation', 'it has an effect on models of Urho3D alone');
  }
  const extension = extname(path).toLowerCase();
  if (extension === PACK_EXTENSION) {
    noteUnusedOptions(name, 'cooked', context.options, context.diagnostics);
    const { importPack } = await import('./untold/index.ts');
    return importPack(path, new TextDecoder().decode(wholeOf(content, path)), context);
  }
  switch (kind) {
    case 'json': {
      const text = extension === '.json' ? new TextDecoder().decode(wholeOf(content, path)) : '';
      const { importManifest, isManifest } = await import('./untold/index.ts');
      if (!isManifest(text)) return importGltfSource(path, name, content, context);
      noteUnusedOptions(name, 'cooked', context.options, context.diagnostics);
      return importManifest(path, text, context);
    }
    case 'glb':
      return importGltfSource(path, name, content, context);
    case 'usda':
    case 'usdc':
    case 'usdz':
      noteUnusedOptions(name, 'USD', context.options, context.diagnostics);
      return (await import('./usd/index.ts')).importUsd(path, content, context);
    case 'untold':
      noteUnusedOptions(name, 'cooked', context.options, context.diagnostics);
      return (await import('./untold/index.ts')).importUntold(path, content, context);
    case 'mdl':
      noteUnusedOptions(name, 'Urho3D', context.options, context.diagnostics);
      return (await import('./urho3d/index.ts')).importUrho3dModel(path, content, context);
    default:
      await refuseUrho3d(headOf(content, HEAD_BYTES), name);
      return fail(
        'UC1201',
        name,
        '',
        'the content is none of glTF, GLB, USD text, USD crate, USDZ, .untold or .mdl',
        foreignRemedy(name),
      );
  }
}

/** Files of Urho3D that are no models: throws UC2460, and UC3901 for the newer ones of rbfx. */
async function refuseUrho3d(head: Uint8Array, name: string): Promise<void> {
  const identifier = String.fromCharCode(...head.subarray(0, 4));
  if (identifier === 'UANI') {
    const remedy = 'give it with the model: untold cook NAME.mdl --animation FILE.ani --out NAME.untold';
    fail('UC2460', name, '', 'it is an animation of Urho3D', remedy);
  }
  if (['UMD3', 'UAN2', 'RPAK', 'RLZ4'].includes(identifier)) {
    (await import('../formats/urho3d/recognise.ts')).requireUrho3d(head, name);
  }
}

async function importGltfSource(path: string, name: string, content: Content, context: ImportContext): Promise<Scene> {
  noteUnusedOptions(name, 'glTF', context.options, context.diagnostics);
  return (await import('./gltf/index.ts')).importGltf(path, content, context);
}

/**
 * Opens the USD source at an absolute path, as `importSource` does, and describes its composed stage. `context.diagnostics`
 * holds what is wrong with it. Throws SourceError UC1016 for a source of another format.
 */
export async function describeStage(path: string, name: string, context: ImportContext): Promise<StageDescription> {
  const content = context.files.open(path, '', '');
  const kind = recogniseContent(content);
  if (kind !== 'usda' && kind !== 'usdc' && kind !== 'usdz') {
    return fail('UC1016', name, '', '--stage needs a USD source');
  }
  noteUnusedOptions(name, 'USD', context.options, context.diagnostics);
  return (await import('./usd/index.ts')).describeUsd(path, content, context);
}
