// Files of Urho3D: codes UC3900-UC3999, one a class of fault. 3900-3909 any of its binary files, 3910-3949 models and
// animations, 3950-3969 packages, 3970-3979 shaders and XML, 3980-3999 what loads and is not right. Messages name field, place
// and value.

import type { CodeEntry } from '../../entry.ts';

const DAMAGED = 'the file is damaged or cut off: copy it again, or export it again';
const PRODUCER = 'export the file again; if that does not help, report the fault to the makers of the exporter';

export const URHO3D = {
  UC3900: {
    severity: 'error',
    title: 'not a file of Urho3D of this kind',
    cause: 'A binary file of Urho3D begins with four letters that name its kind; this file begins with other bytes.',
    remedy: 'check that the right file was named',
  },
  UC3901: {
    severity: 'error',
    title: 'file of rbfx, not of Urho3D',
    cause:
      'rbfx came out of Urho3D and has newer files of its own: UMD3 models, UAN2 animations, RPAK and RLZ4 packages. Urho3D does not load them, and they are not read here.',
    remedy: 'export the file for Urho3D: as UMD2, UANI, UPAK or ULZ4',
  },
  UC3902: {
    severity: 'error',
    title: 'file of Urho3D is damaged or cut off',
    cause:
      'A count, a size, a mask or a block asks for other bytes than the file has. The engine reads zeros there, or beyond its memory. The message names the byte and the value.',
    remedy: DAMAGED,
  },
  UC3904: {
    severity: 'error',
    title: 'name that is not UTF-8',
    cause: 'Names in files of Urho3D are UTF-8; this one holds other bytes and would not be found by its name.',
    remedy: 'rename the element in the program it was made with, and export it again',
  },
  UC3910: {
    severity: 'error',
    title: 'value in a model that Urho3D does not know',
    cause:
      'A type or semantic of vertex elements, the size of indices (2 or 4 bytes) or the kind of primitive (0 to 5) is none of those of the engine.',
    remedy: PRODUCER,
  },
  UC3911: {
    severity: 'error',
    title: 'parts of a model do not fit each other',
    cause:
      'Vertices do not begin with a position or repeat an element, a geometry has no level, a level has an incomplete triangle or line, or a morph moves an element that its vertices lack.',
    remedy: PRODUCER,
  },
  UC3914: {
    severity: 'error',
    title: 'reference of a model to nothing',
    cause:
      'A buffer, a range of indices, a vertex, a bone or its parent is named by a number that the model does not have, or bones are their own ancestors. The engine refuses the model or reads beyond a buffer.',
    remedy: PRODUCER,
  },
  UC3928: {
    severity: 'error',
    title: 'number of a model or an animation not valid',
    cause:
      'A number is not finite, a rotation is not a unit quaternion, the box does not hold the vertices, switch distances or key times do not ascend from 0, or the animation has no valid length.',
    remedy: PRODUCER,
  },
  UC3941: {
    severity: 'error',
    title: 'two tracks for one bone',
    cause: 'The engine keeps one track for each name and overwrites its keys with those of the later one.',
    remedy: 'merge the tracks, or give the bones different names',
  },
  UC3950: {
    severity: 'error',
    title: 'entry of a package leads outside',
    cause:
      'The name of an entry is absolute, or has a part that is empty, "." or "..", a backslash or a colon. Whoever unpacks it could write outside of the folder.',
    remedy: 'do not unpack the package with other tools; pack it again with names relative to its folder',
  },
  UC3951: {
    severity: 'error',
    title: 'package that the engine misreads',
    cause:
      'Two entries have the same name, of which the engine finds one, or a block is larger than the first of its entry, for which the engine makes its buffer.',
    remedy: 'pack the folder again, with blocks of one size',
  },
  UC3958: {
    severity: 'error',
    title: 'package with another checksum',
    cause: 'The contents of an entry, or of all entries together, are not those for which the checksum was written.',
    remedy: DAMAGED,
  },
  UC3960: {
    severity: 'error',
    exit: 5,
    title: 'file of Urho3D too large',
    cause:
      'A package ends before 4 GiB, and compressed ones are unpacked up to 2 GiB here. An XML document has up to 64 MiB, 500,000 elements and a depth of 64.',
    remedy: 'split the content over several packages or scenes, or nest nodes less deep',
  },
  UC3970: {
    severity: 'error',
    title: 'unknown kind of shader',
    cause:
      'A compiled shader is one for vertices (0) or pixels (1), of shader model 3 (Direct3D 9) or 4 (Direct3D 11).',
    remedy: 'let the engine compile the shader again',
  },
  UC3971: {
    severity: 'error',
    title: 'material or scene that Urho3D does not read',
    cause:
      'The text breaks a rule of XML or has a document type, or an element or attribute that the engine needs is missing or has a value that it does not know.',
    remedy: 'repair the text at the line or element that is named, or export the file again',
  },
  UC3974: {
    severity: 'error',
    title: 'resource outside of the resource folders',
    cause:
      'A material names a technique or texture, or a list a material, by an absolute path, a backslash or a part "..".',
    remedy: 'name the resource relative to a resource folder, as Textures/wall.png',
  },
  UC3980: {
    severity: 'warning',
    title: 'bytes behind the last field of a model',
    cause: 'The engine does not read them. They may be what another program added.',
    remedy: 'nothing to do if the model is complete; else export it again',
  },
  UC3981: {
    severity: 'warning',
    title: 'geometry without triangles',
    cause: 'A level draws lines, points, a strip or a fan. Only triangle lists are surfaces here.',
    remedy: 'export the geometry as a triangle list if it is a surface',
  },
  UC3982: {
    severity: 'warning',
    title: 'model or animation shown otherwise than written',
    cause:
      'The engine loads the file but shows it differently. Geometry centres are missing, the first level does not start at 0, a morph lists a buffer twice, a normal, tangent or tangent sign is wrong, weights do not add up to 1, or keys lie outside the length.',
    remedy: 'export the model or animation again with what the message names',
  },
  UC3985: {
    severity: 'warning',
    title: 'names that the engine cannot tell apart',
    cause:
      'Animations find bones by their names and move the first of them. On Windows entries of a package that differ in case alone are the same.',
    remedy: 'rename one of the bones or files, and export or pack again',
  },
  UC3986: {
    severity: 'warning',
    title: 'more than one root bone',
    cause: 'The engine keeps the last bone that is its own parent as the root of the skeleton.',
    remedy: 'put the bones below a common root',
  },
} as const satisfies Record<string, CodeEntry>;
