// A cache on another machine, by the HTTP form of the Bazel remote cache: /ac/KEY holds an ActionResult that names a blob,
// /cas/SHA256 holds the blob. Whatever the server does, a cook gives the same bytes: what is not proved is not used, and a
// server that is slow, broken or full is left alone after a few seconds in all.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { sha256Hex } from '../../../bytes/sha256.ts';
import type { RemoteCache, RemoteFile } from '../cache.ts';
import { decodeActionResult, encodeActionResult } from './actionResult.ts';

export interface RemotePlace {
  /** http or https, with the path that /ac/ and /cas/ follow. */
  readonly url: URL;
  readonly isReadOnly: boolean;
  /** A header for each request; null: none. */
  readonly header: { readonly name: string; readonly value: string } | null;
  /** Entries are made anew and sent, and none is taken. */
  readonly isRefreshed?: boolean;
  /** Proves that entries are of somebody who has it too; null: the server is trusted. */
  readonly secret: string | null;
}

/**
 * What a cook waits in vain for the server, in milliseconds, before it does without: for misses, failures and the end. Time in
 * which it works on something else is not waited.
 */
const MAX_WAITED_MS = 5_000;
/** What a server may take for an entry that it has: so long, and a millisecond for so many bytes. */
const FAIR_MS = 50;
const FAIR_BYTES_A_MS = 10_000;
/** An ActionResult of ours has about 350 bytes. */
const MAX_RESULT_BYTES = 65_536;
/** Larger entries are neither fetched nor sent: a server's word must not fill the memory. */
const MAX_BLOB_BYTES = 2 ** 28;
/** Entries that are looked for, and sent, at once. */
const FOUND_AT_ONCE = 8;
const SENT_AT_ONCE = 4;
/** Bytes that wait to be sent; more are not sent. */
const MAX_WAITING_BYTES = 2 ** 28;

const keyOf = (kind: string, key: string): string => sha256Hex(`untold ${kind} ${key}`);
/** The file that an ActionResult must name: it belongs to this entry and no other. */
const outputOf = (kind: string, key: string): string => `${kind}/${key}`;

/** Why the server is not used any more, or not sent anything any more. */
export type RemoteFault = (reason: string) => void;

interface Sending {
  readonly kind: string;
  readonly key: string;
  readonly payload: Uint8Array;
  /** What has to be there before the entry is. */
  readonly files: readonly RemoteFile[];
}

export class RemoteStore implements RemoteCache {
  readonly #place: RemotePlace;
  readonly #onFault: RemoteFault;
  readonly #fetch: typeof fetch;
  #waited = 0;
  #inFlight = 0;
  /** Milliseconds so far in which the cook did nothing else. */
  #idle: () => number = () => performance.now();
  /** Of `#idle`, what is counted. */
  #counted = 0;
  /** What the last found entries may have taken of the time that is counted next. */
  #fair = 0;
  #isOff = false;
  #mayWrite: boolean;
  readonly #queue: Sending[] = [];
  #waitingBytes = 0;
  readonly #sending = new Set<Promise<void>>();
  /** Milliseconds that a server with a fair pace takes for what was sent, SENT_AT_ONCE at a time. */
  #sentFair = 0;
  /** Requests under way: all end when the cook will not wait any longer. */
  readonly #requests = new Set<AbortController>();
  /** Searches that wait until others are done. */
  readonly #turns: (() => void)[] = [];

  /** `onFault` is called at most once for reading and once for sending. */
  constructor(place: RemotePlace, onFault: RemoteFault, request: typeof fetch = fetch) {
    this.#place = place;
    this.#onFault = onFault;
    this.#fetch = request;
    this.#mayWrite = !place.isReadOnly;
  }

  /** `idle`: milliseconds so far in which no thread worked. Absent: all time counts. */
  waitsWhile(idle: () => number): void {
    this.#idle = idle;
  }

