// Opens a set, and waits for another cook that holds it. Other work of the process goes on meanwhile.

import { setTimeout as sleep } from 'node:timers/promises';
import { SourceError } from '../diagnostics/diagnostic.ts';
import { OutputSet, type OutputSetOptions } from './outputSet.ts';

export interface Waiting {
  /** Milliseconds at most. */
  readonly max: number;
  /** Called once, with who holds the set, before waiting begins. */
  readonly onWait: (holder: string) => void;
  /** Called before each look; throws to stop waiting. */
  readonly onRetry: () => void;
}

const RETRY_MS = 200;

const holderOf = (error: unknown): string | null => {
  const held = error instanceof SourceError ? error.diagnostics.find(({ code }) => code === 'UC4004') : undefined;
  return held?.message ?? null;
};

/** As OutputSet.open; UC4004 is thrown when the set is still held in the end. */
export async function openWhenFree(options: OutputSetOptions, { max, onWait, onRetry }: Waiting): Promise<OutputSet> {
  const deadline = performance.now() + max;
  for (let wasTold = false; ; ) {
    try {
      return OutputSet.open(options);
    } catch (error) {
      const holder = holderOf(error);
      const left = deadline - performance.now();
      if (holder === null || left <= 0) throw error;
      if (!wasTold) onWait(holder);
      wasTold = true;
      await sleep(Math.min(RETRY_MS, left));
      onRetry();
    }
  }
}
