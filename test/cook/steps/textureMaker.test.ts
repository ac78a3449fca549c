// A call that ends while threads make its textures says why: its time is over, or its signal was aborted.

import { expect, test } from 'vitest';
import { TIME_IS_OVER } from '../../../src/cook/interruption.ts';
import type { Session } from '../../../src/cook/session.ts';
import { withTextureMaker } from '../../../src/cook/steps/textures/textureMaker.ts';
import { Diagnostics, type SourceError } from '../../../src/diagnostics/diagnostic.ts';
import type { Scene } from '../../../src/scene/types.ts';
import type { MakeFile, UnreadRequest } from '../../../src/textures/makeFile.ts';
import type { JobFailure } from '../../../src/workers/jobRunner.ts';
import type { JobScene } from '../../../src/workers/jobs.ts';

/** Threads that are given a job and never answer. */
function silentPool(onJob: () => void) {
  let fail: (failure: JobFailure) => void = () => {};
  const run = () =>
    new Promise((_, reject) => {
      fail = reject;
      onJob();
    });
  const interrupt = (failure: JobFailure) => fail(failure);
  return { size: 2, forScene: () => ({ count: 2, run, interrupt, abandon() {} }) };
}

test.each([
  ['UC1097', TIME_IS_OVER],
  ['UC1098', undefined],
])('%s while a texture is made', async (code, reason) => {
  const stop = new AbortController();
  const session = {
    pool: silentPool(() => stop.abort(reason)),
    signal: stop.signal,
    cache: null,
    call: { made: null },
    diagnostics: new Diagnostics(),
  };
  const image = { width: 1024, height: 1024, data: new Uint8Array(0) };
  const request = { texels: { kind: 'texels', image } };
  const made = withTextureMaker(
    { images: [{}, {}] } as unknown as Scene,
    { textureSettings: { mode: 'cook' } } as unknown as JobScene,
    session as unknown as Session,
    ({ makeFile }) => (makeFile as MakeFile)(request as unknown as UnreadRequest),
  );
  const error = await made.then(
    () => null,
    (thrown: SourceError) => thrown,
  );
  expect(error?.diagnostics?.map((found) => found.code)).toEqual([code]);
});
