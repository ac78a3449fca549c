// Prims, variant sets and variants in usda text, with all statements in their braces. Nesting uses an explicit stack,
// so that deep nesting cannot overflow the call stack.

import { SPEC_TYPE } from '../../layer.ts';
import { CH, type UsdaCursor } from '../cursor.ts';
import type { LayerBuilder } from '../layerBuilder.ts';
import { childPath, isIdentifier, isNamespacedIdentifier, isVariantName } from '../paths.ts';
import type { TextSpec } from '../textSpec.ts';
import { readString } from '../values/literals.ts';
import { makeValue } from '../values/values.ts';
import { readNames } from './arcs.ts';
import { acceptListOpKeyword } from './listOps.ts';
import { readMetadata } from './metadata.ts';
import { type Qualifiers, readAttribute, readRelationship } from './properties.ts';
import { declareVariant, declareVariantSet } from './variants.ts';

const SPECIFIERS = [
  ['def', makeValue('Specifier', 'def')],
  ['over', makeValue('Specifier', 'over')],
  ['class', makeValue('Specifier', 'class')],
] as const;

/** An open block: the layer itself, the contents of a prim or variant, or the variants of a set. */
type Frame =
  | { readonly kind: 'layer' | 'contents'; readonly spec: TextSpec }
  | { readonly kind: 'variants'; readonly owner: TextSpec; readonly set: string };

/** Reads the end of a statement: a line end or `;`. The end of the block is accepted instead, with a warning. */
function endStatement(cursor: UsdaCursor, what: string): void {
  cursor.skipLine();
  const c = cursor.byte;
  if (c === CH.semicolon) cursor.pos++;
  else if (c === CH.closeBrace)
    cursor.lenient('last statement', `${what} has no line end or ';' before the closing brace`);
  else if (c !== CH.newline && c !== CH.return && !cursor.ended) cursor.expected('a line end');
}

/** Reads the line end that must follow the closing brace of a prim or variant set. */
function endBlock(cursor: UsdaCursor): void {
  cursor.skipLine();
  const c = cursor.byte;
  if (c === CH.newline || c === CH.return || cursor.ended) return;
  cursor.lenient('line after block', 'no line end follows the closing brace of a prim');
  cursor.accept(CH.semicolon);
}

/** Reads the header of a prim after its specifier, up to and with its `{`. */
function openPrim(builder: LayerBuilder, parent: TextSpec, specifier: (typeof SPECIFIERS)[number][1]): TextSpec {
  const { cursor } = builder;
  cursor.skipInline();
  let typeName = '';
  if (!cursor.atString) {
    typeName = cursor.typeIdentifier('the type or name of a prim');
    cursor.skipInline();
    while (cursor.accept(CH.dot)) {
      cursor.skipInline();
      typeName += `.${cursor.typeIdentifier('the type of a prim')}`;
      cursor.skipInline();
    }
  }
  const start = cursor.pos;
  const name = readString(cursor, 'the name of a prim in quotes');
  if (!isIdentifier(name)) cursor.fail('UC1504', `'${name}' is not a valid prim name`, start);
  const path = childPath(parent.path, name);
  if (builder.specs.has(path)) cursor.fail('UC1505', `${parent.path} has two prims named '${name}'`, start);
  const spec = builder.create(path, SPEC_TYPE.prim);
  parent.addChild('primChildren', name);
  spec.set('specifier', specifier);
  if (typeName !== '') spec.set('typeName', builder.typeName(typeName));
  cursor.element = path;
  cursor.skipLines();
  if (cursor.byte === CH.open) {
    readMetadata(builder, spec, 'prim');
    cursor.skipLines();
  }
  cursor.expect(CH.openBrace);
  return spec;
}

/** Reads the header of a variant set after `variantSet`, up to and with its `{`. */
function openVariantSet(builder: LayerBuilder, owner: TextSpec): string {
  const { cursor } = builder;
  cursor.skipInline();
  const start = cursor.pos;
  const set = readString(cursor, 'the name of a variant set in quotes');
  if (!isVariantName(set)) cursor.fail('UC1504', `'${set}' is not a valid name of a variant set`, start);
  declareVariantSet(builder, owner, set);
  cursor.skipInline();
  cursor.expect(CH.equals);
  cursor.skipLines();
  cursor.expect(CH.openBrace);
  return set;
}

