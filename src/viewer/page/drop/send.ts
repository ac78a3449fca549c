// Sends files to the server of the page and follows what it does with them.

import { type Diagnostic, diagnostic } from '../../../diagnostics/diagnostic.ts';
import { DROP, DROP_SECRET, type DropNews, type DropProgress, tooLarge } from '../../drop.ts';
import type { GivenFile } from './gather.ts';

/** The secret of drops; null: the page has no server that takes any. */
export function secretOfDrops(): string | null {
  const { content = '' } = document.querySelector<HTMLMetaElement>(`meta[name="${DROP_SECRET}"]`) ?? {};
  return content === '' ? null : content;
}

/** The list of the files before their contents, which the browser reads while it sends them. */
function bodyOf(files: readonly GivenFile[]): Blob {
  const list = files.map(({ path, file }) => ({ path, bytes: file.size }));
  const json = new TextEncoder().encode(JSON.stringify(list));
  const length = new DataView(new ArrayBuffer(4));
  length.setUint32(0, json.length, true);
  return new Blob([length, json, ...files.map(({ file }) => file)]);
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (done) return;
  }
}

const refused = (message: string, remedy: string): readonly Diagnostic[] => [
  diagnostic('UC1200', '', '', message, remedy),
];
const GONE = 'start `untold view` again, and open the address that it prints';

/** Why the files are not shown; none: they are. Rejects where the signal aborts. */
export async function send(
  files: readonly GivenFile[],
  secret: string,
  signal: AbortSignal,
  onProgress: (progress: DropProgress) => void,
): Promise<readonly Diagnostic[]> {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const limit = tooLarge(files.length, bytes);
  if (limit) return [limit];
  let response: Response;
  try {
    response = await fetch(DROP, { method: 'POST', headers: { [DROP_SECRET]: secret }, body: bodyOf(files), signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return refused('the files could not be read, or the server does not answer', GONE);
  }
  if (!response.body || !response.headers.get('content-type')?.includes('ndjson')) {
    return refused(`the server answers ${response.status}: ${(await response.text()).trim()}`, GONE);
  }
  try {
    for await (const line of linesOf(response.body)) {
      const news = JSON.parse(line) as DropNews;
      if ('isShown' in news) return [];
      if ('faults' in news) return news.faults;
      onProgress(news.progress);
    }
  } catch (error) {
    if (signal.aborted) throw error;
  }
  return refused('the server has ended before it had an answer', GONE);
}
