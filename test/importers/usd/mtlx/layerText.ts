// A MaterialX layer as lines of text, so that tests can state all of it: one a prim, attribute value, connection and arc.

import { Diagnostics, SourceError } from '../../../../src/diagnostics/diagnostic.ts';
import {
  type Layer,
  type ListOp,
  type Reference,
  SPEC_TYPE,
  type Spec,
  type Value,
} from '../../../../src/importers/usd/layer.ts';
import { type ReadInclude, readMtlx } from '../../../../src/importers/usd/mtlx/readMtlx.ts';

function plain(value: Value): string {
  const text = (item: unknown): string =>
    typeof item === 'number' ? String(Math.fround(item) === item ? Number(item.toPrecision(6)) : item) : String(item);
  if (value.type === 'AssetPath') return `@${value.value}@`;
  if (value.type === 'String' || value.type === 'Token') return JSON.stringify(value.value);
  const items = value.value as Iterable<unknown>;
  return typeof value.value === 'object' ? `(${[...items].map(text).join(', ')})` : text(value.value);
}

const text = (spec: Spec, field: string) => String(spec.get(field)?.value ?? '');

function primLines(layer: Layer, path: string, indent: string): string[] {
  const spec = layer.specs.get(path)!;
  const type = text(spec, 'typeName');
  const references = spec.get('references')?.value as ListOp<Reference> | undefined;
  const specializes = spec.get('specializes')?.value as ListOp<string> | undefined;
  const lines = [`${indent}def ${type && `${type} `}${path.slice(path.lastIndexOf('/') + 1)}`];
  for (const item of references?.prepended ?? []) lines[0] += ` references <${item.primPath}>`;
  for (const item of specializes?.prepended ?? []) lines[0] += ` specializes <${item}>`;
  for (const name of (spec.get('properties')?.value as string[]) ?? []) {
    const property = layer.specs.get(`${path}.${name}`)!;
    if (property.type !== SPEC_TYPE.attribute) throw new Error(`${path}.${name} is no attribute`);
    const value = property.get('default');
    const connection = (property.get('connectionPaths')?.value as ListOp<string> | undefined)?.explicit ?? [];
    let line = `${indent}  ${text(property, 'typeName')} ${name}`;
    if (value) line += ` = ${plain(value)}`;
    for (const target of connection) line += ` <- ${target}`;
    for (const field of ['colorSpace', 'renderType'])
      if (property.has(field)) line += ` ${field}=${text(property, field)}`;
    lines.push(line);
  }
  for (const child of (spec.get('primChildren')?.value as string[]) ?? []) {
    lines.push(...primLines(layer, `${path}/${child}`, `${indent}  `));
  }
  return lines;
}

export const IDENTIFIER = '/scene/looks.mtlx';

export function read(xml: string | Uint8Array, include: ReadInclude | null = null) {
  const diagnostics = new Diagnostics();
  const bytes = typeof xml === 'string' ? new TextEncoder().encode(xml) : xml;
  const layer = readMtlx(bytes, IDENTIFIER, diagnostics, include);
  const children = (layer.specs.get('/')?.get('primChildren')?.value as string[]) ?? [];
  return {
    layer,
    /** Lines of everything below /MaterialX. */
    lines: children.flatMap((name) => primLines(layer, `/${name}`, '')),
    /** Lines of one prim and what is below it. */
    at: (path: string) => primLines(layer, path, ''),
    said: diagnostics.list.map((d) => `${d.code} ${d.path} ${d.message}`),
  };
}

/** Code and message of the error that a document ends in. */
export function errorOf(xml: string | Uint8Array, include: ReadInclude | null = null): string {
  try {
    read(xml, include);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return `${error.diagnostics[0].code} ${error.diagnostics[0].message}`;
  }
  return 'no error';
}

export function mtlx(body: string, attributes = ''): string {
  return `<?xml version="1.0"?>\n<materialx version="1.38"${attributes && ` ${attributes}`}>\n${body}\n</materialx>\n`;
}
