// `--shard`: numbers as they are given, and those of CI systems.

import { describe, expect, test } from 'vitest';
import { shardNumber } from '../../src/config/shard.ts';
import { SourceError } from '../../src/diagnostics/diagnostic.ts';

describe('shardNumber()', () => {
  test.each([
    ['0/1', 0, 1],
    ['3/8', 3, 8],
    ['1023/1024', 1023, 1024],
  ])('%s', (text, index, count) => {
    expect(shardNumber(text, {})).toEqual({ index, count });
  });

  test.each(['', '1', '1/', '3/3', '-1/3', '1/0', '1/1025', '1.5/3', ' 1/3', '1/3x', 'auto/3'])(
    'refuses "%s"',
    (text) => {
      expect(() => shardNumber(text, {})).toThrow(SourceError);
    },
  );

  test.each([
    [{ UNTOLD_SHARD_INDEX: '2', UNTOLD_SHARD_COUNT: '4' }, 2, 4],
    [{ CI_NODE_INDEX: '1', CI_NODE_TOTAL: '3' }, 0, 3],
    [{ CI_NODE_INDEX: '3', CI_NODE_TOTAL: '3' }, 2, 3],
    [{ CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '2' }, 0, 2],
    [{ BUILDKITE_PARALLEL_JOB: '4', BUILDKITE_PARALLEL_JOB_COUNT: '5' }, 4, 5],
    [{ BITBUCKET_PARALLEL_STEP: '1', BITBUCKET_PARALLEL_STEP_COUNT: '2' }, 1, 2],
    [{ JOB_COMPLETION_INDEX: '6', UNTOLD_SHARD_COUNT: '8' }, 6, 8],
    // Its own variables are stronger than those of the system.
    [{ UNTOLD_SHARD_INDEX: '0', UNTOLD_SHARD_COUNT: '2', CI_NODE_INDEX: '3', CI_NODE_TOTAL: '3' }, 0, 2],
  ])('auto reads %o', (environment, index, count) => {
    expect(shardNumber('auto', environment)).toEqual({ index, count });
  });

  test.each([
    [{}],
    // GitLab without `parallel` states the total alone.
    [{ CI_NODE_TOTAL: '1' }],
    [{ CI_NODE_INDEX: '0', CI_NODE_TOTAL: '3' }],
    [{ UNTOLD_SHARD_INDEX: 'x', UNTOLD_SHARD_COUNT: '3' }],
    [{ UNTOLD_SHARD_INDEX: '3', UNTOLD_SHARD_COUNT: '3' }],
  ])('auto refuses %o', (environment) => {
    expect(() => shardNumber('auto', environment)).toThrow(SourceError);
  });
});
