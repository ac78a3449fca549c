// The files whose textures are to be cooked ones: a .untold file, or the models of a pack.

import { dirname, extname, join } from 'node:path';
import { showPath } from '../../config/showPath.ts';
import { type Diagnostics, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { Findings } from '../../formats/findings.ts';
import { FIRST_NATIVE_TEXTURE_FORMAT } from '../../formats/untold/container/records.ts';
import { type NewTexture, repointed } from '../../formats/untold/repoint.ts';
import { type TextureReference, textureReferences } from '../../formats/untold/textureFiles.ts';
import { climbs, isPackPath } from '../../formats/untoldpack/document.ts';
import { validatePack } from '../../formats/untoldpack/validate.ts';
import { HEADER_BYTES } from '../../formats/utex/layout.ts';
import { readHeader } from '../../formats/utex/open.ts';
import { isFile, readHead, readWhole, readWholeText, statusOf } from '../../importers/wholeFile.ts';
import { rewriteWhole } from '../call/writeWhole.ts';

/** A file whose references may change. */
export interface PatchedModel {
  readonly path: string;
  /** As messages call it. */
  readonly name: string;
  readonly references: readonly TextureReference[];
}

/** The models behind a path. Throws what reading throws, and the errors of a pack. */
export async function modelsOf(path: string, cwd: string): Promise<PatchedModel[]> {
  const name = showPath(path, cwd);
  if (!isFile(path)) fail('UC1200', name, '', 'no such file');
  const paths = isPackPath(path) ? modelsOfPack(path, name) : [path];
  const models: PatchedModel[] = [];
  for (const model of paths) {
    const own = showPath(model, cwd);
    const findings = new Findings(own);
    const references = await textureReferences(readWhole(model), findings);
    findings.throwIfErrors();
    models.push({ path: model, name: own, references });
  }
  return models;
}

/** The models of a pack and the levels of their chains, whose tables have to stay equal. Throws its errors. */
function modelsOfPack(path: string, name: string): string[] {
  const folder = dirname(path);
  const size = (model: string) => statusOf(join(folder, model)).stat?.size ?? null;
  const { pack, models, levels, diagnostics } = validatePack(readWholeText(path), name, { size });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (pack === null || errors.length > 0) throw new SourceError(errors);
  const outside = [...models, ...levels].filter(climbs);
  if (outside.length > 0) {
    const remedy = 'give its .untold file itself to --patch-refs';
    const severity = 'error';
    throw new SourceError(
      outside.map((model) => ({ ...diagnostic('UC3198', name, 'models', model, remedy), severity })),
    );
  }
  return [...models, ...levels].map((model) => join(folder, model));
}

/** A URI that is no path. */
const HAS_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** The cooked texture beside the image of a reference, where the engine looks for the image; null: there is none. */
function cookedBeside({ uri, record }: TextureReference, folder: string): { uri: string; path: string } | null {
  if (record.textureFormat >= FIRST_NATIVE_TEXTURE_FORMAT || HAS_SCHEME.test(uri) || /[\\\0]/.test(uri)) return null;
  const cooked = `${uri.slice(0, uri.length - extname(uri).length)}.utex`;
  const relative = cooked.replace(/^\/+/, '');
  const path = [relative, relative.slice(relative.lastIndexOf('/') + 1)]
    .map((one) => join(folder, one))
    .find((one) => isFile(one));
  return path === undefined ? null : { uri: cooked, path };
}

/**
 * Lets a model name the cooked textures beside its images, and replaces it whole; gives how many. Throws what reading and
 * writing throw; reports what is wrong with a texture.
 */
export async function patchModel(model: PatchedModel, cwd: string, diagnostics: Diagnostics): Promise<number> {
  const textures = new Map<number, NewTexture>();
  for (const reference of model.references) {
    const cooked = cookedBeside(reference, dirname(model.path));
    if (cooked === null) continue;
    const findings = new Findings(showPath(cooked.path, cwd));
    const header = readHeader(readHead(cooked.path, HEADER_BYTES), findings);
    for (const item of findings.list()) diagnostics.add(item);
    const textureFormat = header?.format?.recordFormat ?? null;
    if (header === null || textureFormat === null) continue;
    const { width, height } = header;
    textures.set(reference.index, { uri: cooked.uri, textureFormat, width, height });
  }
  if (textures.size > 0) {
    rewriteWhole(model.path, await repointed(readWhole(model.path), model.name, textures), '--patch-refs');
  }
  return textures.size;
}
