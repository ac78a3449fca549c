// The cache of a team that a call uses: its URL from an option or the environment, what may be secret from the environment
// alone, because command lines are seen by other users of a machine and kept in logs.

import { fail } from '../../diagnostics/diagnostic.ts';
import type { RemotePlace } from '../../output/cache/remote/remoteStore.ts';
import type { Environment } from './environment.ts';

export interface RemoteChoice {
  readonly remoteCache?: string | undefined;
  readonly remoteCacheReadOnly?: boolean | undefined;
}

/** Addresses alone: a name, `localhost` too, is what a resolver makes of it. */
const LOOPBACK = /^(127(\.\d+){3}|\[::1\])$/;
/** A token of RFC 9110, a colon, and printable text. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e]+)$/;

function headerOfEnvironment(url: URL, env: Environment['env']): RemotePlace['header'] {
  const text = env.UNTOLD_REMOTE_CACHE_HEADER;
  if (!text) return null;
  const match = HEADER.exec(text.trim());
  // The text itself is not shown: it may be a secret.
  if (!match)
    return fail('UC1003', '', 'UNTOLD_REMOTE_CACHE_HEADER', 'the variable takes one header, like "Name: value"');
  if (url.protocol !== 'https:' && !LOOPBACK.test(url.hostname)) {
    return fail(
      'UC1003',
      '',
      'UNTOLD_REMOTE_CACHE_HEADER',
      'the header is sent over https alone, or to this machine: 127.0.0.1 or [::1]',
    );
  }
  return { name: match[1], value: match[2] };
}

/** Null: there is none. Throws UC1003 and UC1012. */
export function remotePlace(
  { remoteCache, remoteCacheReadOnly = false }: RemoteChoice,
  env: Environment['env'],
): RemotePlace | null {
  const text = remoteCache ?? env.UNTOLD_REMOTE_CACHE;
  const from = remoteCache === undefined ? 'UNTOLD_REMOTE_CACHE' : '--remote-cache';
  if (!text) {
    if (remoteCacheReadOnly) fail('UC1012', '', '--remote-cache-read-only', 'no remote cache is named');
    return null;
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    return fail('UC1003', '', from, 'a URL with http: or https: is needed', 'give the URL above /ac/ and /cas/');
  }
  if (url.username !== '' || url.password !== '') {
    const remedy = 'put it into UNTOLD_REMOTE_CACHE_HEADER, like "Authorization: Basic …"';
    return fail('UC1003', '', from, 'the URL holds a name or password', remedy);
  }
  if (url.search !== '' || url.hash !== '') {
    return fail('UC1003', '', from, 'the URL holds a query or fragment', 'give the URL above /ac/ and /cas/');
  }
  const secret = env.UNTOLD_REMOTE_CACHE_SECRET ?? null;
  // CI systems give an empty one to builds that must not have it.
  if (secret === '') {
    const remedy = 'set it, or unset the variable to trust the server';
    return fail('UC1003', '', 'UNTOLD_REMOTE_CACHE_SECRET', 'the variable is set and empty', remedy);
  }
  return {
    url,
    isReadOnly: remoteCacheReadOnly,
    header: headerOfEnvironment(url, env),
    secret,
  };
}
