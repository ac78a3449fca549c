// Dependencies in Make syntax: for each source a rule from its output to every file that was read, and an empty rule for
// each of those files, so that make cooks again after a texture was deleted instead of stopping. No I/O.
//
// How GNU make 3.81 and later reads names (its manual, "Using Wildcard Characters" and "Rule Syntax"): a
// backslash before blanks, `#`, `:` and wildcards, backslashes before those doubled; `$$`; `%` quoted in a target only;
// `|` quoted in a prerequisite only; `=` by way of a function, because make looks for assignments before it expands.

export interface DepfileRule {
  /** The output by the name that make uses: relative to the working folder, with `/`. */
  readonly target: string;
  /** Files read, in the same form. */
  readonly prerequisites: readonly string[];
  /**
   * 'done' replaces an earlier rule of the same target. 'failed' adds to it: a failed cook has read only some of the files,
   * and make must cook again when one of the others was corrected. 'skipped' keeps the earlier rule.
   */
  readonly state: 'done' | 'failed' | 'skipped';
}

/** Whether the name can be written for make. Parentheses at the end mean a member of an archive. */
function isExpressible(name: string): boolean {
  return !/[\n\r\t;]|[ \\&]$|\(.*\)$/.test(name);
}

/** The names that a depfile has to leave out, each once. */
export function inexpressibleNames(names: readonly string[]): string[] {
  return [...new Set(names.filter((name) => !isExpressible(name)))];
}

function escapeName(name: string, role: 'target' | 'prerequisite'): string {
  let text = name.startsWith('~') ? './' : '';
  let backslashes = '';
  for (const c of name) {
    if (c === '\\') {
      backslashes += c;
      continue;
    }
    const quoted = ' #:*?['.includes(c) || c === (role === 'target' ? '%' : '|');
    if (quoted) text += `${backslashes}${backslashes}\\${c}`;
    else text += backslashes + (c === '$' ? '$$' : c === '=' ? '$(if ,,=)' : c);
    backslashes = '';
  }
  return text + backslashes;
}

const CONTINUED = ' \\';

function formatRule(target: string, prerequisites: readonly string[]): string {
  return `${[`${target}:`, ...prerequisites.map((name) => `  ${name}`)].join(`${CONTINUED}\n`)}\n`;
}

/** The rules of a depfile that formatDepfile wrote: escaped target to escaped prerequisites. */
function parseRules(text: string): Map<string, string[]> {
  const rules = new Map<string, string[]>();
  for (const block of text.split('\n\n')) {
    const [head, ...rest] = block.trimEnd().split(`${CONTINUED}\n`);
    if (!head.endsWith(':') || head.includes('\n') || rest.length === 0) continue;
    rules.set(
      head.slice(0, -1),
      rest.map((line) => line.trim()),
    );
  }
  return rules;
}

/**
 * The text of a depfile; `earlier` is that of the one it replaces, '' for none. Sorted: equal input, equal text. Names
 * that cannot be written for make are left out: inexpressibleNames gives them.
 */
export function formatDepfile(rules: readonly DepfileRule[], earlier: string): string {
  const before = parseRules(earlier);
  const written = new Map<string, string[]>();
  const emptyRules = new Set<string>();
  for (const rule of rules) {
    if (!isExpressible(rule.target)) continue;
    const target = escapeName(rule.target, 'target');
    const names = new Set(rule.state === 'done' ? [] : before.get(target));
    for (const name of rule.state === 'skipped' ? [] : rule.prerequisites) {
      if (isExpressible(name)) names.add(escapeName(name, 'prerequisite'));
    }
    if (names.size === 0) continue;
    written.set(target, [...names].sort());
    for (const name of names) emptyRules.add(asTarget(name));
  }
  for (const target of written.keys()) emptyRules.delete(target);
  const blocks = [...written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([target, names]) => formatRule(target, names));
  for (const name of [...emptyRules].sort()) blocks.push(`${name}:\n`);
  return blocks.join('\n');
}

/** An escaped prerequisite as a target: the two differ in `%` and `|`. */
function asTarget(escaped: string): string {
  return escaped.replace(/(\\*)([%|])/g, (_, slashes: string, c: string) =>
    c === '%' ? `${slashes}${slashes}\\%` : `${'\\'.repeat(Math.floor(slashes.length / 2))}|`,
  );
}
