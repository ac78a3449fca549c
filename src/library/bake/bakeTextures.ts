// bakeTextures(): images to cooked textures, and the references of cooked files to them, as the engine's own tool does it.

import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BAKE_CALL_OPTIONS } from '../../config/options/bakeOptions.ts';
import { type OptionsOf, settle } from '../../config/options/option.ts';
import { showPath } from '../../config/showPath.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, Diagnostics, fail, SourceError, sortDiagnostics } from '../../diagnostics/diagnostic.ts';
import { faultsOf } from '../../diagnostics/environment.ts';
import { extensionOf } from '../../formats/kinds.ts';
import { type TextureReference, textureReferences } from '../../formats/untold/textureFiles.ts';
import { encodeUtex } from '../../formats/utex/encode.ts';
import { isFile, isFolder, readWhole } from '../../importers/wholeFile.ts';
import { decodeImage } from '../../textures/decode/decode.ts';
import { FAULT_CODES, type FaultKind, ImageFault } from '../../textures/decode/fault.ts';
import { probeImage } from '../../textures/decode/probe.ts';
import { promisedFormat } from '../../textures/decode/registry.ts';
import { KEPT_TEXTURES, type TextureQuality, type TextureSettings } from '../../textures/types.ts';
import { type CallOptions, checkOptions } from '../call/checkOptions.ts';
import { folderOfMessages, workingFolder } from '../call/environment.ts';
import { exitCodeOf } from '../call/exitCode.ts';
import { failedCall } from '../call/faults.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { writeWhole } from '../call/writeWhole.ts';
import { modelsOf, type PatchedModel, patchModel } from './patchRefs.ts';
import { type BakeSlot, type ImageSlot, isBaked, ROLES, slotOfFlags, slotOfName } from './slots.ts';

/** The options of `untold texbake` in camelCase, and a callback, which must not throw. */
export interface BakeOptions extends OptionsOf<typeof BAKE_CALL_OPTIONS>, CallOptions {
  /** Called after each image. */
  readonly onImage?: ((image: string, done: number, total: number) => void) | undefined;
}

export interface BakedTexture {
  /** The image and its texture, relative to the working folder, with `/`. */
  readonly image: string;
  readonly out: string;
  readonly slot: BakeSlot;
  readonly width: number;
  readonly height: number;
  readonly mipCount: number;
  readonly bytes: number;
}

