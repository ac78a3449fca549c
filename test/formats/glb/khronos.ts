// The validator of the Khronos Group, for GLB files that tests write.

import { createRequire } from 'node:module';
import { expect } from 'vitest';

interface Issue {
  readonly code: string;
  /** 0 error, 1 warning, 2 information, 3 hint. */
  readonly severity: number;
  readonly message: string;
  readonly pointer?: string;
}

interface Validator {
  validateBytes(bytes: Uint8Array, options: object): Promise<{ readonly issues: { readonly messages: Issue[] } }>;
}

const validator: Validator = createRequire(import.meta.url)('gltf-validator');

/** The file has no error, and of warnings those alone that its source has. */
export async function expectValid(glb: Uint8Array, warnings: readonly string[] = []): Promise<void> {
  const { issues } = await validator.validateBytes(glb, { format: 'glb', maxIssues: 0, writeTimestamp: false });
  const found = issues.messages.filter(({ severity, code }) => severity < 2 && !warnings.includes(code));
  expect(found.slice(0, 8)).toEqual([]);
}

/** Every error, warning and hint of a file by its code, with the first message. */
export async function issuesOf(glb: Uint8Array): Promise<ReadonlyMap<string, string>> {
  const { issues } = await validator.validateBytes(glb, { format: 'glb', maxIssues: 0, writeTimestamp: false });
  const found = issues.messages.filter(({ severity }) => severity !== 2);
  return new Map(found.reverse().map(({ code, message, pointer }) => [code, `${message} ${pointer ?? ''}`]));
}
