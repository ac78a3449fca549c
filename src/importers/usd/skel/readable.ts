// A file can be damaged in values that only skinning reads. Then its meshes are still cooked, at rest.

import { SourceError } from '../../../diagnostics/diagnostic.ts';

/** What `read` gives; the message of a SourceError if a value cannot be decoded. */
export function readable<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics.map(({ message }) => message).join('; ');
  }
}
