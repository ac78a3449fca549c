// The files of a package for ARKit: one crate with the composed stage of a layer or package, and its textures as PNG or JPEG.

import { basename } from 'node:path';
import { type Diagnostics, diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import { writeUsdc } from '../../formats/usdc/write.ts';
import type { SourceFiles } from '../../importers/files.ts';
import { type FlatFile, flattenUsd } from '../../importers/usd/flattenUsd.ts';
import { decodeImage } from '../../textures/decode/decode.ts';
import { ImageFault } from '../../textures/decode/fault.ts';
import { probeImage } from '../../textures/decode/probe.ts';
import { encodePng } from '../../textures/encode/png.ts';

interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Bytes of a pixel in the decoded image, and in one without alpha. */
const RGBA = 4;
const RGB = 3;

function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / RGBA) * RGB);
  for (let from = 0, to = 0; from < rgba.length; from += RGBA, to += RGB) {
    rgb[to] = rgba[from];
    rgb[to + 1] = rgba[from + 1];
    rgb[to + 2] = rgba[from + 2];
  }
  return rgb;
}

/** A file as the package has it. Throws UC1101, UC1102, and UC1631 for an image that cannot be decoded. */
async function packedFile({ name, bytes, conversion, element }: FlatFile, path: string, diagnostics: Diagnostics) {
  if (conversion === null) return { name, bytes };
  const refuse = (fault: ImageFault): never => fail('UC1631', path, element, `'${name}': ${fault.message}`);
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) return refuse(info);
  if (info.deep || info.isFloat) {
    diagnostics.add(diagnostic('UC2473', path, element, `${info.format.toUpperCase()} becomes ${name}`));
  }
  const pixels = await decodeImage(bytes, info, conversion);
  if (pixels instanceof ImageFault) return refuse(pixels);
  const { width, height, data } = pixels;
  return { name, bytes: await encodePng(info.alpha ? data : withoutAlpha(data), width, height, info.alpha) };
}

/** A name of the crate that every system and every reader takes. */
function crateName(path: string): string {
  const stem = basename(path).replace(/\.[^.]*$/, '');
  return `${stem.replace(/[^A-Za-z0-9_-]/gu, '_') || 'scene'}.usdc`;
}

/** The files of the package of the layer or package at an absolute path, the crate first. Throws SourceError. */
export async function arkitFiles(path: string, files: SourceFiles, diagnostics: Diagnostics): Promise<NamedBytes[]> {
  const name = crateName(path);
  const content = files.open(path, '', '');
  const write = (specs: Parameters<typeof writeUsdc>[0]) => writeUsdc(specs, name);
  const flat = flattenUsd(path, content, { files, diagnostics, options: {} }, write);
  const packed: NamedBytes[] = [];
  const faults = [];
  for (const file of flat.files) {
    try {
      packed.push(await packedFile(file, path, diagnostics));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      faults.push(...error.diagnostics);
    }
  }
  if (faults.length > 0) throw new SourceError(faults);
  return [{ name, bytes: flat.layer }, ...packed];
}
