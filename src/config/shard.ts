// `--shard i/n`: which part of a set this machine cooks, given or from the variables of CI systems.

import { fail } from '../diagnostics/diagnostic.ts';
import { MAX_SHARDS } from '../formats/shard/document.ts';

/** Variables with the number of a machine and how many there are; `first`: what the first machine is called. */
const SYSTEMS: readonly { readonly index: string; readonly count: string; readonly first: 0 | 1 }[] = [
  { index: 'UNTOLD_SHARD_INDEX', count: 'UNTOLD_SHARD_COUNT', first: 0 },
  // GitLab, `parallel`: docs.gitlab.com/ci/variables/predefined_variables.
  { index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1 },
  // CircleCI, `parallelism`: circleci.com/docs/variables.
  { index: 'CIRCLE_NODE_INDEX', count: 'CIRCLE_NODE_TOTAL', first: 0 },
  // Buildkite, `parallelism`: buildkite.com/docs/pipelines/environment-variables.
  { index: 'BUILDKITE_PARALLEL_JOB', count: 'BUILDKITE_PARALLEL_JOB_COUNT', first: 0 },
  // Bitbucket, `parallel`: support.atlassian.com, "Set up or run parallel steps".
  { index: 'BITBUCKET_PARALLEL_STEP', count: 'BITBUCKET_PARALLEL_STEP_COUNT', first: 0 },
  // Kubernetes, indexed Jobs: kubernetes.io/docs/concepts/workloads/controllers/job. The number of Pods is no variable.
  { index: 'JOB_COMPLETION_INDEX', count: 'UNTOLD_SHARD_COUNT', first: 0 },
];

export interface ShardNumber {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';

/** What `--shard` means. Throws UC1003. */
export function shardNumber(text: string, environment: Environment): ShardNumber {
  if (text === 'auto') return fromEnvironment(environment);
  const [, index, count] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (index === undefined) refuse(`"${text}" was given`);
  return checked(Number(index), Number(count), `"${text}" was given`);
}

function fromEnvironment(environment: Environment): ShardNumber {
  const system = SYSTEMS.find(({ index, count }) => isSet(environment[index]) && isSet(environment[count]));
  if (!system) {
    return refuse(
      'auto was given, but no variable tells the number of this machine',
      `give --shard i/n, or set UNTOLD_SHARD_INDEX, from 0, and UNTOLD_SHARD_COUNT; read are ${SYSTEMS.map(({ index, count }) => `${index} with ${count}`).join(', ')}`,
    );
  }
  const [index, count] = [environment[system.index] as string, environment[system.count] as string];
  const said = `${system.index}=${index} and ${system.count}=${count}`;
  if (!/^\d{1,9}$/.test(index) || !/^\d{1,9}$/.test(count)) return refuse(said);
  return checked(Number(index) - system.first, Number(count), said);
}

function checked(index: number, count: number, said: string): ShardNumber {
  if (count < 1 || count > MAX_SHARDS || index < 0 || index >= count) return refuse(said);
  return { index, count };
}

function refuse(said: string, remedy?: string): never {
  const rule = `i/n is a number from 0 to n - 1 of at most ${MAX_SHARDS} parts, as 0/4`;
  return fail('UC1003', '', '--shard', said, remedy ?? rule);
}
