// What the page of `untold view` shows, and how that gives way to what is dropped on the page: one drop at a time, each in a
// folder of its own, which goes with what it held.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { type DropNews, tooLarge } from '../../viewer/drop.ts';
import { type Surrounded, variablesOf } from '../call/environment.ts';
import { thrownDiagnostics } from '../call/faults.ts';
import { shownDiagnostic } from '../call/shownDiagnostic.ts';
import { DropFiles } from './dropFiles.ts';
import { droppedMain } from './droppedMain.ts';
import { type OpenCall, type Opened, openView, type ServedView } from './open.ts';

/** Says something to the page; nobody may listen any more. */
type Tell = (news: DropNews) => void;

const CONTENT_TYPE = 'application/x-ndjson';

/** Writes the body of a request into a folder. After a fault the rest is read and dropped: browsers hear no answer before. */
async function receive(request: IncomingMessage, folder: string, bytes: number): Promise<void> {
  const files = new DropFiles(folder, bytes);
  let fault: { readonly error: unknown } | null = null;
  try {
    for await (const chunk of request) {
      if (fault) continue;
      try {
        files.take(chunk as Uint8Array);
      } catch (error) {
        fault = { error };
      }
    }
    if (fault) throw fault.error;
    files.end();
  } finally {
    files.close();
  }
}

/** Why a drop is not taken, before a byte of it is. */
function refusalOf(bytes: number, isBusy: boolean): { readonly status: number; readonly fault: Diagnostic } | null {
  const limit = tooLarge(0, bytes);
  if (limit) return { status: 413, fault: limit };
  if (!isBusy) return null;
  const fault = diagnostic('UC4004', '', '', 'another drop is being opened', 'wait for it, or cancel it');
  return { status: 409, fault };
}

/** What a drop takes over of the call that has started the server. */
type DropCall = Surrounded & Pick<OpenCall, 'environmentMap'>;

export class Drops {
  readonly #call: DropCall;
  #shown: Opened;
  /** Ends the drop that is being opened. */
  #running: { readonly ending: AbortController; readonly ended: Promise<void> } | null = null;
  #isClosed = false;

  /** `first`: what is shown until something is dropped. */
  constructor(first: Opened, call: DropCall) {
    this.#shown = first;
    this.#call = call;
  }

  get view(): ServedView {
    return this.#shown.view;
  }

  /** Answers an admitted request with lines of `DropNews`. */
  async answer(request: IncomingMessage, response: ServerResponse, headers: Readonly<Record<string, string>>) {
    // Whoever leaves in the middle ends the drop by the event `close`.
    response.on('error', () => {});
    const begin = (status: number, more: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, { ...headers, 'Content-Type': CONTENT_TYPE, ...more });
    const tell: Tell = (news) => {
      if (response.destroyed) return;
      if (!response.headersSent) begin(200);
      response.write(`${JSON.stringify(news)}\n`);
    };
    // Node has refused what is no number; chunks come without one.
    const bytes = Number(request.headers['content-length'] ?? Infinity);
    const refusal = refusalOf(bytes, this.#running !== null || this.#isClosed);
    if (refusal) {
      // A body that is not too large is read, so that a browser reads the answer.
      if (refusal.status === 409) await finished(request.resume(), { writable: false }).catch(() => {});
      if (response.destroyed) return;
      begin(refusal.status, { Connection: 'close' });
      tell({ faults: [refusal.fault] });
      response.end();
      return;
    }
    const ending = new AbortController();
    const leave = () => ending.abort();
    response.once('close', leave);
    const ended = this.#open(request, bytes, ending.signal, tell);
    this.#running = { ending, ended };
    await ended;
    this.#running = null;
    response.off('close', leave);
    if (!response.destroyed) response.end();
  }

  /** Opens what is dropped and shows it; says why it does not. */
  async #open(request: IncomingMessage, bytes: number, signal: AbortSignal, tell: Tell): Promise<void> {
    let folder = '';
    const remove = () => {
      if (folder !== '') rmSync(folder, { recursive: true, force: true });
    };
    // Whoever ends the process does not wait for the end of a cook.
    signal.addEventListener('abort', remove, { once: true });
    try {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'untold-view-')));
      await receive(request, folder, bytes);
      throwIfAborted(signal);
      const opened = await openView(await droppedMain(folder), {
        config: false,
        root: folder,
        environmentMap: this.#call.environmentMap,
        // Messages call files as they were dropped.
        environment: { cwd: () => folder, env: variablesOf(this.#call) },
        signal,
        onProgress: ({ index: pass, phase, done, total }) => tell({ progress: { pass, phase, done, total } }),
      });
      this.#show({
        ...opened,
        remove: () => {
          opened.remove();
          remove();
        },
      });
      tell({ isShown: true });
    } catch (error) {
      remove();
      tell({ faults: thrownDiagnostics(error, '').map((item) => shownDiagnostic(item, folder)) });
    } finally {
      // What is shown now stays when its page goes.
      signal.removeEventListener('abort', remove);
    }
  }

  #show(opened: Opened): void {
    const before = this.#shown;
    this.#shown = opened;
    before.remove();
  }

  /** Ends a drop and removes all files, before it waits for anything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.ending.abort();
    this.#shown.remove();
    await this.#running?.ended;
  }
}
