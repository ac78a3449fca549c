// Recognises the kind of a source and calls the importer for it.

import { fail } from '../diagnostics/diagnostic.ts';
import { KIND_IDS, KINDS, type KindId, type KindsOf, takes } from '../formats/kinds.ts';
import { HEAD_BYTES, kindOfContent } from '../formats/recognise.ts';
import { placedScene } from '../scene/placement.ts';
import type { Scene } from '../scene/types.ts';
import { type Content, headOf, wholeOf } from './content.ts';
import { foreignRemedy } from './foreignFormats.ts';
import type { ImportContext, Importer } from './importer.ts';
import { withPackage } from './packages.ts';
import { type Family, noteUnusedOptions } from './unusedOptions.ts';
import type { StageDescription } from './usd/index.ts';

export type { ImportContext, ImportOptions } from './importer.ts';
export type { ShownValue } from './shownValues.ts';
export type { StagePrimRow } from './usd/stageDocument.ts';

/** The kind of a file by its content; null where that is of no kind. */
export const recogniseContent = (content: Content, path: string): KindId | null =>
  kindOfContent(headOf(content, HEAD_BYTES), path, () => wholeOf(content, path));

interface Source {
  /** Which options concern it. */
  readonly family: Family;
  readonly load: () => Promise<Importer>;
  /** Absent: it has no stage. */
  readonly describe?: (
    path: string,
    content: Content,
    context: ImportContext,
    wanted?: number,
  ) => Promise<StageDescription>;
}

const usd: Source = {
  family: 'USD',
  load: async () => (await import('./usd/index.ts')).importUsd,
  describe: async (...given) => (await import('./usd/index.ts')).describeUsd(...given),
};
const gltf: Source = { family: 'glTF', load: async () => (await import('./gltf/index.ts')).importGltf };

/** How the kinds that a cook takes are read. */
const SOURCES: Readonly<Record<KindsOf<'cook'>, Source>> = {
  usda: usd,
  usdc: usd,
  usdz: usd,
  gltf,
  glb: gltf,
  untold: { family: 'cooked', load: async () => (await import('./untold/index.ts')).importUntold },
  manifest: { family: 'cooked', load: async () => (await import('./untold/index.ts')).importManifest },
  untoldpack: { family: 'cooked', load: async () => (await import('./untold/index.ts')).importPack },
  gali: {
    family: 'Galileo',
    load: async () => (await import('./galileo/index.ts')).importGalileo,
    describe: async (path, content) => (await import('./galileo/stage.ts')).describeGalileo(path, content),
  },
  bpx: { family: 'BPX', load: async () => (await import('./bpx/index.ts')).importBpx },
  mdl: { family: 'Urho3D', load: async () => (await import('./urho3d/index.ts')).importUrho3dModel },
  scene: { family: 'Urho3D', load: async () => (await import('./urho3d/scene.ts')).importUrho3dScene },
};

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
  const kind = recogniseContent(content, path);
  if (
    !(takes('cook', kind) && SOURCES[kind].family === 'Urho3D') &&
    (context.files.search?.animations ?? []).length > 0
  ) {
    const remedy = 'leave it out; --animations NAME chooses among the clips that other sources hold';
    context.diagnostics.report(
      'UC1015',
      name,
      '--animation',
      'it has an effect on models and scenes of Urho3D alone',
      remedy,
    );
  }
  // A clip is read as the file that it is, whose importer says what to do with it.
  const source = kind === 'clip' ? SOURCES.untold : takes('cook', kind) ? SOURCES[kind] : null;
  if (source === null) return refuse(kind, headOf(content, HEAD_BYTES), name);
  noteUnusedOptions(name, source.family, context.options, context.diagnostics);
  return (await source.load())(path, content, context);
}

/** Throws UC1201 for content of no source, UC2460 for an animation of Urho3D, and UC3901 for files of rbfx. */
async function refuse(kind: KindId | null, head: Uint8Array, name: string): Promise<never> {
  if (kind === 'ani' || kind === 'pak') (await import('../formats/urho3d/recognise.ts')).requireUrho3d(head, name);
  if (kind === 'ani') {
    const remedy = 'give it with the model: untold cook NAME.mdl --animation FILE.ani --out NAME.untold';
    fail('UC2460', name, '', 'it is an animation of Urho3D', remedy);
  }
  const titles = KIND_IDS.filter((id) => takes('cook', id)).map((id) => KINDS[id].title);
  const list = `${titles.slice(0, -1).join(', ')} or ${titles[titles.length - 1]}`;
  return fail('UC1201', name, '', `the content is none of ${list}`, foreignRemedy(name));
}

/**
 * Opens the USD source or Galileo mesh at an absolute path, as `importSource` does, and describes its composed stage or its groups.
 * `context.diagnostics` holds what is wrong with it. `wanted`: so many components of an array are enough. Throws SourceError UC1016
 * for a source of another format.
 */
export async function describeStage(
  path: string,
  name: string,
  context: ImportContext,
  wanted?: number,
): Promise<StageDescription> {
  const content = context.files.open(path, '', '');
  const kind = recogniseContent(content, path);
  const source: Source | null = takes('cook', kind) ? SOURCES[kind] : null;
  if (!source?.describe) return fail('UC1016', name, '', '--stage needs a USD source or a Galileo mesh');
  noteUnusedOptions(name, source.family, context.options, context.diagnostics);
  return source.describe(path, content, context, wanted);
}
