// The URIs of a glTF or GLB: embedded data, or a relative path of another file (glTF 2.0, 4.1). Absolute and remote
// references are errors.

import { fail, SourceError } from '../../../diagnostics/diagnostic.ts';
import { resolveReference, type SourceFiles } from '../../files.ts';

export function isDataUri(uri: string): boolean {
  return /^data:/i.test(uri);
}

/** `data:image/png` of a data URI, for reports. */
export function dataUriMediaType(uri: string): string {
  const comma = uri.indexOf(',');
  return uri.slice(0, comma < 0 ? 40 : Math.min(comma, 40)).replace(/;.*$/s, '');
}

/** Bytes, not characters: the data need not be UTF-8. Null for a percent sign without two digits. */
function percentDecode(text: string): Uint8Array | null {
  const source = Buffer.from(text, 'utf8');
  const out = new Uint8Array(source.length);
  let to = 0;
  for (let at = 0; at < source.length; at++) {
    if (source[at] !== 0x25) {
      out[to++] = source[at];
      continue;
    }
    const digits = source.toString('latin1', at + 1, at + 3);
    if (!/^[0-9a-f]{2}$/i.test(digits)) return null;
    out[to++] = Number.parseInt(digits, 16);
    at += 2;
  }
  return out.slice(0, to);
}

/** Decodes a data URI (RFC 2397) into memory of its own, so that typed arrays over it align. UC1315. */
export function decodeDataUri(file: string, path: string, uri: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (comma < 0) return fail('UC1315', file, path, 'the data URI has no comma');
  const body = uri.slice(comma + 1);
  if (!/;base64$/i.test(uri.slice(0, comma).trimEnd())) {
    return percentDecode(body) ?? fail('UC1315', file, path, 'the data URI is not valid percent encoding');
  }
  const text = body.includes('%') || /\s/.test(body) ? body.replace(/%3D/gi, '=').replace(/\s+/g, '') : body;
  let digits = text.length;
  while (digits > 0 && text[digits - 1] === '=') digits--;
  // The decoder of Node skips characters that are not base64. A wrong length shows that it has skipped some.
  const bytes = Buffer.from(text, 'base64');
  if (digits % 4 === 1 || bytes.length !== Math.floor((digits * 3) / 4)) {
    return fail('UC1315', file, path, 'the data URI is not valid base64');
  }
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  return own;
}

/**
 * The absolute path of a file that the source refers to. URIs are percent-encoded; a file whose name
 * contains a percent sign is found too. Throws UC1205 for absolute and remote references.
 */
export function resolveUri(files: SourceFiles, file: string, path: string, uri: string): string {
  const raw = () => resolveReference(file, uri, path);
  let decoded: string;
  try {
    decoded = decodeURIComponent(uri);
  } catch {
    return raw();
  }
  const resolved = resolveReference(file, decoded, path);
  if (decoded === uri || files.exists(resolved)) return resolved;
  try {
    const literal = raw();
    return files.exists(literal) ? literal : resolved;
  } catch (error) {
    if (error instanceof SourceError) return resolved;
    throw error;
  }
}
