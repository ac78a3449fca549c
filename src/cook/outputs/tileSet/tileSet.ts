// A set of tiles with a manifest, or as a format assembles it.

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { settingsDigest } from '../../../config/settings.ts';
import type { FolderTarget } from '../../../config/types.ts';
import { filesOfManifest, sharedTexturesOf } from '../../../formats/manifest/write.ts';
import { readWhole } from '../../../importers/wholeFile.ts';
import type { FilesBeside } from '../../../output/verify.ts';
import { DEFAULT_TILING } from '../../../tiling/options.ts';
import type { FinishedOutput, MadeScene, Workshop } from '../../made.ts';
import type { Session } from '../../session.ts';
import { gradeIn } from '../../steps/textures/colorGrade.ts';
import { assembleTiles } from '../assembleFiles.ts';
import { allOf, NOTHING_KEPT, type Output } from '../output.ts';
import { readText, setFiles } from '../setFiles.ts';
import { sharedFiles, sharedPath } from '../sharedTextures.ts';
import { writeGrade, writeTextures } from '../textures.ts';
import { hasLevels, type SetParts, writeManifest } from './assembleSet.ts';
import { planTiles } from './planTiles.ts';

export function tileSet(target: FolderTarget): Output {
  const { sceneName } = target;
  const { base, main } = setFiles(target);
  return {
    base,
    main,
    sharesFiles: false,
    still: 'no effect on tiles, which stand still',
    startsEarly: true,
    keepsUnits: true,
    textures: target.shared,
    earlier: () => {
      const path = join(base, main);
      const listed = existsSync(path) ? filesOfManifest(readText(path), sceneName) : null;
      return new Map(listed ? [[main, null], ...listed] : []);
    },
    texturesBefore: async (folder) => sharedBefore(join(base, main), folder),
    plan: (read, session) => planTiles(read, target, session),
    select: allOf,
    authored: () => null,
    keep: async () => NOTHING_KEPT,
    finish: async (made, workshop, session) => {
      const parts = setParts(made, workshop, session);
      const { assembly } = workshop.format;
      if (assembly) return finishAssembled(parts, made, workshop, session);
      const { sharedTextures, ...textures } = writeSetTextures(target, made, workshop, session);
      const drawn = { ...workshop, ...textures, signal: session.signal };
      await writeManifest({ ...parts, sharedTextures }, drawn, session.diagnostics);
      return { ...textures, streamed: hasLevels(parts) ? parts : null };
    },
  };
}

async function finishAssembled(
  parts: SetParts,
  made: MadeScene,
  workshop: Workshop,
  session: Session,
): Promise<FinishedOutput> {
  session.progress({ phase: 'write', done: 0, total: made.textures.size });
  writeGrade(workshop, made.plan.folder);
  await assembleTiles(parts, made, workshop, session);
  return { shared: [], streamed: null };
}

/** The names of the textures in a shared folder that the manifest of an earlier cook lists. */
function sharedBefore(manifest: string, folder: string): string[] {
  const paths = [...sharedTexturesOf(readText(manifest)).keys()].map((path) => join(dirname(manifest), path));
  return paths.filter((path) => dirname(path) === folder).map((path) => basename(path));
}

/** The textures of a set that other sets share. */
export interface SetTextures extends Pick<FinishedOutput, 'shared'>, Pick<SetParts, 'sharedTextures'> {
  readonly beside: FilesBeside;
}

/** Writes the textures and the colour grade of a set; gives the textures that it shares, which are not written yet. */
export function writeSetTextures(
  { shared }: FolderTarget,
  made: MadeScene,
  workshop: Workshop,
  { progress }: Session,
): SetTextures {
  const { folder } = made.plan;
  const { set } = workshop;
  progress({ phase: 'write', done: 0, total: made.textures.size });
  writeGrade(workshop, folder);
  if (!shared) {
    writeTextures(made, workshop, folder);
    return { shared: [], sharedTextures: undefined, beside: new Map() };
  }
  const moved = sharedFiles([...made.textures.values()], shared.folder, set.held);
  const kept = [...made.kept.sharedTextures].map(([path, sha256]) => {
    const read = () => readWhole(set.pathOf(path));
    return [path, { sha256, size: read().length, read }] as const;
  });
  const beside = new Map([
    ...kept,
    ...moved.map((texture) => [sharedPath(folder, shared.uri, texture.name), texture] as const),
  ]);
  return { shared: moved, sharedTextures: [...beside].map(([path, { sha256 }]) => ({ path, sha256 })), beside };
}

/** What the main file of a set is made of. */
export function setParts({ plan, levels, clusters }: MadeScene, { grade }: Workshop, { job }: Session): SetParts {
  const { tiles, scene, name, folder } = plan;
  if (tiles === null) throw new Error('a set has tiles');
  return {
    sceneName: name,
    folder,
    source: job.source,
    settings: settingsDigest(job.settings),
    levelScale: job.settings.levelScale,
    plan: tiles,
    budgets: (job.settings.tiling ?? DEFAULT_TILING).budgets,
    authored: { lights: scene.lights ?? [], cameras: scene.cameras ?? [], ...gradeIn(grade, folder) },
    tiles: tiles.tiles.flatMap((tile) => levels.tiles.get(tile) ?? []),
    shared: (tiles.shared && levels.tiles.get(tiles.shared)) ?? null,
    clusters: clusters?.clusters ?? [],
    counts: clusters?.counts ?? null,
  };
}
