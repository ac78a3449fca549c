// The two streams. Answers (documents, help, lists) go to stdout; everything said along the way goes to stderr. Here is
// decided whether to colour and whether a line can be rewritten.

/** SGR parameters (ECMA-48, 8.3.117) that switch a style on and off. */
const STYLES = { red: [31, 39], yellow: [33, 39], cyan: [36, 39], bold: [1, 22], dim: [2, 22] } as const;

export type Style = keyof typeof STYLES;

export interface Terminal {
  /** Whether stderr shows one rewritten line: a terminal, and nobody records it (CI). */
  readonly live: boolean;
  /** Text for stderr in a style, when colours are wanted. */
  style(style: Style, text: string): string;
  /** A line on stderr. */
  say(line: string): void;
  /** Replaces the rewritten line; '' takes it away. Nothing without a live terminal. */
  status(line: string): void;
  /** Text on stdout. */
  answer(text: string): void;
  /** Whether a stream refused to take text, for another reason than that nobody reads it any more. */
  readonly failed: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false';
}

/** NO_COLOR (no-color.org: any value but the empty one) is stronger than FORCE_COLOR; otherwise terminals get colours. */
export function wantsColor(environment: Environment, isTerminal: boolean): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR === '' || isSet(environment.FORCE_COLOR);
  return isTerminal && environment.TERM !== 'dumb';
}

/**
 * Control characters of names and messages, as they come from files, shown as escapes: they could otherwise move the
 * cursor or colour the terminal.
 */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function openTerminal(environment: Environment = process.env): Terminal {
  const { stdout, stderr } = process;
  // Whoever reads us may stop reading (`| head`): the work goes on, only nobody hears of it.
  let failed = false;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') failed = true;
    });
  }
  const color = wantsColor(environment, stderr.isTTY === true);
  const live = stderr.isTTY === true && environment.TERM !== 'dumb' && !isSet(environment.CI);
  let shown = false;
  const clear = () => {
    if (shown) stderr.write('\r\x1b[K');
    shown = false;
  };
  return {
    live,
    get failed() {
      return failed;
    },
    style(style, text) {
      const [on, off] = STYLES[style];
      return color ? `\x1b[${on}m${text}\x1b[${off}m` : text;
    },
    say(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    status(line) {
      if (!live) return;
      clear();
      if (line === '') return;
      // Some terminals that nobody looks at say that they are 0 wide.
      const room = (stderr.columns || 80) - 1;
      const plain = printable(line);
      stderr.write(plain.length > room ? `${plain.slice(0, Math.max(0, room - 1))}…` : plain);
      shown = true;
    },
    answer(text) {
      clear();
      stdout.write(text);
    },
  };
}

/** Waits until both streams have handed on what was written. */
export async function flush(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.writableLength) continue;
    await new Promise<void>((done) => {
      stream.write('', () => done());
    });
  }
}