export interface BakeDocument {
  readonly baked: readonly BakedTexture[];
  /** The files that were to be patched, and how many of their textures changed. */
  readonly patched: readonly { readonly path: string; readonly textures: number }[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface BakeResult {
  /** What `untold texbake` would end with. */
  readonly exitCode: number;
  /** Null: the call was refused. */
  readonly document: BakeDocument | null;
  readonly diagnostics: readonly Diagnostic[];
}

const UTEX = extensionOf('utex');

const QUALITIES: Readonly<Record<(typeof BAKE_CALL_OPTIONS)[4]['kind']['choices'][number], TextureQuality>> = {
  fastest: 'fast',
  fast: 'fast',
  medium: 'medium',
  thorough: 'thorough',
  exhaustive: 'thorough',
};

type Settled = OptionsOf<typeof BAKE_CALL_OPTIONS>;

const stemOf = (path: string): string => basename(path, extname(path));

interface Baking {
  readonly image: string;
  readonly out: string;
}

const CLASH_REMEDY = 'rename an image, or bake each with --input and --output';

/** What to do about an image that cannot be read; a cook has flags for that. */
const IMAGE_REMEDIES: Readonly<Record<FaultKind, string>> = {
  unsupported: 'save the image as 8-bit PNG or JPEG',
  cut: 'export or download the image again',
  damaged: 'save the image again from its original',
  large: 'reduce the image',
};

/**
 * The images of a call with the files that they become; reports UC1005 for those that would become the same. Throws UC1002, UC1003,
 * UC1012 and UC1200.
 */
function imagesOf({ input, output, dir, patchRefs }: Settled, cwd: string, diagnostics: Diagnostics): Baking[] {
  if (input !== undefined && dir !== undefined) fail('UC1012', '', '--dir', '--input was given too');
  if (output !== undefined && input === undefined) fail('UC1002', '', '--input', '--output has no image');
  if (output !== undefined && extname(output) !== UTEX) {
    fail('UC1003', '', '--output', `"${showPath(output, cwd)}" was given, but the file has to end in ${UTEX}`);
  }
  const beside = (image: string) => join(dirname(image), `${stemOf(image)}${UTEX}`);
  if (input !== undefined && !isFile(input)) fail('UC1200', showPath(input, cwd), '', 'no such file');
  if (input !== undefined) return [{ image: input, out: output ?? beside(input) }];
  if (dir === undefined) {
    if (patchRefs === undefined)
      fail('UC1002', '', '--input', 'no image is named', 'give --input, --dir or --patch-refs');
    return [];
  }
  if (!isFolder(dir)) fail('UC1003', '', '--dir', `${showPath(dir, cwd)} is not a folder`, 'give a folder that exists');
  const names = readdirSync(dir).filter((name) => promisedFormat(name) !== null && isFile(join(dir, name)));
  // Names are compared without case, as many disks do.
  const keyOf = (name: string) => stemOf(name).toLowerCase();
  const byStem = new Map<string, string[]>();
  for (const name of names.sort()) byStem.set(keyOf(name), [...(byStem.get(keyOf(name)) ?? []), name]);
  return names.flatMap((name) => {
    const image = join(dir, name);
    const out = beside(image);
    const others = (byStem.get(keyOf(name)) ?? []).filter((other) => other !== name);
    if (others.length === 0) return [{ image, out }];
    const message = `writes ${basename(out)}, as ${others.join(', ')}`;
    diagnostics.report('UC1005', showPath(image, cwd), '', message, CLASH_REMEDY);
    return [];
  });
}

/** References of cooked files to images, by the lower-case stem of the image; the first file counts. */
class KnownSlots {
  readonly #patched: readonly PatchedModel[];
  /** By folder, what the .untold files in it say. */
  readonly #folders = new Map<string, ReadonlyMap<string, ImageSlot>>();

  constructor(patched: readonly PatchedModel[]) {
    this.#patched = patched;
  }

  /** What an image is: by the files that are patched, by those above its folder `Textures`, or by its name. */
  async of(image: string): Promise<ImageSlot> {
    const stem = stemOf(image);
    const folder = dirname(image);
    const patched = slotsOf(this.#patched.flatMap(({ references }) => references)).get(stem.toLowerCase());
    if (patched) return patched;
    const above = basename(folder).toLowerCase() === 'textures' ? await this.#below(dirname(folder)) : null;
    return above?.get(stem.toLowerCase()) ?? slotOfName(stem);
  }

  async #below(folder: string): Promise<ReadonlyMap<string, ImageSlot>> {
    const known = this.#folders.get(folder);
    if (known) return known;
    const references: TextureReference[] = [];
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (extname(name) === extensionOf('untold') && isFile(path))
        references.push(...(await textureReferences(readWhole(path))));
    }
    const slots = slotsOf(references);
    this.#folders.set(folder, slots);
    return slots;
  }
}

function slotsOf(references: readonly TextureReference[]): ReadonlyMap<string, ImageSlot> {
  const slots = new Map<string, ImageSlot>();
  for (const { uri, record } of references) {
    const slot = slotOfFlags(record.flags);
    const stem = stemOf(uri).toLowerCase();
    if (slot !== null && !slots.has(stem)) slots.set(stem, slot);
  }
  return slots;
}

/** Bakes one image into its file. Throws UC2100 to UC2103, and what reading and writing throw. */
async function bakeOne(
  image: string,
  out: string,
  slot: BakeSlot,
  settings: TextureSettings,
  name: string,
  turn: () => Promise<void>,
) {
  const bytes = readWhole(image);
  const role = ROLES[slot];
  const info = await probeImage(bytes);
  const pixels =
    info instanceof ImageFault ? info : await decodeImage(bytes, info, role === 'color' ? 'color' : 'data');
  if (info instanceof ImageFault || pixels instanceof ImageFault) {
    const { kind, message } = (info instanceof ImageFault ? info : pixels) as ImageFault;
    return fail(FAULT_CODES[kind], name, '', message, IMAGE_REMEDIES[kind]);
  }
  const texels = { ...pixels, channels: 4, alpha: info.alpha } as const;
  const file = await encodeUtex(texels, { role, alphaCutoff: null, split: false, roughness: null }, settings, turn);
  const replaced = isFile(out) && Buffer.compare(readWhole(out), file.bytes) !== 0;
  writeWhole(out, file.bytes, '--output');
  const { width, height, mipCount } = file;
  return { width, height, mipCount, bytes: file.bytes.length, replaced };
}

async function bakeAll(
  given: BakeOptions,
  cwd: string,
  diagnostics: Diagnostics,
): Promise<Omit<BakeDocument, 'diagnostics'>> {
  const options = settle(BAKE_CALL_OPTIONS, checkOptions(BAKE_CALL_OPTIONS, given, cwd));
  const images = imagesOf(options, cwd, diagnostics);
  // What cannot be patched is known before anything is written.
  const models = options.patchRefs === undefined ? [] : await modelsOf(options.patchRefs, cwd);
  const settings: TextureSettings = {
    ...KEPT_TEXTURES,
    mode: 'utex',
    quality: QUALITIES[options.quality],
    pot: 'keep',
    mipFilter: 'engine',
    blocks: 'engine',
  };
  const known = new KnownSlots(models);
  const baked: BakedTexture[] = [];
  const patched: { path: string; textures: number }[] = [];
  /** Lets signals be heard while an image is encoded. */
  const turn = async () => {
    await nextTurn();
    throwIfAborted(given.signal);
  };
  /** One that fails does not stop the others. */
  const attempt = async (file: string, work: () => Promise<void>) => {
    throwIfAborted(given.signal);
    try {
      await work();
    } catch (error) {
      const faults = faultsOf(error, file);
      if (faults === null) throw error;
      for (const fault of faults) diagnostics.add(fault);
    }
  };
  for (const [i, { image, out }] of images.entries()) {
    const name = showPath(image, cwd);
    await attempt(image, async () => {
      const slot = options.slot ?? (await known.of(image));
      if (isBaked(slot)) {
        const { replaced, ...made } = await bakeOne(image, out, slot, settings, name, turn);
        const shown = showPath(out, cwd);
        if (replaced) diagnostics.report('UC2150', shown, '', `baked of ${name}`);
        baked.push({ image: name, out: shown, slot, ...made });
      } else if (options.input === undefined) diagnostics.report('UC2117', name, '', `it is a ${slot} map`);
      else fail('UC2118', name, '', `it is a ${slot} map`);
    });
    given.onImage?.(name, i + 1, images.length);
  }
  for (const model of models) {
    await attempt(model.path, async () => {
      patched.push({ path: model.name, textures: await patchModel(model, cwd, diagnostics) });
    });
  }
  return { baked, patched };
}

/** Runs a call of bakeTextures(). Rejects only for a bug. */
export async function runBakeTextures(given: BakeOptions): Promise<BakeResult> {
  try {
    throwIfAborted(given.signal);
    const cwd = workingFolder(given);
    const diagnostics = new Diagnostics();
    const done = await bakeAll(given, cwd, diagnostics);
    const shown = sortDiagnostics(diagnostics.list).map((item) => shownDiagnostic(item, folderOfMessages(given)));
    return { exitCode: exitCodeOf(shown), document: { ...done, diagnostics: shown }, diagnostics: shown };
  } catch (error) {
    if (!(error instanceof SourceError) && faultsOf(error, '') === null) throw error;
    return { document: null, ...failedCall(error, given) };
  }
}
