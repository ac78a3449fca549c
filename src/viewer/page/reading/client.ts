// Asks the reading thread for payloads and textures.

import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { UntoldClip } from '../../../formats/untold/types.ts';
import { AGAINST } from '../../description.ts';
import type { Attempts } from './attempts.ts';
import type { ReadEnvironment } from './environment.ts';
import type { ReadPayload, ReadTexture, Reply, Request } from './protocol.ts';

/** A file that could not be read. */
export class ReadFault extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** Of HTTP, where the file has not come; 0: there was no answer; null: it has come. */
  readonly status: number | null;

  constructor(diagnostics: readonly Diagnostic[], status: number | null = null) {
    super(diagnostics.map(({ code, file, message }) => `${code} ${file}: ${message}`).join('\n'));
    this.diagnostics = diagnostics;
    this.status = status;
  }
}

/** From here on the server, or what is between, is at fault, and no file that is missing. */
const SERVER_FAULT = 500;

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

export class Reading {
  readonly #thread = new Worker('reader.js', { type: 'module' });
  readonly #open = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>();
  readonly #attempts: Attempts;
  #last = 0;

  constructor(attempts: Attempts) {
    this.#attempts = attempts;
    this.#thread.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      const waiting = this.#open.get(data.id);
      this.#open.delete(data.id);
      if ('faults' in data) waiting?.reject(new ReadFault(data.faults, data.status ?? null));
      else waiting?.resolve(data);
    });
    this.#thread.addEventListener('error', ({ message }) => {
      const fault = {
        code: 'UC1101',
        severity: 'error',
        file: '',
        path: '',
        message: `the reading thread failed: ${message}`,
        remedy: 'reload the page',
      } as const;
      for (const { reject } of this.#open.values()) reject(new ReadFault([fault]));
      this.#open.clear();
    });
  }

  /** How many files are being read. */
  get inFlight(): number {
    return this.#open.size;
  }

  /** Tries again while the file does not come and `isWanted`. */
  async payload(path: string, isWanted: () => boolean): Promise<ReadPayload> {
    const reply = await this.#insist({ kind: 'payload', url: urlOf(path), name: path }, isWanted, 1);
    return (reply as Extract<Reply, { payload: unknown }>).payload;
  }

  /** A texture that is not there may be elsewhere, so that it is tried again only where there is no answer, or none for sure. */
  async texture(path: string, astc: boolean, isWanted: () => boolean): Promise<ReadTexture> {
    const request = { kind: 'texture', url: urlOf(path), name: path, astc } as const;
    const reply = await this.#insist(request, isWanted, SERVER_FAULT);
    return (reply as Extract<Reply, { texture: unknown }>).texture;
  }

  /** The surroundings that a Radiance picture shows; `content`: what is in it, null: the server has it. */
  async environment(url: string, name: string, content: Uint8Array | null): Promise<ReadEnvironment> {
    const reply = await this.#ask({ kind: 'environment', url, name, content });
    return (reply as Extract<Reply, { environment: unknown }>).environment;
  }

  /** The clips of a file. */
  async clips(path: string): Promise<readonly UntoldClip[]> {
    const reply = await this.#ask({ kind: 'clips', url: urlOf(path), name: path });
    return (reply as Extract<Reply, { clips: unknown }>).clips;
  }

  /** Tries again after answers with a status from `least` on, or none. */
  async #insist(request: WithoutId<Request>, isWanted: () => boolean, least: number): Promise<Reply> {
    try {
      for (let tries = 0; ; tries++) {
        try {
          return await this.#ask(request);
        } catch (error) {
          const status = error instanceof ReadFault ? error.status : null;
          if (status === null || (status !== 0 && status < least) || !isWanted()) throw error;
          await this.#attempts.pause(request.name, status, tries);
          if (!isWanted()) throw error;
        }
      }
    } finally {
      this.#attempts.end(request.name);
    }
  }

  #ask(request: WithoutId<Request>): Promise<Reply> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#thread.postMessage({ ...request, id });
    });
  }
}

/** Where the server has a file of the set, or of the other output. */
export function urlOf(path: string): string {
  const isOther = path.startsWith(AGAINST);
  const own = isOther ? path.slice(AGAINST.length) : path;
  return `${isOther ? 'against' : 'set'}/${own.split('/').map(encodeURIComponent).join('/')}`;
}
