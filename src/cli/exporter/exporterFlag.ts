// What a row of the exporter's flags is. Rows are options of a command of ours, with what becomes of each.

import { COMMAND_OPTIONS, type CommandOption, PRINT_GROUP } from '../../index.ts';

/** `same`: it does what it does there; `info`: it is accepted and changes nothing (UC1043); `refused`: it ends the command (UC1044). */
export type Handling = 'same' | 'info' | 'refused';

export interface ExporterFlag extends CommandOption {
  readonly how: Handling;
  /** What to do in `untold cook` or another command of ours, as a remedy says it. */
  readonly instead: string;
}

const GROUPS: Readonly<Record<Handling, string>> = {
  same: 'Flags:',
  info: 'Accepted without effect, with the info UC1043:',
  refused: 'Refused with UC1044:',
};

type Same = Omit<ExporterFlag, 'how' | 'group'>;

/** A flag that does here what it does there. */
export function same<const T extends Same>(row: T) {
  return { ...row, how: 'same', group: GROUPS.same } as const;
}

/** A flag whose value is read and not used; `placeholder`: null for one without a value. */
function unused(how: 'info' | 'refused', name: string, placeholder: string | null, why: string, instead: string) {
  // What begins with no- is an option that is on until it is turned off.
  const isOn = name.startsWith('no-');
  const kind: { readonly type: 'flag'; readonly on?: boolean } | { readonly type: 'text' } =
    placeholder === null ? { type: 'flag', ...(isOn && { on: true }) } : { type: 'text' };
  return {
    name: isOn ? name.slice('no-'.length) : name,
    kind,
    ...(placeholder !== null && { placeholder }),
    description: why,
    how,
    instead,
    group: GROUPS[how],
  };
}

export const info = (name: string, placeholder: string | null, why: string, instead: string) =>
  unused('info', name, placeholder, why, instead);

export const refused = (name: string, placeholder: string | null, why: string, instead: string) =>
  unused('refused', name, placeholder, why, instead);

const PRINTED = ['json', 'quiet', 'verbose', 'log-format'] as const;
type Printed = Extract<(typeof COMMAND_OPTIONS.render)[number], { readonly name: (typeof PRINTED)[number] }>;

/** How our commands print, which the exporter's have no flags for. */
export const PRINT_OPTIONS = COMMAND_OPTIONS.render.filter(
  (option): option is Printed => option.group === PRINT_GROUP && (PRINTED as readonly string[]).includes(option.name),
);
