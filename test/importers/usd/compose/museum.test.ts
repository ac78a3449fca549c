// Compares stages of OpenUSD's composition museum with what OpenUSD says of them: which defined, active prims there are,
// in which order, their types, attributes with values, and targets. The scenes are not part of the project; without them
// the comparison is skipped.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../../src/importers/content.ts';
import { diskFiles } from '../../../../src/importers/files.ts';
import { Assets } from '../../../../src/importers/usd/assets.ts';
import { openStage } from '../../../../src/importers/usd/compose/stage/openStage.ts';
import type { StagePrim } from '../../../../src/importers/usd/compose/stage/stage.ts';

const SHARED = resolve(import.meta.dirname, '../../../../../shared');
const TRUTH = resolve(SHARED, 'truth/museum.jsonl');
const SCENES = resolve(SHARED, 'assets/usd/museum');

interface ShownPrim {
  readonly path: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, { readonly type: string; readonly value: string | null }>>;
  readonly relationships: Readonly<Record<string, readonly string[]>>;
}

/** As OpenUSD prints it; the museum has numbers and texts only. */
function printed(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return value === Infinity ? 'inf' : String(value);
}

function shown(prim: StagePrim): ShownPrim {
  const attributes: Record<string, { type: string; value: string | null }> = {};
  const relationships: Record<string, readonly string[]> = {};
  for (const name of prim.propertyNames()) {
    const attribute = prim.attribute(name);
    const relationship = prim.relationship(name);
    if (attribute) attributes[name] = { type: attribute.typeName, value: printed(attribute.get()?.value.value) };
    if (relationship) relationships[name] = relationship.targets();
  }
  return { path: prim.path, type: prim.typeName, attributes, relationships };
}

/** Defined, active prims that are not abstract, as OpenUSD traverses a stage. */
function traverse(prims: readonly StagePrim[]): ShownPrim[] {
  return prims
    .filter((prim) => prim.isDefined && !prim.isAbstract)
    .flatMap((prim) => [shown(prim), ...traverse(prim.children)]);
}

describe.skipIf(!existsSync(TRUTH) || !existsSync(SCENES))('composition agrees with OpenUSD', () => {
  const lines = existsSync(TRUTH) ? readFileSync(TRUTH, 'utf8').trimEnd().split('\n') : [];
  const truths = lines.map((line) => JSON.parse(line) as { file: string; prims: readonly ShownPrim[] });

  it('has all scenes to compare', () => expect(truths).toHaveLength(55));

  it.each(truths.map((truth) => [truth.file.split('/')[0], truth] as const))('on %s', (_, { file, prims }) => {
    const path = resolve(SCENES, file);
    const diagnostics = new Diagnostics();
    const assets = new Assets(diskFiles(null), diagnostics);
    const stage = openStage(
      assets.openRoot(path, memoryContent(readFileSync(path))),
      assets,
      { missingAsset: 'drop' },
      diagnostics,
    );
    expect(traverse(stage.children)).toEqual(prims);
  });
});
