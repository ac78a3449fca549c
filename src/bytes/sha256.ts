// SHA-256 as manifests, file names and caches state it. For every room; imports nothing of ours.

import { createHash } from 'node:crypto';

/** Lower-case hex of the SHA-256; a string counts as its UTF-8 bytes. */
export function sha256Hex(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
