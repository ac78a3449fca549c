// The server of `untold view`: the page, what it shows, the files of the set, and drops on the page, for this machine alone.

import { randomBytes } from 'node:crypto';
import { closeSync, createReadStream, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '../../diagnostics/diagnostic.ts';
import { ENVIRONMENT_FILE } from '../../viewer/description.ts';
import { DROP_SECRET } from '../../viewer/drop.ts';
import type { Drops } from './drops.ts';
import { type OpenFile, openNamed } from './files.ts';
import type { ServedView } from './open.ts';
import { admit, type Secrets } from './request.ts';

const HOST = '127.0.0.1';
const INDEX = 'index.html';

/** Scripts, styles and data come from the server alone; WebAssembly may be compiled; nothing may show the page in a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  // Sets are cooked again under the same names.
  'Cache-Control': 'no-store',
};

export interface RunningServer {
  /** With the token; whoever knows it may read what is shown. */
  readonly url: string;
  /** Ends all connections. */
  close(): Promise<void>;
}

function whole(response: ServerResponse, status: number, content: string, headers: Readonly<Record<string, string>>) {
  response.writeHead(status, { ...HEADERS, 'Content-Length': Buffer.byteLength(content), ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : content);
}

function say(response: ServerResponse, status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
  whole(response, status, `${text}\n`, { 'Content-Type': 'text/plain; charset=utf-8', ...headers });
}

function send(response: ServerResponse, { fd, bytes, type }: OpenFile): void {
  response.writeHead(200, { ...HEADERS, 'Content-Type': type, 'Content-Length': bytes });
  const content = createReadStream('', { fd, start: 0 });
  if (response.req.method === 'HEAD') {
    content.destroy();
    response.end();
    return;
  }
  // A file that shrinks meanwhile ends the connection, which the browser takes for a failure.
  content.on('error', () => response.destroy());
  response.on('close', () => content.destroy());
  content.pipe(response);
}

/** The first page, with the secret of drops in the element that waits for it. */
function sendIndex(response: ServerResponse, { fd, type }: OpenFile, secret: string): void {
  const text = readFileSync(fd, 'utf8');
  closeSync(fd);
  const empty = `name="${DROP_SECRET}" content=""`;
  whole(response, 200, text.replace(empty, empty.replace('""', `"${secret}"`)), { 'Content-Type': type });
}

/** What the path below the token names. */
function answer(parts: readonly string[], view: ServedView, secret: string, response: ServerResponse): void {
  const { description, page } = view;
  const [first, ...rest] = parts;
  if (first === 'view.json' && rest.length === 0) {
    whole(response, 200, JSON.stringify(description), { 'Content-Type': 'application/json' });
    return;
  }
  const isIndex = parts.length === 0 || (first === INDEX && rest.length === 0);
  const files = first === 'set' ? view.set : first === 'against' ? view.against : null;
  const isEnvironment = first === ENVIRONMENT_FILE && view.environmentMap !== null;
  const alone = () => (isEnvironment ? openNamed(view.environmentMap ?? '') : page.open(first ?? INDEX));
  const file = files ? files.open(rest) : rest.length > 0 ? null : alone();
  if (file === 'outside') say(response, 403, 'the path leads outside');
  else if (file === null) say(response, 404, 'not found');
  else if (isIndex) sendIndex(response, file, secret);
  else send(response, file);
}

function handler(drops: Drops, secrets: Secrets, portOf: () => number) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const admitted = admit(request, portOf(), secrets);
    if ('status' in admitted) {
      // Its body, if it has one, is not read.
      say(response, admitted.status, admitted.reason, { ...admitted.headers, Connection: 'close' });
      return;
    }
    if (request.method === 'POST') {
      void drops.answer(request, response, HEADERS);
      return;
    }
    // Relative addresses of the page begin at its folder.
    if (admitted.length === 0 && !request.url?.split('?', 1)[0].endsWith('/')) {
      say(response, 308, 'the page', { Location: `/${secrets.token}/` });
      return;
    }
    answer(admitted, drops.view, secrets.drop, response);
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

const secret = (): string => randomBytes(16).toString('hex');

/** Milliseconds in which a request must have come, with the files of a drop. */
const REQUEST_TIMEOUT = 10 * 60_000;

/** Serves what is shown, and takes drops; port 0 is any that is free. Throws UC5005. */
export async function serve(drops: Drops, port: number): Promise<RunningServer> {
  const secrets: Secrets = { token: secret(), drop: secret() };
  let own = port;
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT, headersTimeout: 10_000 },
    handler(drops, secrets, () => own),
  );
  // A request that is no HTTP is closed by Node with 400; one for a connection through this server is closed here.
  server.on('connect', (_, socket) => socket.destroy());
  server.on('upgrade', (_, socket) => socket.destroy());
  try {
    await listening(server, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    fail('UC5005', '', '--port', `port ${port}: ${code ?? message}`);
  }
  own = (server.address() as AddressInfo).port;
  return {
    url: `http://${HOST}:${own}/${secrets.token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
