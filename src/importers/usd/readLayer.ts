// Reads the content of one layer. The content decides the format; targets of arcs with a foreign file extension are
// refused.

import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import { extensionsFor, KINDS } from '../../formats/kinds.ts';
import { beginsAs } from '../../formats/recognise.ts';
import { type Content, headOf, wholeOf } from '../content.ts';
import { isCrate, readCrate } from './crate/readCrate.ts';
import type { Layer } from './layer.ts';
import { isXml, type ReadInclude, readMtlx } from './mtlx/readMtlx.ts';
import { isUsda, readUsda } from './text/readUsda.ts';

/** What recognises a layer looks at no more bytes than these. */
const HEAD_BYTES = 256;

/** Whether the content starts like a zip archive: with the local header of its first file. */
export const isZip = (content: Content): boolean => beginsAs('usdz', headOf(content, 4));

/** Files that arcs may lead to. */
const READ_EXTENSIONS = [...extensionsFor('pack'), ...KINDS.usdz.extensions, '.mtlx'];

/**
 * Throws UC1716 if the name of an arc's target has an extension of a format that is not read. Call it before the file
 * is read.
 */
export function refuseForeignName(name: string, from: string, element: string): void {
  const extension = /\.[A-Za-z0-9]+$/.exec(name)?.[0].toLowerCase();
  if (extension === undefined || READ_EXTENSIONS.includes(extension)) return;
  fail('UC1716', from, element, `${extension} files are not read: ${name}`);
}

/**
 * Reads a layer. `include` finds the documents that a MaterialX document includes; `storedBytes` is the size of the
 * layer on disk. Throws SourceError: UC1201 for content of another format, and the errors of the readers.
 */
export function readLayer(
  content: Content,
  identifier: string,
  diagnostics: Diagnostics,
  include: ReadInclude,
  storedBytes = content.size,
): Layer {
  const head = headOf(content, HEAD_BYTES);
  if (isCrate(head)) return readCrate(content, identifier, diagnostics, storedBytes);
  if (isUsda(head)) return readUsda(wholeOf(content, identifier), identifier, diagnostics);
  if (isXml(head)) return readMtlx(wholeOf(content, identifier), identifier, diagnostics, include);
  return fail('UC1201', identifier, '', 'the content is neither USD text, USD crate, USDZ nor MaterialX');
}
