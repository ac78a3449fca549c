// Writes a layer as a crate (OpenUSD, usd/crateFile.h): bootstrap, values, the six sections of its structure, table of
// contents. Version 0.8.0, because readers meet crates of 0.7 to 0.9 more than any other; a later version only for
// values that 0.8.0 does not have. Equal layers give equal bytes.

import { fail } from '../../diagnostics/diagnostic.ts';
import { ByteSink } from './bytes.ts';
import { Paths, Strings, Tokens } from './tables.ts';
import type { ValueTypeName } from './valueRep.ts';
import type { SpecType, TimeSamples, Value } from './values.ts';
import { ValueWriter } from './valueWriter.ts';

/** A spec as it is written; its path is spelt as crates spell it. */
export interface CrateSpec {
  readonly path: string;
  readonly type: SpecType;
  readonly fields: Iterable<readonly [string, Value]>;
}

const MAGIC = 'PXR-USDC';
/** magic, u8 version[8], i64 tocOffset, i64 reserved[8]. */
const BOOTSTRAP_BYTES = 88;
const SECTION_NAME_BYTES = 16;
const END_OF_RUN = 0xffff_ffff;
const ALIGNMENT = 8;
/** One buffer of every Node that is supported. */
const MAX_BYTES = 2 ** 31 - 1;

/** The minor version of the oldest crates that are written. */
const OLDEST = 8;
/** The first minor versions that have a type of values. */
const NEWER: Readonly<Partial<Record<ValueTypeName, number>>> = {
  TimeCode: 9,
  PathExpression: 10,
  Relocates: 11,
  AnimationBlock: 14,
};

/** The minor version that a value needs. */
function neededVersion({ type, value }: Value): number {
  let needed = NEWER[type] ?? OLDEST;
  const inner: Value[] = [];
  if (type === 'Value' || type === 'UnregisteredValue') inner.push(value as Value);
  else if (type === 'Dictionary') inner.push(...(value as ReadonlyMap<string, Value>).values());
  else if (type === 'TimeSamples' && (value as TimeSamples).times.length > 0) inner.push((value as TimeSamples).at(0));
  for (const item of inner) needed = Math.max(needed, neededVersion(item));
  return needed;
}

/** The tables of fields, runs of fields, and specs. */
class Structure {
  readonly tokens = new Tokens();
  readonly strings = new Strings(this.tokens);
  readonly paths = new Paths(this.tokens);
  readonly values = new ValueWriter(BOOTSTRAP_BYTES, this.tokens, this.strings, this.paths);
  version = OLDEST;
  readonly #fields = new Map<string, number>();
  readonly #fieldNames: number[] = [];
  readonly #fieldReps: number[] = [];
  readonly #runs = new Map<string, number>();
  readonly #fieldSets: number[] = [];
  readonly #specs: { readonly path: number; readonly run: number; readonly type: number }[] = [];

  add({ path, type, fields }: CrateSpec): void {
    const run: number[] = [];
    for (const [name, value] of fields) {
      this.version = Math.max(this.version, neededVersion(value));
      run.push(this.#field(this.tokens.of(name), value));
    }
    this.#specs.push({ path: this.paths.of(path), run: this.#run(run), type });
  }

  #field(name: number, value: Value): number {
    const { low, high } = this.values.rep(value);
    const key = `${name} ${high} ${low}`;
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    this.#fields.set(key, this.#fieldNames.length);
    this.#fieldReps.push(low, high);
    return this.#fieldNames.push(name) - 1;
  }

  #run(fields: readonly number[]): number {
    const key = fields.join();
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    const start = this.#fieldSets.length;
    this.#runs.set(key, start);
    this.#fieldSets.push(...fields, END_OF_RUN);
    return start;
  }

  /** The sections in the order of the file. */
  sections(): readonly (readonly [string, Uint8Array])[] {
    const section = (write: (sink: ByteSink) => void): Uint8Array => {
      const sink = new ByteSink();
      write(sink);
      return sink.done();
    };
    const text = new TextEncoder().encode(this.tokens.items.map((token) => `${token}\0`).join(''));
    const column = (of: 'path' | 'run' | 'type') => this.#specs.map((spec) => spec[of]);
    const tree = this.paths.tree(column('path'));
    return [
      [
        'TOKENS',
        section((sink) => {
          sink.u64(this.tokens.items.length);
          sink.u64(text.length);
          sink.packed(text);
        }),
      ],
      [
        'STRINGS',
        section((sink) => {
          sink.u64(this.strings.tokens.length);
          for (const token of this.strings.tokens) sink.u32(token);
        }),
      ],
      [
        'FIELDS',
        section((sink) => {
          sink.u64(this.#fieldNames.length);
          sink.run(this.#fieldNames);
          sink.packed(new Uint8Array(Uint32Array.from(this.#fieldReps).buffer));
        }),
      ],
      [
        'FIELDSETS',
        section((sink) => {
          sink.u64(this.#fieldSets.length);
          sink.run(this.#fieldSets);
        }),
      ],
      [
        'PATHS',
        section((sink) => {
          sink.u64(this.paths.items.length);
          sink.u64(tree.indexes.length);
          for (const run of [tree.indexes, tree.elements, tree.jumps]) sink.run(run);
        }),
      ],
      [
        'SPECS',
        section((sink) => {
          sink.u64(this.#specs.length);
          for (const of of ['path', 'run', 'type'] as const) sink.run(column(of));
        }),
      ],
    ];
  }
}

/**
 * The crate of some specs, which hold the pseudo-root `/`. Values may be decoded when they are asked for: each is written before the
 * next spec is taken. Throws UC3802; `file` is named in messages.
 */
export function writeUsdc(specs: Iterable<CrateSpec>, file: string): Uint8Array {
  const structure = new Structure();
  const { values } = structure;
  const check = (bytes: number): void => {
    if (bytes > MAX_BYTES) fail('UC3802', file, '', `its layer would have ${bytes} bytes, the limit is ${MAX_BYTES}`);
  };
  for (const spec of specs) {
    structure.add(spec);
    check(values.size);
  }
  const parts = [...values.parts];
  let { size } = values;
  const put = (bytes: Uint8Array): number => {
    const padding = (ALIGNMENT - (size % ALIGNMENT)) % ALIGNMENT;
    if (padding > 0) parts.push(new Uint8Array(padding));
    const start = size + padding;
    parts.push(bytes);
    size = start + bytes.length;
    return start;
  };
  const contents = new ByteSink();
  const sections = structure.sections();
  contents.u64(sections.length);
  for (const [name, bytes] of sections) {
    contents.put(new TextEncoder().encode(name.padEnd(SECTION_NAME_BYTES, '\0')));
    contents.u64(put(bytes));
    contents.u64(bytes.length);
  }
  const tableOfContents = put(contents.done());
  const bootstrap = new ByteSink();
  bootstrap.put(new TextEncoder().encode(MAGIC));
  for (const number of [0, structure.version, 0, 0, 0, 0, 0, 0]) bootstrap.u8(number);
  bootstrap.u64(tableOfContents);
  while (bootstrap.size < BOOTSTRAP_BYTES) bootstrap.u64(0);
  check(size);
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of [bootstrap.done(), ...parts]) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
