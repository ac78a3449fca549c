// Scene paths in usda text (OpenUSD, sdf/path.h): checks names and variant selections, parses paths and makes relative
// ones absolute. Absolute paths are strings as crates spell them: `/A/B`, `/A.b:c`, `/A{set=name}B`.

const ASCII_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const VARIANT = /^\.?[\p{XID_Continue}|-]*$/u;

/**
 * Whether a text is a prim name or one part of a property name: a Unicode XID identifier, or one that starts with `_`.
 */
export function isIdentifier(text: string): boolean {
  return ASCII_IDENTIFIER.test(text) || IDENTIFIER.test(text);
}

/** `name` or `name:name…`. */
export function isNamespacedIdentifier(text: string): boolean {
  return text.split(':').every(isIdentifier);
}

/**
 * Whether a text names a variant set or variant. Such names can also start with a digit or dot, and contain `|`, `-`.
 */
export function isVariantName(text: string): boolean {
  return text !== '' && VARIANT.test(text);
}

/** Whether a text is a variant selection: the name of a variant, or '' for none. */
export function isVariantSelection(text: string): boolean {
  return VARIANT.test(text);
}

/** A parsed path. */
export interface ScenePath {
  readonly absolute: boolean;
  /** The count of leading `..`. */
  readonly up: number;
  /** The prim part without `..` and leading slash: `A{set=name}B/C`; '' for `/`, `.`, `..`. */
  readonly prims: string;
  /** `.name` and what follows it; '' for a prim path. */
  readonly property: string;
  readonly hasVariant: boolean;
}

/** The end of the name that starts at `i`. */
function nameEnd(text: string, i: number): number {
  while (i < text.length && !'/.{}[]<>'.includes(text[i] as string)) i++;
  return i;
}

/** The index after the `{set=name}` that starts at `i`, or -1 if it is malformed. */
function variantEnd(text: string, i: number): number {
  const close = text.indexOf('}', i);
  if (close < 0) return -1;
  const inside = text.slice(i + 1, close);
  const equals = inside.indexOf('=');
  if (equals < 1) return -1;
  const valid = isVariantName(inside.slice(0, equals).trim()) && isVariantSelection(inside.slice(equals + 1).trim());
  return valid ? close + 1 : -1;
}

/** Whether `.name…` is a property: names with colons, then target paths in balanced brackets and further properties. */
function isProperty(text: string): boolean {
  let i = 0;
  while (i < text.length) {
    if (text[i] === '.') {
      const end = nameEnd(text, i + 1);
      if (!isNamespacedIdentifier(text.slice(i + 1, end))) return false;
      i = end;
    } else if (text[i] === '[' && i > 0) {
      let depth = 0;
      let k = i;
      for (; k < text.length; k++) {
        if (text[k] === '[') depth++;
        else if (text[k] === ']' && --depth === 0) break;
      }
      if (k === text.length || k === i + 1) return false;
      i = k + 1;
    } else return false;
  }
  return true;
}

/** Parses a path; null if the text is not a path, as the empty text. */
export function parseScenePath(text: string): ScenePath | null {
  if (text === '') return null;
  const absolute = text.startsWith('/');
  let i = absolute ? 1 : 0;
  let up = 0;
  let hasVariant = false;
  if (!absolute) {
    if (text === '.') return { absolute, up, prims: '', property: '', hasVariant };
    while (text.startsWith('..', i)) {
      up++;
      i += 2;
      if (i === text.length) break;
      if (text[i] !== '/' || ++i === text.length) return null;
    }
  }
  const start = i;
  // After `..` or a leading `/`, a name, a property or the end follows. One slash or a variant selection separates
  // names.
  let needName = false;
  while (i < text.length && text[i] !== '.') {
    const end = nameEnd(text, i);
    if (!isIdentifier(text.slice(i, end))) return null;
    i = end;
    needName = false;
    while (text[i] === '{') {
      i = variantEnd(text, i);
      if (i < 0) return null;
      hasVariant = true;
    }
    if (text[i] === '/') {
      i++;
      needName = true;
    } else if (text[i - 1] !== '}' && i < text.length && text[i] !== '.') return null;
  }
  if (needName) return null;
  const property = text.slice(i);
  if (property !== '' && (!isProperty(property) || (absolute && i === 1))) return null;
  return { absolute, up, prims: text.slice(start, i), property, hasVariant };
}

/** The path of the prim without variant selections: `/A{set=name}B` is `/A/B`. */
export function stripVariants(path: string): string {
  if (!path.includes('{')) return path;
  const stripped = path.replace(/\{[^}]*\}/g, '/').replace(/\/+/g, '/');
  return stripped.length > 1 && stripped.endsWith('/') ? stripped.slice(0, -1) : stripped.replace('/.', '.');
}

/** Appends the name of a child prim. After a variant selection, the name follows without a slash. */
export function childPath(parent: string, name: string): string {
  return parent === '/' || parent.endsWith('}') ? parent + name : `${parent}/${name}`;
}

/**
 * The absolute form of a parsed path. A relative path starts at the prim path `anchor` without its variant selections,
 * because paths in values never point into variants. Null if `..` leads above the root.
 */
export function absolutePath(path: ScenePath, anchor: string): string | null {
  if (path.absolute) return `/${path.prims}${path.property}`;
  let base = stripVariants(anchor);
  for (let i = 0; i < path.up; i++) {
    if (base === '/') return null;
    base = base.slice(0, Math.max(base.lastIndexOf('/'), 1));
  }
  const prim = path.prims === '' ? base : childPath(base, path.prims);
  return prim === '/' && path.property !== '' ? null : prim + path.property;
}
