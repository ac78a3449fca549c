// The server of `untold view`: the page, what it shows, and the files of the set, to this machine alone.

import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '../../diagnostics/diagnostic.ts';
import type { ViewDescription } from '../../viewer/description.ts';
import type { OpenFile, PageFiles, SetFiles } from './files.ts';
import { admit } from './request.ts';

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

export interface ServedView {
  readonly description: ViewDescription;
  readonly page: PageFiles;
  readonly set: SetFiles;
  /** Those of the other output; null: there is none. */
  readonly against: SetFiles | null;
}

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

/** What the path below the token names. */
function answer(parts: readonly string[], view: ServedView, response: ServerResponse): void {
  const { description, page } = view;
  const [first, ...rest] = parts;
  if (first === 'view.json' && rest.length === 0) {
    whole(response, 200, JSON.stringify(description), { 'Content-Type': 'application/json' });
    return;
  }
  const files = first === 'set' ? view.set : first === 'against' ? view.against : null;
  const file = files ? files.open(rest) : rest.length > 0 ? null : page.open(first ?? INDEX);
  if (file === 'outside') say(response, 403, 'the path leads outside');
  else if (file === null) say(response, 404, 'not found');
  else send(response, file);
}

function handler(view: ServedView, token: string, portOf: () => number) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const admitted = admit(request, portOf(), token);
    if ('status' in admitted) {
      // Its body, if it has one, is not read.
      say(response, admitted.status, admitted.reason, { ...admitted.headers, Connection: 'close' });
      return;
    }
    // Relative addresses of the page begin at its folder.
    if (admitted.length === 0 && !request.url?.split('?', 1)[0].endsWith('/')) {
      say(response, 308, 'the page', { Location: `/${token}/` });
      return;
    }
    answer(admitted, view, response);
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

/** Serves a view; port 0 is any that is free. Throws UC5005. */
export async function serve(view: ServedView, port: number): Promise<RunningServer> {
  const token = randomBytes(16).toString('hex');
  let own = port;
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000 },
    handler(view, token, () => own),
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
    url: `http://${HOST}:${own}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
