// Which requests the server of `untold view` answers. It listens on the loopback interface, but every page in the user's
// browser and every user of the machine can reach that: so a request must know the token, name this host, and come from
// the page itself or from nobody's page.

import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { DROP, DROP_SECRET } from '../../viewer/drop.ts';

export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const refuse = (status: number, reason: string, headers?: Refusal['headers']): Refusal =>
  headers ? { status, reason, headers } : { status, reason };

/** What only the page knows. */
export interface Secrets {
  /** Begins all addresses. */
  readonly token: string;
  /** Of drops: unlike an address, it stays in the page. */
  readonly drop: string;
}

const METHODS = ['GET', 'HEAD'];

function isToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The values of a header, of which Node keeps the first one alone. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1].toLowerCase() === name);
}

/** The parts of a path below the token, or why the request is refused. One that is admitted with POST is a drop. */
export function admit(request: IncomingMessage, port: number, { token, drop }: Secrets): readonly string[] | Refusal {
  const hosts = valuesOf(request, 'host');
  // Of port 80 browsers leave the number out.
  const suffix = port === 80 ? '' : `:${port}`;
  const own = [`127.0.0.1${suffix}`, `localhost${suffix}`];
  // A page whose name was made to lead to this machine still names itself here.
  if (hosts.length !== 1 || !own.includes(hosts[0].toLowerCase())) return refuse(421, 'another host is meant');
  const [path] = (request.url ?? '').split('?', 1);
  const isDrop = request.method === 'POST' && path.split('/').slice(2).join('/') === DROP;
  if (!isDrop && !METHODS.includes(request.method ?? ''))
    return refuse(405, 'only GET and HEAD', { Allow: METHODS.join(', ') });
  const origins = valuesOf(request, 'origin');
  if (origins.some((origin) => !own.some((host) => origin === `http://${host}`))) {
    return refuse(403, 'another origin asks');
  }
  // Browsers say so of requests without an origin: those of links, pictures and scripts.
  const sites = valuesOf(request, 'sec-fetch-site');
  if (sites.some((site) => site !== 'same-origin' && site !== 'none')) return refuse(403, 'another site asks');
  if (!path.startsWith('/')) return refuse(400, 'no path');
  const [first, ...rest] = path.slice(1).split('/');
  if (!isToken(first, token)) return refuse(404, 'not found');
  const given = valuesOf(request, DROP_SECRET);
  if (isDrop && (given.length !== 1 || !isToken(given[0], drop))) return refuse(403, 'only the page may drop files');
  return partsOf(rest);
}

/** Decodes the parts of a path, each of which must name one file or folder. */
function partsOf(parts: readonly string[]): readonly string[] | Refusal {
  const decoded: string[] = [];
  for (const part of parts) {
    try {
      decoded.push(decodeURIComponent(part));
    } catch {
      return refuse(400, 'the path is not UTF-8');
    }
  }
  // A last empty part is the folder itself.
  const names = decoded.at(-1) === '' ? decoded.slice(0, -1) : decoded;
  const leadsAway = (name: string) => name === '' || /^\.|[\\/:\0]/.test(name);
  return names.some(leadsAway) ? refuse(403, 'the path leads outside') : names;
}