  /** The payload of an entry; null: the server has none, or none that is proved and that `accepts` takes. */
  async find(
    kind: string,
    key: string,
    accepts: (payload: Uint8Array) => boolean = () => true,
  ): Promise<Uint8Array | null> {
    return this.#look(async () => {
      const payload = await this.#find(kind, key);
      return payload && accepts(payload) ? payload : null;
    });
  }

  async findFile(sha256: string, bytes: number): Promise<Uint8Array | null> {
    return bytes > MAX_BLOB_BYTES ? null : this.#look(() => this.#blob(sha256, bytes));
  }

  /** Looks for something in its turn, and counts the time in which it was waited for. */
  async #look(search: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    if (this.#isOff || this.#place.isRefreshed) return null;
    if (this.#inFlight >= FOUND_AT_ONCE) await new Promise<void>((resolve) => this.#turns.push(resolve));
    if (this.#isOff) return this.#leave(null);
    if (this.#inFlight++ === 0) this.#counted = this.#idleNow();
    let found: Uint8Array | null = null;
    try {
      found = await search();
      // Of what was found, only what took longer than it should was in vain.
      if (found) this.#fair = Math.max(this.#fair, fairTime(found.length));
    } catch (error) {
      this.#give(reasonOf(error));
    }
    this.#count();
    this.#inFlight--;
    return this.#leave(found);
  }

  /** Lets the next search begin. */
  #leave<T>(found: T): T {
    this.#turns.shift()?.();
    return found;
  }

  /** Milliseconds so far in which neither a thread nor this one worked. */
  #idleNow(): number {
    return Math.min(this.#idle(), performance.now()) - performance.eventLoopUtilization().active;
  }

  async #find(kind: string, key: string): Promise<Uint8Array | null> {
    const action = keyOf(kind, key);
    const result = await this.#get(`ac/${action}`, MAX_RESULT_BYTES, 0);
    const found = result && decodeActionResult(result);
    if (!found || found.path !== outputOf(kind, key) || found.size > MAX_BLOB_BYTES) return null;
    if (!this.#isProved(action, found.hash, found.size, found.stdout)) return null;
    return this.#blob(found.hash, found.size);
  }

  async #blob(hash: string, size: number): Promise<Uint8Array | null> {
    const blob = await this.#get(`cas/${hash}`, size, fairTime(size));
    return blob?.length === size && sha256Hex(blob) === hash ? blob : null;
  }

  /** Sends an entry when there is time. */
  put(kind: string, key: string, payload: Uint8Array): void {
    this.putWithFiles(kind, key, payload, []);
  }

  putWithFiles(kind: string, key: string, payload: Uint8Array, files: readonly RemoteFile[]): void {
    if (!this.#mayWrite || this.#isOff) return;
    if ([payload.length, ...files.map(({ bytes }) => bytes)].some((bytes) => bytes > MAX_BLOB_BYTES)) return;
    // Files are read when it is their turn.
    if (this.#waitingBytes + payload.length > MAX_WAITING_BYTES) return;
    this.#waitingBytes += payload.length;
    this.#queue.push({ kind, key, payload, files });
    this.#sendNext();
  }

  #sendNext(): void {
    while (this.#sending.size < SENT_AT_ONCE) {
      const next = this.#queue.shift();
      if (!next) return;
      const sent: Promise<void> = this.#send(next)
        .catch((error: unknown) => this.#sendNoMore(reasonOf(error)))
        .finally(() => {
          this.#waitingBytes -= next.payload.length;
          this.#sending.delete(sent);
          this.#sendNext();
        });
      this.#sending.add(sent);
    }
  }

  async #send({ kind, key, payload, files }: Sending): Promise<void> {
    if (this.#isOff || !(await this.#sendFiles(files))) return;
    const action = keyOf(kind, key);
    const hash = sha256Hex(payload);
    const stdout = this.#proof(action, hash, payload.length);
    // The blob first: nobody must find a result whose blob is not there.
    await this.#put(`cas/${hash}`, payload);
    const path = outputOf(kind, key);
    await this.#put(`ac/${action}`, encodeActionResult({ path, hash, size: payload.length, stdout }));
  }

  /** Sends the files that the server lacks, several at once; false: one of them has changed. */
  async #sendFiles(files: readonly RemoteFile[]): Promise<boolean> {
    let next = 0;
    let isWhole = true;
    const sendSome = async (): Promise<void> => {
      for (let file = files[next++]; file && isWhole && !this.#isOff; file = files[next++]) {
        if (await this.#has(`cas/${file.sha256}`)) continue;
        const bytes = file.read();
        if (bytes === null) isWhole = false;
        else await this.#put(`cas/${file.sha256}`, bytes);
      }
    };
    await Promise.all(Array.from({ length: SENT_AT_ONCE }, sendSome));
    return isWhole && !this.#isOff;
  }

  /** Waits for what is being sent, as long as the cook may still wait. A server that takes files at a fair pace has time for all of them. */
  async close(): Promise<void> {
    const began = performance.now();
    const sentBefore = this.#sentFair;
    const left = () => MAX_WAITED_MS - this.#waited + (this.#sentFair - sentBefore) - (performance.now() - began);
    while (this.#sending.size > 0 && !this.#isOff && left() > 0) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, left());
      });
      await Promise.race([timeout, ...this.#sending]);
      clearTimeout(timer);
    }
    const unsent = this.#queue.length + this.#sending.size;
    if (unsent > 0) this.#sendNoMore(`${unsent} ${unsent === 1 ? 'entry was' : 'entries were'} not sent in time`);
    this.#isOff = true;
    this.#abort();
    await Promise.allSettled(this.#sending);
  }

  #proof(action: string, hash: string, size: number): Uint8Array {
    const { secret } = this.#place;
    if (secret === null) return new Uint8Array(0);
    return createHmac('sha256', secret).update(`untold ${action} ${hash} ${size}`).digest();
  }

  #isProved(action: string, hash: string, size: number, stdout: Uint8Array): boolean {
    if (this.#place.secret === null) return true;
    const expected = this.#proof(action, hash, size);
    return stdout.length === expected.length && timingSafeEqual(stdout, expected);
  }

  /** `signal` ends the request and the reading of its answer. */
  #request(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const { url, header } = this.#place;
    const base = url.href.endsWith('/') ? url.href : `${url.href}/`;
    // What is packed again on the way could grow without measure when it is unpacked here.
    const headers = { 'accept-encoding': 'identity', ...(header ? { [header.name]: header.value } : {}) };
    return this.#fetch(new URL(path, base), { ...init, signal, redirect: 'error', headers });
  }

  /**
   * Runs a request that ends when the cook has waited long enough, and `more` milliseconds longer. Time in which this thread
   * could not listen does not count. `limited`: false for what nobody waits for.
   */
  async #whileWaiting<T>(limited: boolean, more: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#requests.add(controller);
    const max = MAX_WAITED_MS - this.#waited + more;
    const deaf = performance.eventLoopUtilization().active;
    const began = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const look = (): void => {
      const listened = performance.now() - began - (performance.eventLoopUtilization().active - deaf);
      if (listened >= max) controller.abort(new Refused('it did not answer in time'));
      else timer = setTimeout(look, Math.max(1, max - listened));
    };
    if (limited) timer = setTimeout(look, Math.max(1, max));
    try {
      return await run(controller.signal);
    } finally {
      clearTimeout(timer);
      this.#requests.delete(controller);
    }
  }

  /** At most `max` bytes; null: there are none of this name, or more. `more`: milliseconds beside those for misses. */
  #get(path: string, max: number, more: number): Promise<Uint8Array | null> {
    return this.#whileWaiting(true, more, async (signal) => {
      const response = await this.#request(path, { method: 'GET' }, signal);
      const { body } = response;
      if (response.status === 404) {
        await body?.cancel();
        return null;
      }
      if (!response.ok) {
        await body?.cancel();
        throw new Refused(`it answered ${response.status}`);
      }
      if (body === null) return new Uint8Array(0);
      if (!['identity', null].includes(response.headers.get('content-encoding'))) {
        await body.cancel();
        return null;
      }
      const parts: Uint8Array[] = [];
      let length = 0;
      for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
        length += part.length;
        // Leaving the loop cancels what is still to come.
        if (length > max) return null;
        parts.push(part);
      }
      return Buffer.concat(parts, length);
    });
  }

  /** Whether the server says that it has a blob; one that does not answer such questions has none. */
  #has(path: string): Promise<boolean> {
    return this.#whileWaiting(false, 0, async (signal) => {
      const response = await this.#request(path, { method: 'HEAD' }, signal);
      await response.body?.cancel();
      return response.ok;
    });
  }

  #put(path: string, bytes: Uint8Array): Promise<void> {
    return this.#whileWaiting(false, 0, async (signal) => {
      const body = bytes as NonNullable<RequestInit['body']>;
      const response = await this.#request(path, { method: 'PUT', body }, signal);
      await response.body?.cancel();
      if (!response.ok) throw new Refused(`it answered ${response.status} when an entry was sent`);
      this.#sentFair += fairTime(bytes.length) / SENT_AT_ONCE;
    });
  }

  /** Counts what was waited since the last count. Requests that wait together wait once. */
  #count(): void {
    const now = this.#idleNow();
    const waited = Math.max(0, now - this.#counted);
    this.#counted = now;
    const fair = Math.min(waited, this.#fair);
    this.#fair -= fair;
    this.#waited += waited - fair;
    if (this.#waited >= MAX_WAITED_MS) this.#give('it is too slow');
  }

  /** Does without the server from now on. */
  #give(reason: string): void {
    if (this.#isOff) return;
    this.#isOff = true;
    this.#queue.length = 0;
    this.#abort();
    this.#onFault(`is not used any more: ${reason}`);
  }

  /** Sends nothing more; what the server has is still found. */
  #sendNoMore(reason: string): void {
    if (!this.#mayWrite || this.#isOff) return;
    this.#mayWrite = false;
    this.#queue.length = 0;
    this.#onFault(`gets no more entries: ${reason}`);
  }

  #abort(): void {
    for (const controller of this.#requests) controller.abort();
    for (const turn of this.#turns.splice(0)) turn();
  }
}

const fairTime = (bytes: number): number => FAIR_MS + bytes / FAIR_BYTES_A_MS;

class Refused extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const { code, message } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  if (message === 'unexpected redirect') return 'it answered with a redirect, and none is followed';
  return code ?? message ?? error.message;
}
