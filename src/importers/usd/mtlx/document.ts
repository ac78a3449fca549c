// A MaterialX document with the documents that it includes: its elements, their names in USD, and the attributes that
// they inherit from enclosing elements (MaterialX specification 1.39, "MaterialX File Format Conventions").

import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { isIdentifier } from '../text/paths.ts';
import { type ElementBudget, elementBudget, parseXml, type XmlElement } from './xml.ts';

/** The bytes of an included document. */
export interface IncludedDocument {
  readonly identifier: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads the document that `href` names in the document `from`; `element` is the including element, for messages. Throws
 * SourceError if the document is missing or forbidden.
 */
export type ReadInclude = (from: string, href: string, element: string) => IncludedDocument;

const MAX_INCLUDES = 256;
const INCLUDE = 'xi:include';

/** A name that is valid in USD: `a:b` becomes `a__b` (OpenUSD UsdMtlx), other invalid characters become underscores. */
function usdName(name: string): string {
  const joined = name.replaceAll(':', '__');
  if (isIdentifier(joined)) return joined;
  const replaced = joined.replaceAll(/[^\p{XID_Continue}]/gu, '_');
  return isIdentifier(replaced) ? replaced : `_${replaced}`;
}

export class MtlxElement {
  /** `image`, `nodegraph`, `input` … */
  readonly category: string;
  /** The name in USD; '' if the element has no name. */
  readonly name: string;
  /** The name in the document, with its namespace. */
  readonly qualifiedName: string;
  readonly parent: MtlxElement | null;
  readonly children: MtlxElement[] = [];
  /** The file and line of the element, for messages. */
  readonly file: string;
  readonly line: number;
  readonly #attributes: Readonly<Record<string, string>>;
  #byName: Map<string, MtlxElement> | null = null;

  constructor(xml: XmlElement, parent: MtlxElement | null, file: string, inherited: Readonly<Record<string, string>>) {
    this.#attributes = parent?.parent === null ? { ...inherited, ...xml.attributes } : xml.attributes;
    this.category = xml.name;
    this.parent = parent;
    this.file = file;
    this.line = xml.line;
    const name = this.get('name');
    const space = parent?.parent === null ? this.get('namespace') : '';
    this.qualifiedName = space === '' || name === '' ? name : `${space}:${name}`;
    this.name = this.qualifiedName === '' ? '' : usdName(this.qualifiedName);
  }

