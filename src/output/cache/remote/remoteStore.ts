// A cache on another machine, by the HTTP form of the Bazel remote cache: /ac/KEY holds an ActionResult that names a blob,
// /cas/SHA256 holds the blob. Whatever the server does, a cook gives the same bytes: what is not proved is not used, and a
// server that is slow, broken or full is left alone after a few seconds in all.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { sha256Hex } from '../../../bytes/sha256.ts';
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
const MOST_WAITED_MS = 5_000;
/** What a server may take for an entry that it has: so long, and a millisecond for so many bytes. */
const FAIR_MS = 50;
const FAIR_BYTES_A_MS = 10_000;
/** An ActionResult of ours has about 250 bytes. */
const MOST_RESULT_BYTES = 65_536;
const MOST_BLOB_BYTES = 2 ** 31 - 1;
/** Blobs that are sent at once. */
const SENT_AT_ONCE = 4;
/** Bytes that wait to be sent; more are not sent. */
const MOST_WAITING_BYTES = 2 ** 28;
const OUTPUT_NAME = 'entry';

const keyOf = (kind: string, key: string): string => sha256Hex(`untold ${kind} ${key}`);

/** Why the server is not asked any more. */
export type RemoteFault = (reason: string) => void;

interface Sending {
  readonly kind: string;
  readonly key: string;
  readonly payload: Uint8Array;
}

export class RemoteStore {
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
  /** Ends what is under way when the cook will not wait any longer. */
  readonly #stop = new AbortController();

  /** `onFault` is called at most once. */
  constructor(place: RemotePlace, onFault: RemoteFault, request: typeof fetch = fetch) {
    this.#place = place;
    this.#onFault = onFault;
    this.#fetch = request;
    this.#mayWrite = !place.isReadOnly;
  }

  /** The payload of an entry; null: the server has none, or none that is proved. */
  async find(kind: string, key: string): Promise<Uint8Array | null> {
    if (this.#isOff || this.#place.isRefreshed) return null;
    if (this.#inFlight++ === 0) this.#counted = this.#idleNow();
    let payload: Uint8Array | null = null;
    try {
      payload = await this.#find(kind, key, this.#deadline());
      // Of what was found, only what took longer than it should was in vain.
      if (payload !== null) this.#fair = Math.max(this.#fair, FAIR_MS + payload.length / FAIR_BYTES_A_MS);
    } catch (error) {
      this.#give(reasonOf(error));
    } finally {
      this.#count();
      this.#inFlight--;
    }
    return payload;
  }

  /** `idle`: milliseconds so far in which no thread worked. Absent: all time counts. */
  waitsWhile(idle: () => number): void {
    this.#idle = idle;
  }

  /** Milliseconds so far in which neither a thread nor this one worked. */
  #idleNow(): number {
    return Math.min(this.#idle(), performance.now()) - performance.eventLoopUtilization().active;
  }

  /** When the cook will have waited long enough. */
  #deadline(): AbortSignal {
    const left = Math.max(1, Math.ceil(MOST_WAITED_MS - this.#waited));
    return AbortSignal.any([AbortSignal.timeout(left), this.#stop.signal]);
  }

  async #find(kind: string, key: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const action = keyOf(kind, key);
    const result = await this.#get(`ac/${action}`, MOST_RESULT_BYTES, signal);
    const found = result && decodeActionResult(result);
    if (!found || found.path !== OUTPUT_NAME || found.size > MOST_BLOB_BYTES) return null;
    if (!this.#isProved(action, found.hash, found.size, found.stdout)) return null;
    const payload = await this.#get(`cas/${found.hash}`, found.size, signal);
    if (payload === null) return null;
    return payload.length === found.size && sha256Hex(payload) === found.hash ? payload : null;
  }

  /** Sends an entry when there is time. */
  put(kind: string, key: string, payload: Uint8Array): void {
    if (!this.#mayWrite || this.#isOff || this.#waitingBytes + payload.length > MOST_WAITING_BYTES) return;
    this.#waitingBytes += payload.length;
    this.#queue.push({ kind, key, payload });
    this.#sendNext();
  }

  #sendNext(): void {
    while (this.#sending.size < SENT_AT_ONCE) {
      const next = this.#queue.shift();
      if (!next) return;
      const sent: Promise<void> = this.#send(next)
        .catch((error: unknown) => {
          this.#mayWrite = false;
          this.#give(reasonOf(error));
        })
        .finally(() => {
          this.#waitingBytes -= next.payload.length;
          this.#sending.delete(sent);
          this.#sendNext();
        });
      this.#sending.add(sent);
    }
  }

  async #send({ kind, key, payload }: Sending): Promise<void> {
    if (this.#isOff) return;
    const action = keyOf(kind, key);
    const hash = sha256Hex(payload);
    const stdout = this.#proof(action, hash, payload.length);
    // The blob first: nobody must find a result whose blob is not there.
    await this.#put(`cas/${hash}`, payload);
    await this.#put(`ac/${action}`, encodeActionResult({ path: OUTPUT_NAME, hash, size: payload.length, stdout }));
  }

  /** Waits for what is being sent, as long as the cook may still wait. */
  async close(): Promise<void> {
    const began = performance.now();
    const left = () => MOST_WAITED_MS - this.#waited - (performance.now() - began);
    while (this.#sending.size > 0 && !this.#isOff && left() > 0) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, left());
      });
      await Promise.race([timeout, ...this.#sending]);
      clearTimeout(timer);
    }
    const unsent = this.#queue.length + this.#sending.size;
    this.#queue.length = 0;
    if (unsent > 0 && !this.#isOff)
      this.#give(`${unsent} ${unsent === 1 ? 'entry was' : 'entries were'} not sent in time`);
    this.#stop.abort();
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

  #request(path: string, init: RequestInit): Promise<Response> {
    const { url, header } = this.#place;
    const base = url.href.endsWith('/') ? url.href : `${url.href}/`;
    return this.#fetch(new URL(path, base), {
      ...init,
      redirect: 'error',
      headers: header ? { [header.name]: header.value } : {},
    });
  }

  /** At most `most` bytes; null: there are none of this name, or more. */
  async #get(path: string, most: number, signal: AbortSignal): Promise<Uint8Array | null> {
    const response = await this.#request(path, { method: 'GET', signal });
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
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
      length += part.length;
      // Leaving the loop cancels what is still to come.
      if (length > most) return null;
      parts.push(part);
    }
    return Buffer.concat(parts, length);
  }

  async #put(path: string, bytes: Uint8Array): Promise<void> {
    const response = await this.#request(path, {
      method: 'PUT',
      signal: this.#stop.signal,
      body: bytes as NonNullable<RequestInit['body']>,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Refused(`it answered ${response.status} when an entry was sent`);
  }

  /** Counts what was waited since the last count. Requests that wait together wait once. */
  #count(): void {
    const now = this.#idleNow();
    const waited = Math.max(0, now - this.#counted);
    this.#counted = now;
    const fair = Math.min(waited, this.#fair);
    this.#fair -= fair;
    this.#waited += waited - fair;
    if (this.#waited >= MOST_WAITED_MS) this.#give('it is too slow');
  }

  /** Does without the server from now on. */
  #give(reason: string): void {
    if (this.#isOff) return;
    this.#isOff = true;
    this.#queue.length = 0;
    this.#onFault(reason);
  }
}

class Refused extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  const { cause } = error;
  const { code, message } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  if (message === 'unexpected redirect') return 'it answered with a redirect, and none is followed';
  return code ?? message ?? error.message;
}
