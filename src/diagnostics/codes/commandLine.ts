// Command line, configuration, presets: codes UC1000-UC1099.

import type { CodeEntry } from '../entry.ts';

export const COMMAND_LINE = {
  UC1000: {
    severity: 'error',
    exit: 2,
    title: 'unknown command',
    cause: 'The first word after `untold` is none of its commands.',
    remedy: 'see `untold --help` for the commands',
  },
  UC1001: {
    severity: 'error',
    exit: 2,
    title: 'unknown option',
    cause: 'The command has no option of this name.',
    remedy: 'see `untold COMMAND --help` for its options',
  },
  UC1002: {
    severity: 'error',
    exit: 2,
    title: 'argument missing',
    cause: 'The command needs an argument, an option or the value of an option that was not given.',
    remedy: 'see `untold COMMAND --help` for what the command takes',
  },
  UC1003: {
    severity: 'error',
    exit: 2,
    title: 'option value not allowed',
    cause: 'The option takes a number in a range, one of a few words, or a path that exists.',
    remedy: 'give one of the values that the message names',
  },
  UC1004: {
    severity: 'error',
    exit: 2,
    title: 'nothing matches',
    cause:
      'A folder or pattern on the command line leads to no file of a kind that the command reads. Hidden files and folders are passed over.',
    remedy:
      'check the path and what --ignore and .untoldignore pass over, and quote patterns so that they arrive as written',
  },
  UC1005: {
    severity: 'error',
    exit: 2,
    title: 'two sources would write the same output',
    cause:
      'Outputs are named after the source file, and names are compared without case because many disks do not tell case apart. None of these sources is cooked; the others are.',
    remedy: 'rename a source, or cook one of them in a call of its own into another folder',
  },
  UC1006: {
    severity: 'error',
    exit: 2,
    title: 'several sources for one output file',
    cause: 'An --out that names a file holds one source.',
    remedy:
      'give --out a folder, --out-each with a pattern like props/{name}.untold for a file each, or --as-one NAME to join them',
  },
  UC1007: {
    severity: 'error',
    exit: 2,
    title: 'preset not found',
    cause: 'There is no preset of this name, or its file cannot be read.',
    remedy: 'give the name of a preset that comes with untold, or the path of a .json file',
  },
  UC1008: {
    severity: 'error',
    exit: 2,
    title: 'preset or project file malformed',
    cause:
      'A preset is a JSON object whose keys are names of options of `untold cook`. A project file has the same keys, and "sources", "pipeline", "files": a list of objects with "match" and options for the sources that match, "targets": an object with the builds by their names, of the same keys, and "devices": an object with devices by their names.',
    remedy: 'correct the file; the schemas preset.schema.json and config.schema.json describe them to editors',
  },
  UC1009: {
    severity: 'error',
    exit: 2,
    title: 'unknown key in a preset or project file',
    cause:
      'Keys of presets and project files are the long names of the options of `untold cook`, without the dashes; project files and their targets have sources, pipeline and files besides, and a project file its devices, with the numbers that docs/devices.md lists. In "files" only those stand that may differ from source to source: not where outputs go, nor what is printed.',
    remedy: 'see `untold cook --help` for the names',
  },
  UC1010: {
    severity: 'error',
    exit: 2,
    title: 'unknown diagnostic code',
    cause: 'Codes are UC and four digits; this one is not in the table.',
    remedy: 'see `untold explain` for all codes',
  },
  UC1011: {
    severity: 'error',
    exit: 2,
    title: 'source outside the asset root',
    cause:
      'With --root, or a root of the project file or preset, every source has to lie below that folder, because the folders below it are kept in the output.',
    remedy: 'give --root the folder that holds all sources, or cook the others in a call of their own',
  },
  UC1012: {
    severity: 'error',
    exit: 2,
    title: 'options exclude each other',
    cause: 'Two options, of the command line or of a preset, ask for opposite things.',
    remedy: 'leave one of them out',
  },
  UC1013: {
    severity: 'error',
    exit: 2,
    title: 'too many arguments',
    cause: 'The command takes fewer arguments than were given.',
    remedy: 'see `untold COMMAND --help` for what the command takes; quote names that hold spaces',
  },
  UC1014: {
    severity: 'warning',
    title: 'file name not possible in a depfile',
    cause:
      'Make cannot read some names in a depfile: names that hold a line break, a tab or a semicolon, names that end in a space, a backslash or an ampersand, and names that end in a part in parentheses. Make does not notice when such a file changes.',
    remedy: 'rename the file',
  },
  UC1015: {
    severity: 'warning',
    title: 'option without effect',
    cause:
      'The option acts on something that this source does not have or this call does not make. Variants, purposes and units belong to USD; scenes and material variants belong to glTF; qualities, sizes, mips and encoders of textures belong to --textures utex; animations belong to models in one file.',
    remedy: 'leave the option out, or set it in the project file under "files" for the sources that it is for',
  },
  UC1016: {
    severity: 'error',
    exit: 2,
    title: 'not a USD stage',
    cause:
      '--stage shows what OpenUSD composes from layers, and the groups of a .gali file. glTF sources, manifests and .untold files have no such stage.',
    remedy: 'leave --stage out to see what is in the file',
  },
  UC1017: {
    severity: 'error',
    exit: 2,
    title: 'picture of a file that is no texture',
    cause: '--png and --mip of `untold inspect` show the texels of a cooked texture; the file is of another kind.',
    remedy: 'leave the option out; `untold render` draws cooked sets',
  },
  UC1020: {
    severity: 'info',
    title: 'sources that are parts of others',
    cause:
      'Layers in a folder or pattern that another source of the call references, includes as a sublayer or has in a variant come into the output with that one. They are no sources of their own.',
    remedy: 'give --include-dependencies to cook them too, or name one by itself',
  },
  UC1021: {
    severity: 'info',
    title: 'source without geometry',
    cause:
      'A file in a folder or pattern holds nothing that can be drawn: materials, cameras or opinions about other layers alone. It is passed over. Named by itself it is an error (UC2200).',
    remedy: 'nothing to do; --ignore PATTERN or a line in .untoldignore passes such files over',
  },
  UC1022: {
    severity: 'error',
    title: 'no source holds geometry',
    cause: 'Each file that the folders and patterns of the call lead to holds nothing that can be drawn.',
    remedy: 'check the path; `untold inspect FILE` tells what a file holds, and -v why it has nothing to draw',
  },
  UC1023: {
    severity: 'error',
    exit: 2,
    title: 'option not allowed in a project file that was found',
    cause:
      'A project file that no one named may lie in a folder that came from elsewhere. Its outputs (out, out-each, textures-dir) go below its own folder and nowhere else, and depfile and force, which replace files, are refused. That holds for its targets and for a preset that it names too.',
    remedy: 'give the option on the command line, or name the file with --config',
  },
  UC1024: {
    severity: 'error',
    exit: 2,
    title: 'project file cannot be read',
    cause: 'The file that --config names, or the untold.config.json that was found, cannot be read.',
    remedy: 'check the path and its permissions, or give --no-config',
  },
  UC1040: {
    severity: 'error',
    exit: 2,
    title: 'value of an option missing',
    cause: 'An option that takes a value is followed by another option. Taken as the value, it would not be an option.',
    remedy: 'give the option a value; one that begins with - is written as one word with the option: --out=-name',
  },
  UC1041: {
    severity: 'error',
    exit: 2,
    title: 'URL in the place of a file',
    cause: 'Sources are files of this machine: untold reads nothing from the net.',
    remedy: 'download it first, with all files that it names, and give the path',
  },
  UC1043: {
    severity: 'info',
    title: 'flag of the exporter without effect',
    cause:
      'export, export-tiles, bake-lods and texbake take the flags of untoldengine, so that scripts for it can start untold. This one asks for something that untold does by itself, or that its sources do not have.',
    remedy: 'leave the flag out; docs/engine-cli.md lists every flag',
  },
  UC1044: {
    severity: 'error',
    exit: 2,
    title: 'flag of the exporter that untold does not take',
    cause:
      'export, export-tiles, bake-lods and texbake take the flags of untoldengine. What this one asks for would make another output than untold can, so that nothing was written.',
    remedy: 'leave the flag out, or use the option that the message names; docs/engine-cli.md lists every flag',
  },
  UC1045: {
    severity: 'warning',
    title: 'earlier output in the other form',
    cause:
      'A scene with one root object becomes a .untold file, one with several a .untoldpack. A file of the other form and the same name lies beside the output. The engine looks for .untoldpack before .untold where a scene is named without its ending, and may load the old one. The exporter removes it; untold removes nothing that it has not written.',
    remedy: 'remove the older file if nothing uses it',
  },
  UC1046: {
    severity: 'error',
    title: 'splats are not read',
    cause:
      'The exporter of the engine turns .ply and .spz files of Gaussian splats into .untoldgs. untold reads scenes of meshes.',
    remedy: 'export the splats with untoldengine',
  },
  UC1047: {
    severity: 'error',
    title: 'not exactly one clip',
    cause:
      'A .untoldanim file holds one clip. `export --animation` writes the clip of the source to --output; with several it cannot know which one is meant, and with none there is nothing to write.',
    remedy:
      'use `untold cook SCENE --out FILE.untold --animations NAME`, which writes clips to Animations/ beside the file',
  },
  UC1050: {
    severity: 'error',
    exit: 2,
    title: 'output would replace a source',
    cause:
      'The main file of the output is one of the files that are cooked. A cook simplifies, packs and leaves out: what it reads would be lost. The source is not cooked; the others are.',
    remedy: 'give another file or folder to --out; --force does not replace sources',
  },
  UC1060: {
    severity: 'error',
    exit: 2,
    title: 'standard input is no source',
    cause:
      'The source `-` stands for what comes on standard input: a GLB, a USDZ package, a USD crate or a text of USD or glTF, once in a call. A terminal gives none.',
    remedy: 'pipe a file into the command, as in `untold cook - --out chair.untold < chair.glb`, or name a file',
  },
  UC1061: {
    severity: 'error',
    exit: 2,
    title: 'output cannot go to standard output',
    cause:
      '`--out -` writes one .untold file on standard output. Several files do not fit there: several sources, texture files beside the .untold file, a JSON document or a plan. A terminal does not show a binary file.',
    remedy: 'give --out FILE.untold, or cook one source without textures into a pipe or a file',
  },
  UC1062: {
    severity: 'error',
    exit: 2,
    title: 'call that cannot be watched',
    cause:
      '--watch cooks again whenever a file is saved. Standard input comes once only, and standard output takes one result; a plan is not written.',
    remedy: 'leave --watch out, or name files for sources and output',
  },
  UC1070: {
    severity: 'warning',
    title: 'word that is a path and a target',
    cause:
      'An argument that names a file or folder stands for it, also where the project file has a target of this name. Only outputs of the project do not count: the target that writes into a folder of its own name is built.',
    remedy: 'rename the target; where the file or folder is meant, ./NAME says so',
  },
  UC1071: {
    severity: 'error',
    exit: 2,
    title: 'target beside other words',
    cause:
      'The name of a target stands for all of a build: its sources, its output and its options. Beside it there can be neither sources nor other targets.',
    remedy: 'build one target a call; a file or folder of this name is ./NAME',
  },
  UC1072: {
    severity: 'error',
    exit: 2,
    title: 'neither source nor target',
    cause: 'A word is no file and no folder, and the project file has no target of this name.',
    remedy: 'correct the word, or add the target to the project file',
  },
  UC1073: {
    severity: 'error',
    exit: 2,
    title: 'project file is there already',
    cause: '`untold init` replaces no project file that is there.',
    remedy: 'edit it, or give --force to write it anew',
  },
  UC1074: {
    severity: 'info',
    title: 'output taken for that of --out-each',
    cause:
      'The folder that `untold verify` was given holds no output that --out would have written, and files that lie where --out-each puts them.',
    remedy: 'give the --out-each of the cook if it was another one',
  },
  UC1080: {
    severity: 'warning',
    title: 'pattern of the project file matches nothing',
    cause:
      'An entry of "files" is for the sources that its "match" matches. No file and no folder below that of the project file does, hidden ones left out, so that its options hold for nothing.',
    remedy: 'correct the pattern, which is relative to the folder of the project file, or take it out',
  },
  UC1081: {
    severity: 'info',
    title: 'outputs among the sources',
    cause:
      'Files in a folder or pattern are what this call writes itself, or what an earlier cook has written and recorded in the cache. They are no sources.',
    remedy: 'name such a file by itself to cook it, or cook into a folder outside of the sources',
  },
  UC1082: {
    severity: 'warning',
    title: 'output inside of a folder of sources',
    cause:
      'The folder is searched for sources, and the output lies in it. Each search walks through the output, and GLB files there are sources on every machine that has no record of the cook that wrote them.',
    remedy: 'cook into a folder outside of the sources, or pass this one over with --ignore or a line in .untoldignore',
  },
  UC1097: {
    severity: 'error',
    exit: 5,
    title: 'time is over',
    cause:
      'The cook took longer than --timeout allows. Sources that were finished keep their output; nothing was written for the source in progress.',
    remedy: 'give a larger --timeout, or cook fewer sources in one call',
  },
  UC1098: {
    severity: 'error',
    exit: 130,
    title: 'interrupted',
    cause:
      'The run was stopped from outside. Sources that were finished keep their output; nothing was written for the source in progress.',
    remedy: 'run the command again',
  },
  UC1099: {
    severity: 'error',
    exit: 4,
    title: 'bug in untold',
    cause: 'Something happened that the program does not expect. The source may be unusual, but the fault is ours.',
    remedy: 'run again with --verbose and report what it prints, with the source if you can share it',
  },
} as const satisfies Record<string, CodeEntry>;
