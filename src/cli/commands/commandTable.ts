// The commands: their names, arguments and options. The program, its help and the completions of shells are made of this table.

import { COMMAND_OPTIONS, type CommandOption, type FileCommand, fileExtensions } from '../../index.ts';
import { COMMAND_FLAGS } from '../exporter/exporterTable.ts';

/** A command of the engine's own exporter. */
export type ExporterCommand = keyof typeof COMMAND_FLAGS;

export interface CommandSpec {
  /** One word, or a group of commands and the command in it. */
  readonly name: keyof typeof COMMAND_OPTIONS | ExporterCommand | 'completion';
  /** Null: it takes none. */
  readonly argument: string | null;
  readonly argumentHelp: string;
  readonly description: string;
  readonly options: readonly CommandOption[];
  /** Presets may set flags, so that the command line needs a way to clear them. */
  readonly negatable: boolean;
  /** The heading that the command stands under in the help; absent: the usual one. */
  readonly heading?: string;
}

/** The heading of the commands that take the flags of untoldengine. */
export const EXPORTER_HEADING = 'With the flags of untoldengine:';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The extensions of the files that a command takes. */
const of = (command: FileCommand): string => fileExtensions(command).join(', ');

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'cook',
    argument: '[sources...]',
    argumentHelp: `files (${of('cook')}), folders and patterns; a target of the project file; the project when left out`,
    description: 'cook scenes into .untold tiles, or into one .untold file',
    options: COMMAND_OPTIONS.cook,
    negatable: true,
  },
  {
    name: 'init',
    argument: '[folder]',
    argumentHelp: 'the folder that holds the sources; this one when left out',
    description: 'write a project file for what lies in a folder',
    options: COMMAND_OPTIONS.init,
    negatable: false,
  },
  {
    name: 'merge',
    argument: '<shards...>',
    argumentHelp: 'folders that cook --shard has written, or that hold such folders',
    description: 'put the parts of a set together that several machines have cooked',
    options: COMMAND_OPTIONS.merge,
    negatable: false,
  },
  {
    name: 'clean',
    argument: '[folder]',
    argumentHelp: 'the folder that outputs are cooked into; a target of the project file; the project when left out',
    description: 'remove outputs whose source is gone',
    options: COMMAND_OPTIONS.clean,
    negatable: true,
  },
  {
    name: 'pack',
    argument: '<source>',
    argumentHelp: `a folder, or a USD layer (${of('pack')}) with all that it brings in`,
    description: 'put files into one USDZ, BPX or Urho3D package',
    options: COMMAND_OPTIONS.pack,
    negatable: false,
  },
  {
    name: 'unpack',
    argument: '<package>',
    argumentHelp: `a package (${of('unpack')})`,
    description: 'write the files of a package into a folder',
    options: COMMAND_OPTIONS.unpack,
    negatable: false,
  },
  {
    name: 'validate',
    argument: '<files...>',
    argumentHelp: `files (${of('validate')}), folders and patterns`,
    description: 'check cooked files and packages against format and engine',
    options: COMMAND_OPTIONS.validate,
    negatable: false,
  },
  {
    name: 'verify',
    argument: '[output]',
    argumentHelp: `the folder or file that --out named (${of('verify')}); a target of the project file; the project when left out`,
    description: 'check a whole output: is it sound, is it up to date',
    options: COMMAND_OPTIONS.verify,
    negatable: true,
  },
  {
    name: 'check',
    argument: '[output]',
    argumentHelp: `a file (${of('check')}), or a folder; a target of the project file; the project when left out`,
    description: 'tell whether an output fits a device: memory, triangles, draws',
    options: COMMAND_OPTIONS.check,
    negatable: false,
  },
  {
    name: 'why',
    argument: '<output> [name]',
    argumentHelp: `a tile, texture, material, node or mesh in the output; everything when left out. Outputs are files (${of('why')}), or folders that hold one manifest`,
    description: 'tell what makes an output large, and what would change it',
    options: COMMAND_OPTIONS.why,
    negatable: false,
  },
  {
    name: 'advise',
    argument: '<source>',
    argumentHelp: `a source (${of('advise')})`,
    description: 'tell what a source could do without, and what that saves',
    options: COMMAND_OPTIONS.advise,
    negatable: false,
  },
  {
    name: 'diff',
    argument: '<a> <b>',
    argumentHelp: `two outputs: files (${of('diff')}), or folders`,
    description: 'tell what changed between two outputs',
    options: COMMAND_OPTIONS.diff,
    negatable: false,
  },
  {
    name: 'inspect',
    argument: '<file>',
    argumentHelp: `a file (${of('inspect')}), or a folder`,
    description: 'tell what is in a file',
    options: COMMAND_OPTIONS.inspect,
    negatable: false,
  },
  {
    name: 'render',
    argument: '<file>',
    argumentHelp: `a file (${of('render')}), a folder, or a target of the project file`,
    description: 'draw a picture of a file that holds triangles, or compare levels',
    options: COMMAND_OPTIONS.render,
    negatable: false,
  },
  {
    name: 'view',
    argument: '<file>',
    argumentHelp: `a file (${of('view')}), a folder that holds one output, or a target of the project file`,
    description: 'show a set in the browser, or a source beside its cook',
    options: COMMAND_OPTIONS.view,
    negatable: false,
  },
  {
    name: 'explain',
    argument: '[code|word]',
    argumentHelp: 'a code as messages show it, or a word to search for; all codes when left out',
    description: 'tell what a code means and what to do about it',
    options: COMMAND_OPTIONS.explain,
    negatable: false,
  },
  {
    name: 'config',
    argument: '<source> [target]',
    argumentHelp: 'a source, which need not exist; a target of the project file, the project itself when left out',
    description: 'tell which options hold for a source, and where they come from',
    options: COMMAND_OPTIONS.config,
    negatable: true,
  },
  {
    name: 'cache info',
    argument: null,
    argumentHelp: '',
    description: 'tell what the cache holds and how large it may be',
    options: COMMAND_OPTIONS['cache info'],
    negatable: false,
  },
  {
    name: 'cache clear',
    argument: null,
    argumentHelp: '',
    description: 'remove what the cache holds, or one kind of it',
    options: COMMAND_OPTIONS['cache clear'],
    negatable: false,
  },
  {
    name: 'cache prune',
    argument: null,
    argumentHelp: '',
    description: 'remove what was not used for long, or for longest',
    options: COMMAND_OPTIONS['cache prune'],
    negatable: false,
  },
  {
    name: 'export',
    argument: null,
    argumentHelp: '',
    description: 'one scene as a file or a pack, as untoldengine export',
    options: COMMAND_FLAGS.export,
    negatable: false,
    heading: EXPORTER_HEADING,
  },
  {
    name: 'export-tiles',
    argument: null,
    argumentHelp: '',
    description: 'one scene as tiles, as untoldengine export-tiles',
    options: COMMAND_FLAGS['export-tiles'],
    negatable: false,
    heading: EXPORTER_HEADING,
  },
  {
    name: 'bake-lods',
    argument: null,
    argumentHelp: '',
    description: 'levels for a pack or a model, as untoldengine bake-lods',
    options: COMMAND_FLAGS['bake-lods'],
    negatable: false,
    heading: EXPORTER_HEADING,
  },
  {
    name: 'texbake',
    argument: null,
    argumentHelp: '',
    description: 'images as cooked textures, as untoldengine texbake',
    options: COMMAND_FLAGS.texbake,
    negatable: false,
    heading: EXPORTER_HEADING,
  },
  {
    name: 'completion',
    argument: '<shell>',
    argumentHelp: 'bash, zsh or fish',
    description: 'print the completion script of a shell',
    options: [],
    negatable: false,
  },
];

/** What groups of commands are for. */
export const GROUPS: Readonly<Record<string, string>> = { cache: 'what is kept from one cook to the next' };