  /** The value of an attribute; '' if it is absent or empty. */
  get(attribute: string): string {
    return Object.hasOwn(this.#attributes, attribute) ? this.#attributes[attribute] : '';
  }

  has(attribute: string): boolean {
    return Object.hasOwn(this.#attributes, attribute);
  }

  /** The value of an attribute of this element, or of the nearest enclosing element that has it; '' if none has it. */
  active(attribute: string): string {
    for (let at: MtlxElement | null = this; at; at = at.parent) if (at.has(attribute)) return at.get(attribute);
    return '';
  }

  /** The inputs. Before MaterialX 1.38, uniform inputs are `parameter` elements. */
  get inputs(): MtlxElement[] {
    return this.children.filter(
      (child) => child.name !== '' && (child.category === 'input' || child.category === 'parameter'),
    );
  }

  get outputs(): MtlxElement[] {
    return this.children.filter((child) => child.name !== '' && child.category === 'output');
  }

  /** The child with a qualified name; null if there is none. */
  child(name: string): MtlxElement | null {
    if (this.#byName === null) {
      this.#byName = new Map();
      for (const child of this.children) {
        if (child.qualifiedName !== '' && !this.#byName.has(child.qualifiedName)) {
          this.#byName.set(child.qualifiedName, child);
        }
      }
    }
    return this.#byName.get(name) ?? null;
  }

  /** The path for messages: `/nodegraph/image`. An element without a name has its category in it. */
  get path(): string {
    const parts: string[] = [];
    for (let at: MtlxElement | null = this; at?.parent; at = at.parent)
      parts.push(at.qualifiedName || `<${at.category}>`);
    return `/${parts.reverse().join('/')}`;
  }
}

/** The attributes that the elements of an included document inherit from its root. */
const INHERITED = ['fileprefix', 'geomprefix', 'colorspace', 'namespace'] as const;

export class MtlxDocument {
  readonly identifier: string;
  readonly root: MtlxElement;
  readonly #diagnostics: Diagnostics;
  readonly #include: ReadInclude | null;
  readonly #budget: ElementBudget = elementBudget();
  /** The names of the elements at the top level. */
  readonly #names = new Set<string>();
  /** The identifiers of this document and the included ones. */
  readonly #files = new Set<string>();
  #includes = 0;
  #size = 0;

  /** Reads the document and those that it includes. Throws SourceError: UC1950, UC1951, and the errors of `include`. */
  constructor(bytes: Uint8Array, identifier: string, diagnostics: Diagnostics, include: ReadInclude | null) {
    this.identifier = identifier;
    this.#diagnostics = diagnostics;
    this.#include = include;
    const xml = this.#parse(bytes, identifier);
    this.root = new MtlxElement(xml, null, identifier, {});
    this.#files.add(identifier);
    this.#fill(xml, identifier, {}, [identifier]);
  }

  /** The size in bytes of the document and those that it includes. */
  get size(): number {
    return this.#size;
  }

  get children(): readonly MtlxElement[] {
    return this.root.children;
  }

  /** The element of the top level that `name` refers to in `from`. The namespace of `from` is searched first. */
  find(name: string, from: MtlxElement): MtlxElement | null {
    if (name === '') return null;
    const space = from.active('namespace');
    return (space === '' ? null : this.root.child(`${space}:${name}`)) ?? this.root.child(name);
  }

  report(
    code: 'UC1952' | 'UC1953' | 'UC1954' | 'UC1955' | 'UC1956' | 'UC1957' | 'UC1958',
    at: MtlxElement,
    message: string,
  ): void {
    this.#diagnostics.report(code, at.file, at.path, `line ${at.line}: ${message}`);
  }

  limit(at: MtlxElement, message: string): never {
    return fail('UC1951', at.file, at.path, `line ${at.line}: ${message}`);
  }

  #parse(bytes: Uint8Array, identifier: string): XmlElement {
    const xml = parseXml(bytes, identifier, this.#budget);
    this.#size += bytes.length;
    if (xml.name === 'materialx') return xml;
    return fail('UC1950', identifier, '', `line ${xml.line}: the root element is <${xml.name}>, not <materialx>`);
  }

  /** Adds the elements of a document to the top level. `chain`: the document and those through which it is included. */
  #fill(xml: XmlElement, file: string, inherited: Readonly<Record<string, string>>, chain: readonly string[]): void {
    for (const child of xml.children) {
      if (child.name === INCLUDE) {
        this.#addInclude(child, file, chain);
        continue;
      }
      const element = new MtlxElement(child, this.root, file, inherited);
      if (element.name !== '' && this.#names.has(element.name)) {
        this.report('UC1952', element, `'${element.qualifiedName}' exists already; the first is used`);
        continue;
      }
      this.#names.add(element.name);
      this.root.children.push(element);
      this.#addChildren(element, child, file);
    }
  }

  /** Adds the descendants of an element. The XML reader limits the depth of the recursion. */
  #addChildren(parent: MtlxElement, xml: XmlElement, file: string): void {
    const known = new Set<string>();
    for (const child of xml.children) {
      const element = new MtlxElement(child, parent, file, {});
      if (element.category === INCLUDE)
        this.report('UC1953', element, 'only the top level of a document can include others');
      if (element.name !== '' && known.has(element.name)) {
        this.report('UC1952', element, `'${element.qualifiedName}' exists already; the first is used`);
        continue;
      }
      known.add(element.name);
      parent.children.push(element);
      this.#addChildren(element, child, file);
    }
  }

  #addInclude(xml: XmlElement, file: string, chain: readonly string[]): void {
    const href = xml.attributes.href ?? '';
    const element = `<${INCLUDE} href="${href}">`;
    const skip = (why: string) => this.#diagnostics.report('UC1953', file, element, `line ${xml.line}: ${why}`);
    if (href === '' || this.#include === null) {
      skip(href === '' ? 'the inclusion names no document' : 'this document cannot include others');
      return;
    }
    if (++this.#includes > MAX_INCLUDES) fail('UC1951', file, element, `more than ${MAX_INCLUDES} inclusions`);
    const { identifier, bytes } = this.#include(file, href, element);
    if (chain.includes(identifier)) {
      skip('the documents include each other in a circle');
      return;
    }
    // If several documents include the same one, its elements are added once.
    if (this.#files.has(identifier)) return;
    this.#files.add(identifier);
    const included = this.#parse(bytes, identifier);
    const inherited: Record<string, string> = {};
    for (const name of INHERITED) {
      if (Object.hasOwn(included.attributes, name)) inherited[name] = included.attributes[name];
    }
    this.#fill(included, identifier, inherited, [...chain, identifier]);
  }
}
