// Scene paths as usda text spells them: names, variant selections, relative forms, and making them absolute. Paths are
// strings in the crate's spelling: `/A/B`, `/A.b:c`, `/A{set=name}B`.

const ASCII_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const VARIANT = /^\.?[\p{XID_Continue}|-]*$/u;

/** A prim name or one part of a property name: a letter or underscore, then letters, digits, underscores (Unicode XID). */
export function isIdentifier(text: string): boolean {
  return ASCII_IDENTIFIER.test(text) || IDENTIFIER.test(text);
}

/** `name` or `name:name…`. */
export function isNamespacedIdentifier(text: string): boolean {
  return text.split(':').every(isIdentifier);
}

/** Names of variant sets and variants: also digits first, `|`, `-` and one leading dot. */
export function isVariantName(text: string): boolean {
  return text !== '' && VARIANT.test(text);
}

/** A selection names a variant, or none of them by ''. */
export function isVariantSelection(text: string): boolean {
  return VARIANT.test(text);
}

/** A parsed path: `up` counts leading `..`. */
export interface ScenePath {
  readonly absolute: boolean;
  readonly up: number;
  /** Prim part below its start, without a leading slash: `A{set=name}B/C`; '' for `/`, `.`, `..`. */
  readonly prims: string;
  /** `.name` and what follows it; '' for a prim path. */
  readonly property: string;
  readonly hasVariant: boolean;
}

/** End of the name that starts at `i`: before `/ . { } [ ]` or the end. */
function nameEnd(text: string, i: number): number {
  while (i < text.length && !'/.{}[]<>'.includes(text[i] as string)) i++;
  return i;
}

/** Index after a `{set=name}` that starts at `i`, or -1 when it is malformed. */
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

/** Parses a path; null when it is not one. The empty text is not a path here. */
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
  // After `..` or `/` comes a name, a property or the end; between names stands one slash or a variant selection.
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

/** Appends a child prim's name: nothing stands between a variant selection and it. */
export function childPath(parent: string, name: string): string {
  return parent === '/' || parent.endsWith('}') ? parent + name : `${parent}/${name}`;
}

/**
 * The absolute form of a parsed path, relative ones starting at `anchor` (a prim path, whose variant selections fall
 * away, as paths in values never point into variants). Null when `..` climbs over the root.
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
