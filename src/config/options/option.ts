// What an option is: its name, the values it takes and its help, as one row of a table. TypeScript derives the type of
// each value from its row, so that a setting is read as `options.tileSize` and is a number without a cast.

/** What a value may be. */
export type OptionKind =
  /** `on`: the command line has it unless `--no-NAME` is given; the library does not unless it is true. */
  | { readonly type: 'flag'; readonly on?: boolean }
  /** `offers`: words that are likely, where others are taken as well. */
  | { readonly type: 'text'; readonly offers?: readonly string[] }
  /** A path; in a preset it is relative to the preset's own folder. */
  /** `keepsSlash`: a slash at the end says that the path is that of a folder, and stays. */
  | { readonly type: 'path'; readonly searched?: false; readonly keepsSlash?: true }
  /** A path; true: the file is looked for, false: there is none. The command line has --no-NAME for the latter. */
  | { readonly type: 'path'; readonly searched: true }
  | { readonly type: 'choice'; readonly choices: readonly string[] }
  | { readonly type: 'number'; readonly minimum: number; readonly maximum: number; readonly integer: boolean }
  /** So many numbers; as text separated by commas. */
  | { readonly type: 'numbers'; readonly count: number; readonly minimum: number; readonly maximum: number }
  /** A whole number of bytes; as text with a unit, like `500MB` or `10GiB`. */
  | { readonly type: 'bytes'; readonly minimum: number; readonly maximum: number }
  /** A number between 0 and 1, null, or 'auto'; as text `0.1`, `none` or `auto`. */
  | { readonly type: 'ratio' }
  /** At most `max` falling numbers between 0 and 1, or 'auto'; as text separated by commas, `none` or `auto`. */
  | { readonly type: 'ratios'; readonly max: number }
  /**
   * Texts; on the command line separated by commas outside of braces, or given again. With `choices` at least one of these words; with
   * `items` texts of that pattern, which `words` describes.
   */
  | {
      readonly type: 'list';
      readonly choices?: readonly string[];
      readonly items?: { readonly pattern: RegExp; readonly words: string };
      /**
       * Items are paths, or texts that end in `=` and a path, or some of them are `points:` and a path; in a preset these are relative to
       * the preset's own folder.
       */
      readonly paths?: 'items' | 'targets' | 'points';
      /** On the command line commas belong to an item: each item has its own flag. */
      readonly keepsCommas?: true;
    };

export type OptionValue = string | number | boolean | null | readonly string[] | readonly number[];

export interface OptionSpec {
  /** The long flag without its dashes, and the key in a preset. The library uses it in camelCase. */
  readonly name: string;
  /** The letter of the short flag, if there is one. */
  readonly short?: string;
  readonly kind: OptionKind;
  /** The value's name in the help; absent for a flag. */
  readonly placeholder?: string;
  /** The extensions of the files that completion offers; absent: that of the placeholder, or any. */
  readonly files?: readonly string[];
  readonly description: string;
  /** The value that applies when none is given; absent: none does. */
  readonly default?: OptionValue;
}

/** The type of an option's value. */
export type ValueOf<K extends OptionKind> = K extends { readonly type: 'flag' }
  ? boolean
  : K extends { readonly type: 'number' | 'bytes' }
    ? number
    : K extends { readonly type: 'numbers' }
      ? readonly number[]
      : K extends { readonly type: 'ratio' }
        ? number | null | 'auto'
        : K extends { readonly type: 'ratios' }
          ? readonly number[] | 'auto'
          : K extends { readonly type: 'path'; readonly searched: true }
            ? string | boolean
            : K extends { readonly choices: readonly (infer C)[] }
              ? K extends { readonly type: 'list' }
                ? readonly C[]
                : C
              : K extends { readonly type: 'list' }
                ? readonly string[]
                : string;

/** `tile-size` as `tileSize`. */
export type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

export function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The long flag as help and documents show it: what is on is turned off. */
export function shownFlag({ name, kind }: OptionSpec): string {
  return kind.type === 'flag' && kind.on ? `--no-${name}` : `--${name}`;
}

/** `-o, --out`, or the long flag alone. */
export function bothFlags(spec: OptionSpec): string {
  return spec.short === undefined ? shownFlag(spec) : `-${spec.short}, ${shownFlag(spec)}`;
}

export type OptionTable = readonly OptionSpec[];

/** Values of a table's options by their names in camelCase, as they are given: each may be absent. */
export type OptionsOf<T extends OptionTable> = {
  readonly [S in T[number] as CamelCase<S['name']>]?: ValueOf<S['kind']> | undefined;
};

/** The values of a table's options with defaults applied: an option with a default is never absent. */
export type SettledOptions<T extends OptionTable> = OptionsOf<T> & {
  readonly [S in Extract<T[number], { readonly default: OptionValue }> as CamelCase<S['name']>]: ValueOf<S['kind']>;
};

/** Values by name in camelCase, for options of any table. */
export type GivenValues = Readonly<Record<string, OptionValue | undefined>>;

/** Puts layers of values together: later ones are stronger, and undefined means not given. */
export function layerValues(...layers: readonly GivenValues[]): GivenValues {
  const values: Record<string, OptionValue> = {};
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) if (value !== undefined) values[name] = value;
  }
  return values;
}

/** The default of each option that has one. */
export function defaultValues(table: OptionTable): GivenValues {
  return Object.fromEntries(
    table.flatMap((spec) => (spec.default === undefined ? [] : [[camelCase(spec.name), spec.default]])),
  );
}

/** Checked values with the table's defaults below them: the first layer is the weakest. */
export function settle<T extends OptionTable>(table: T, ...layers: readonly OptionsOf<T>[]): SettledOptions<T> {
  // Every layer has the table's types, which TypeScript does not follow through a loop over names.
  return layerValues(defaultValues(table), ...(layers as readonly GivenValues[])) as SettledOptions<T>;
}
