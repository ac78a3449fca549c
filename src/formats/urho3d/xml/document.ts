// XML as Urho3D's materials and scenes are: elements with attributes, no text. Written with every character escaped that means
// something; parsed with saxes, which knows only the five entities of XML, without document types and within limits.

import { SaxesParser } from 'saxes';
import { fail } from '../../../diagnostics/diagnostic.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

export const element = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly XmlElement[] = [],
): XmlElement => ({ name, attributes, children });

// Real materials have some 1 KB and two levels; scenes nest as deep as their nodes.
const MAX_BYTES = 64 * 2 ** 20;
const MAX_DEPTH = 64;
const MAX_ELEMENTS = 500_000;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A value between quotes. Characters that XML 1.0 cannot hold become U+FFFD, its sign for what is not known. */
export function escapeXml(value: string): string {
  return value
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character])
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The document, with a line for each element, as UTF-8. */
export function writeXml(root: XmlElement): Uint8Array {
  const lines = ['<?xml version="1.0"?>'];
  const write = ({ name, attributes, children }: XmlElement, indent: string): void => {
    const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
    if (children.length === 0) {
      lines.push(`${indent}<${name}${given.join('')} />`);
      return;
    }
    lines.push(`${indent}<${name}${given.join('')}>`);
    for (const child of children) write(child, `${indent}\t`);
    lines.push(`${indent}</${name}>`);
  };
  write(root, '');
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

/**
 * The root of a document. Throws UC3971 if it is not well-formed or has a document type, UC3960 beyond a limit, with line and
 * column.
 */
export function parseXml(bytes: Uint8Array, file: string): XmlElement {
  if (bytes.length > MAX_BYTES)
    fail('UC3960', file, '', `material or scene too large: ${bytes.length} bytes; the limit is ${MAX_BYTES}`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail('UC3971', file, '', 'material or scene that is not well-formed XML: the bytes are not UTF-8');
  }
  const parser = new SaxesParser();
  const at = () => `line ${parser.line}, column ${parser.column}`;
  const open: XmlElement[][] = [];
  let root: XmlElement | null = null;
  let left = MAX_ELEMENTS;
  parser.on('error', (error) => {
    // Messages of saxes start with `line:column: `, which is removed.
    fail(
      'UC3971',
      file,
      '',
      `material or scene that is not well-formed XML: ${at()}: ${error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')}`,
    );
  });
  parser.on('doctype', () =>
    fail('UC3971', file, '', `material or scene that is not well-formed XML: ${at()}: a document type`),
  );
  parser.on('opentagstart', () => {
    if (open.length >= MAX_DEPTH)
      fail('UC3960', file, '', `material or scene too large: ${at()}: elements are nested deeper than ${MAX_DEPTH}`);
    if (--left < 0)
      fail('UC3960', file, '', `material or scene too large: ${at()}: more than ${MAX_ELEMENTS} elements`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const children: XmlElement[] = [];
    const found = { name, attributes, children };
    open.at(-1)?.push(found);
    root ??= found;
    open.push(children);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text);
  parser.close();
  // For the type checker: saxes reports an empty document as an error.
  return root ?? fail('UC3971', file, '', 'material or scene that is not well-formed XML: there is no element');
}

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

/** Numbers between spaces; null where there are more than `most`, or anything else than finite numbers of 32 bits. */
export function numbersOf(text: string, most: number): number[] | null {
  const words = text.trim().split(/\s+/, most + 1);
  const values = words.map(Number);
  const areNumbers = words.every((word, i) => NUMBER.test(word) && Number.isFinite(Math.fround(values[i])));
  return words.length <= most && areNumbers ? values : null;
}

/** Numbers with as few digits as keep their value in 32 bits. Throws an Error, a bug of the caller, if one is not finite. */
export function numbers(values: readonly number[]): string {
  return values.map(shortest).join(' ');
}

function shortest(value: number): string {
  const wanted = Math.fround(value);
  if (!Number.isFinite(wanted)) throw new Error(`${value} cannot be written`);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(wanted.toPrecision(digits));
    // + 0: zero has no sign.
    if (Math.fround(short) === wanted) return String(short + 0);
  }
  return String(Number(wanted.toPrecision(9)));
}
