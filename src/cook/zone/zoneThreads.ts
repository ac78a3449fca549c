// The threads of a zone: they look from its eyes and simplify its surroundings.

import { DEFAULT_FORMAT } from '../../formats/registry.ts';
import { KEPT_TEXTURES } from '../../textures/types.ts';
import type { JobScene } from '../../workers/jobs.ts';
import type { Runners } from '../../workers/workerPool.ts';
import type { HoleLook, Made } from '../../zone/holes.ts';
import type { Look, View } from '../../zone/look.ts';
import type { NewParts } from '../../zone/looker.ts';
import { lossesOf, type Rings, type ZoneMesh } from '../../zone/thin.ts';
import { LargeSource, type Session } from '../session.ts';
import { asSourceError, interruptible } from '../steps/interruptible.ts';
import type { ZoneParts } from './zoneParts.ts';

/** A thread is started for so many triangles: pictures of fewer are drawn before it has loaded its code. */
const TRIANGLES_A_THREAD = 50_000;

/** Jobs of a zone need no materials. */
const bareScene = (source: string): JobScene => ({
  source,
  materials: [],
  textures: [],
  palettes: [],
  format: DEFAULT_FORMAT,
  textureSettings: KEPT_TEXTURES,
  cache: null,
  write: { compression: 'none' },
});

export class ZoneThreads {
  readonly #runners: Runners;
  /** By thread, the version of the parts that it has. */
  readonly #versions = new Map<number, number>();

  constructor(runners: Runners) {
    this.#runners = runners;
  }

  /** What a view shows of the parts, as lookFrom() has it. */
  async look(view: View, parts: ZoneParts): Promise<Look> {
    const { look } = await this.#runners.run((runner) => {
      return { kind: 'look', name: '', view, parts: this.#newParts(runner, parts) };
    });
    return look;
  }

  /** What a view shows of the parts and misses in what was made of them, as holesFrom() has it. */
  async holes(view: View, parts: ZoneParts, made: Made): Promise<HoleLook> {
    const { look } = await this.#runners.run((runner) => {
      return { kind: 'holes', name: '', view, parts: this.#newParts(runner, parts), made };
    });
    return look;
  }

  #newParts(runner: number, parts: ZoneParts): NewParts {
    const news = parts.since(this.#versions.get(runner) ?? 0);
    this.#versions.set(runner, parts.version);
    return news;
  }

  /** The meshes of all rings, simplified up to an error of so many metres at a metre's distance, where a pixel covers `pixel` of them. */
  async thin(all: Rings, error: number, pixel: number): Promise<ZoneMesh[]> {
    this.#runners.setShared(all.shared);
    const made = await Promise.all(
      all.rings.map((ring) =>
        this.#runners.run(() => {
          return { kind: 'thin', name: '', meshes: ring.meshes, losses: lossesOf(ring, all, error, pixel) };
        }),
      ),
    );
    return made.flatMap(({ meshes }) => meshes);
  }
}

/** Runs `work` with threads for a scene of so many triangles. Throws LargeSource where the caller has fewer. */
export async function withZoneThreads<T>(
  triangles: number,
  { job, pool, signal, call, diagnostics }: Session,
  work: (threads: ZoneThreads) => Promise<T>,
): Promise<T> {
  const wanted = Math.max(1, Math.ceil(triangles / TRIANGLES_A_THREAD));
  if (wanted > (call.beside?.maxThreads ?? Number.POSITIVE_INFINITY)) {
    throw new LargeSource('the source is too large for one thread');
  }
  const runners = pool.forScene(bareScene(job.source), wanted);
  const end = interruptible(runners, signal);
  try {
    return await work(new ZoneThreads(runners));
  } catch (error) {
    throw asSourceError(error, diagnostics);
  } finally {
    end();
  }
}
