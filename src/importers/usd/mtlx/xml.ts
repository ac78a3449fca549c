// Parses the XML of MaterialX documents into a tree of elements. The parser (saxes) knows only the five entities of
// XML, so entities cannot expand without end. This file limits depth, elements, attributes and bytes.

import { SaxesParser } from 'saxes';
import { fail } from '../../../diagnostics/diagnostic.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The line where the start tag ends, counted from 1. */
  readonly line: number;
}

// MaterialX documents nest five deep; the largest libraries have about 20,000 elements in 400 KB.
const MAX_BYTES = 64 * 2 ** 20;
const MAX_DEPTH = 64;
const MAX_ELEMENTS = 500_000;
const MAX_ATTRIBUTES = 256;

/** How many characters the parser gets at a time. */
const SLICE = 64 * 1024;

/** Decodes the bytes as UTF-16 if they have its byte order mark, else as UTF-8 (XML 1.0, 4.3.3). */
function decode(bytes: Uint8Array, identifier: string): string {
  const mark = (bytes[0] << 8) | bytes[1];
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return fail('UC1950', identifier, '', `the bytes are not ${encoding.toUpperCase()} text`);
  }
}

/** How many more elements the documents of one layer may have, included documents counted. */
export interface ElementBudget {
  left: number;
}

export function elementBudget(): ElementBudget {
  return { left: MAX_ELEMENTS };
}

/**
 * Parses a document and returns its root element. Throws SourceError with line and column: UC1950 if the document is
 * not well-formed, UC1951 if it exceeds a limit.
 */
export function parseXml(bytes: Uint8Array, identifier: string, budget: ElementBudget): XmlElement {
  if (bytes.length > MAX_BYTES) {
    return fail('UC1951', identifier, '', `the document has ${bytes.length} bytes; the limit is ${MAX_BYTES}`);
  }
  const text = decode(bytes, identifier);
  const parser = new SaxesParser();
  const at = () => `line ${parser.line}, column ${parser.column}`;
  const tooMuch = (what: string): never => fail('UC1951', identifier, '', `${at()}: ${what}`);
  const open: { readonly children: XmlElement[] }[] = [];
  let root: XmlElement | null = null;
  let attributes = 0;
  parser.on('error', (error) => {
    // Messages of saxes start with `line:column: `, which is removed.
    fail('UC1950', identifier, '', `${at()}: ${error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')}`);
  });
  parser.on('opentagstart', () => {
    attributes = 0;
    if (open.length >= MAX_DEPTH) tooMuch(`elements are nested deeper than ${MAX_DEPTH}`);
    if (--budget.left < 0) tooMuch(`more than ${MAX_ELEMENTS} elements`);
  });
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) tooMuch(`more than ${MAX_ATTRIBUTES} attributes on one element`);
  });
  parser.on('opentag', (tag) => {
    const children: XmlElement[] = [];
    const element: XmlElement = { name: tag.name, attributes: tag.attributes, children, line: parser.line };
    if (open.length > 0) open[open.length - 1].children.push(element);
    else root ??= element;
    open.push({ children });
  });
  parser.on('closetag', () => {
    open.pop();
  });
  for (let start = 0; start < text.length; start += SLICE) parser.write(text.slice(start, start + SLICE));
  parser.close();
  // For the type checker: saxes reports an empty document as an error, so `root` is never null here.
  return root ?? fail('UC1950', identifier, '', 'there is no element');
}
