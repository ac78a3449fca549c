// Where the files of textures are made: in the threads of the pool if there are enough texels to be worth it, else here.

import { textureFiles } from '../../../formats/textureFiles.ts';
import type { Scene } from '../../../scene/types.ts';
import { keptFiles } from '../../../textures/keptFiles.ts';
import {
  type FileRequest,
  type MakeFile,
  makeFile,
  pixelsInUse,
  readRequest,
  staysWhole,
} from '../../../textures/makeFile.ts';
import type { PrepareOptions } from '../../../textures/prepare.ts';
import type { TextureMode } from '../../../textures/types.ts';
import type { JobScene } from '../../../workers/jobs.ts';
import type { Runners } from '../../../workers/workerPool.ts';
import type { Session } from '../../session.ts';
import { asSourceError, interruptible } from '../interruptible.ts';

/** A file of fewer pixels takes less time than a thread's start. */
const MIN_PIXELS = 2 ** 18;
const MIN_KTX2_PIXELS = 2 ** 14;
/** Threads for textures alone, at most as many as the scene has images. */
const MAX_THREADS = 256;

/**
 * Runs `work` with what it needs to make texture files; threads take them only while it runs. Throws SourceError for what a job
 * cannot make, and once the session is aborted.
 */
export async function withTextureMaker<T>(
  scene: Scene,
  jobSettings: Omit<JobScene, 'materials' | 'textures' | 'palettes'>,
  { pool, signal, cache, call, diagnostics }: Session,
  work: (options: Pick<PrepareOptions, 'mode' | 'makeFile' | 'atOnce'>) => Promise<T>,
): Promise<T> {
  const { textureSettings } = jobSettings;
  const { mode } = textureSettings;
  const files = textureFiles(textureSettings);
  const wanted = Math.min(pool.size, scene.images.length, MAX_THREADS);
  let runners: Runners | null = null;
  let end = () => {};
  const make: MakeFile = async (unread) => {
    const request = await readRequest(unread);
    if ((wanted <= 1 && !pool.isApart) || !isWorthAThread(request, mode)) return makeFile(request, files);
    if (!runners) {
      runners = pool.forScene({ ...jobSettings, materials: [], textures: [], palettes: [] }, wanted);
      end = interruptible(runners, signal);
    }
    const { outcome } = await runners.run(() => ({ kind: 'texture', name: '', request }));
    return outcome;
  };
  try {
    const makeOrFind = keptFiles(make, call.made ?? cache, textureSettings, call.made?.inMemory);
    return await work({ mode, makeFile: makeOrFind, atOnce: Math.max(2, wanted) });
  } catch (error) {
    throw asSourceError(error, diagnostics);
  } finally {
    end();
  }
}

function isWorthAThread(request: FileRequest, mode: TextureMode): boolean {
  const { texels, isWhole = false } = request;
  const isCopy = texels.kind === 'image' && (mode === 'keep' || (isWhole && staysWhole(texels.image.info, mode)));
  return !isCopy && pixelsInUse(request) >= (mode === 'ktx2' ? MIN_KTX2_PIXELS : MIN_PIXELS);
}