/** Reads the header of a variant at its name, up to and with its `{`. */
function openVariant(builder: LayerBuilder, owner: TextSpec, set: string): TextSpec {
  const { cursor } = builder;
  const start = cursor.pos;
  const name = readString(cursor, "the name of a variant in quotes or '}'");
  if (!isVariantName(name)) cursor.fail('UC1504', `'${name}' is not a valid name of a variant`, start);
  const spec = declareVariant(builder, owner, set, name);
  cursor.element = spec.path;
  cursor.skipLines();
  if (cursor.byte === CH.open) {
    readMetadata(builder, spec, 'prim');
    cursor.skipLines();
  }
  cursor.expect(CH.openBrace);
  return spec;
}

/** Reads `reorder nameChildren|properties|rootPrims = [ … ]` if it is at the cursor. Returns whether it was. */
function acceptReorder(cursor: UsdaCursor, spec: TextSpec, inLayer: boolean): boolean {
  const start = cursor.pos;
  if (!cursor.acceptWord('reorder')) return false;
  cursor.skipInline();
  const children = cursor.acceptWord(inLayer ? 'rootPrims' : 'nameChildren');
  if (!children && (inLayer || !cursor.acceptWord('properties'))) {
    cursor.pos = start;
    return false;
  }
  cursor.skipInline();
  cursor.expect(CH.equals);
  cursor.skipInline();
  const names = readNames(cursor, children ? isIdentifier : isNamespacedIdentifier);
  spec.set(children ? 'primOrder' : 'propertyOrder', makeValue('TokenVector', names));
  endStatement(cursor, 'a reorder statement');
  return true;
}

function readVariability(cursor: UsdaCursor): Qualifiers['variability'] {
  for (const word of ['uniform', 'config', 'varying'] as const) if (cursor.acceptWord(word)) return word;
  return null;
}

function readProperty(builder: LayerBuilder, owner: TextSpec): void {
  const { cursor } = builder;
  const listOp = acceptListOpKeyword(cursor);
  const custom = cursor.acceptWord('custom');
  cursor.skipInline();
  const variability = readVariability(cursor);
  cursor.skipInline();
  if (cursor.acceptWord('rel')) readRelationship(builder, owner, { listOp, custom, variability });
  else readAttribute(builder, owner, { listOp, custom, variability });
  endStatement(cursor, 'a property');
}

/** Reads one statement in a frame. Returns the frame that the statement opens, or null. */
function readStatement(builder: LayerBuilder, frame: Frame): Frame | null {
  const { cursor } = builder;
  if (frame.kind === 'variants') {
    return { kind: 'contents', spec: openVariant(builder, frame.owner, frame.set) };
  }
  const { kind, spec } = frame;
  for (const [word, specifier] of SPECIFIERS) {
    if (cursor.acceptWord(word)) return { kind: 'contents', spec: openPrim(builder, spec, specifier) };
  }
  if (acceptReorder(cursor, spec, kind === 'layer')) return null;
  if (kind === 'layer') return cursor.expected("a prim ('def', 'over' or 'class')");
  if (cursor.acceptWord('variantSet')) {
    return { kind: 'variants', owner: spec, set: openVariantSet(builder, spec) };
  }
  readProperty(builder, spec);
  return null;
}

/** Reads all prims of the layer, from the cursor to the end of the file. */
export function readPrims(builder: LayerBuilder): void {
  const { cursor } = builder;
  const stack: Frame[] = [{ kind: 'layer', spec: builder.root }];
  for (;;) {
    const frame = stack[stack.length - 1] as Frame;
    cursor.element = frame.kind === 'variants' ? frame.owner.path : frame.kind === 'layer' ? '' : frame.spec.path;
    cursor.skipLines();
    if (frame.kind === 'layer') {
      if (cursor.ended) return;
    } else if (cursor.accept(CH.closeBrace)) {
      stack.pop();
      // No line end need follow the closing brace of a variant.
      if ((stack[stack.length - 1] as Frame).kind !== 'variants') endBlock(cursor);
      continue;
    } else if (cursor.ended) cursor.expected("'}'");
    const opened = readStatement(builder, frame);
    if (opened) stack.push(opened);
  }
}
