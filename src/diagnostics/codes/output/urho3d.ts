// Files of Urho3D: codes UC3900-UC3999. 3600-3609 any of its binary files, 3610-3639 models, 3640-3649 animations, 3650-3665
// packages, 3670-3679 shaders, scripts and XML, 3680-3699 what loads and is not right.

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
    title: 'file ends inside a field',
    cause: 'The file ends before a field that its own counts ask for. The engine would read zeros there.',
    remedy: DAMAGED,
  },
  UC3903: {
    severity: 'error',
    title: 'count larger than the file can hold',
    cause: 'The file declares more elements than the rest of its bytes can hold.',
    remedy: DAMAGED,
  },
  UC3904: {
    severity: 'error',
    title: 'name that is not UTF-8',
    cause: 'Names in files of Urho3D are UTF-8; this one holds other bytes and would not be found by its name.',
    remedy: 'rename the element in the program it was made with, and export it again',
  },
  UC3905: {
    severity: 'error',
    title: 'bytes behind the end',
    cause: 'All that the file declares has been read, and bytes are left. A count or a mask before them is wrong.',
    remedy: DAMAGED,
  },
  UC3910: {
    severity: 'error',
    title: 'unknown vertex element',
    cause:
      'A vertex element has a type, a semantic or a bit of the mask that Urho3D does not know: it would look them up beyond its tables.',
    remedy: PRODUCER,
  },
  UC3911: {
    severity: 'error',
    title: 'vertices do not begin with a position',
    cause: 'The engine takes the first three numbers of a vertex for its position, in ray casts and morphs.',
    remedy: PRODUCER,
  },
  UC3912: {
    severity: 'error',
    title: 'vertex element twice',
    cause: 'Two elements of a vertex have the same semantic and index; a shader sees one of them.',
    remedy: PRODUCER,
  },
  UC3913: {
    severity: 'error',
    title: 'size of indices impossible',
    cause: 'An index has 2 or 4 bytes.',
    remedy: PRODUCER,
  },
  UC3914: {
    severity: 'error',
    title: 'buffer that the model does not have',
    cause:
      'A level or a morph names a vertex or index buffer by a number that is too large. The engine refuses the model.',
    remedy: PRODUCER,
  },
  UC3915: {
    severity: 'error',
    title: 'draw range outside of its index buffer',
    cause: 'A level draws indices that its index buffer does not have.',
    remedy: PRODUCER,
  },
  UC3916: {
    severity: 'error',
    title: 'index of a vertex that is not there',
    cause: 'An index is as large as the number of vertices or larger: the GPU would read beyond the buffer.',
    remedy: PRODUCER,
  },
  UC3917: {
    severity: 'error',
    title: 'indices do not make whole triangles or lines',
    cause: 'A triangle takes three indices and a line two; the number of indices of a level is no multiple of that.',
    remedy: PRODUCER,
  },
  UC3918: {
    severity: 'error',
    title: 'unknown type of primitive',
    cause:
      'The engine knows the primitives 0 to 5: triangle list, line list, points, triangle strip, line strip and fan.',
    remedy: PRODUCER,
  },
  UC3919: {
    severity: 'error',
    title: 'geometry without a level',
    cause:
      'A geometry has at least one level of detail. The engine would keep a slot for a material that nothing shows.',
    remedy: PRODUCER,
  },
  UC3920: {
    severity: 'error',
    title: 'distances of levels do not ascend',
    cause:
      'The engine searches levels by ascending distance; one that does not ascend, or is no number, is never shown.',
    remedy: PRODUCER,
  },
  UC3921: {
    severity: 'error',
    title: 'morph of elements that the vertices lack',
    cause:
      'A morph moves positions, normals and tangents. The engine steps over the elements that the vertices have, so that it would take numbers of one for another.',
    remedy: PRODUCER,
  },
  UC3922: {
    severity: 'error',
    title: 'morph of a vertex outside of the range',
    cause:
      'A morph moves a vertex that its buffer does not declare as one that morphs move: the engine would write beyond its copy.',
    remedy: PRODUCER,
  },
  UC3923: {
    severity: 'error',
    title: 'range of morphs outside of its vertex buffer',
    cause: 'A vertex buffer declares that morphs move vertices which it does not have.',
    remedy: PRODUCER,
  },
  UC3924: {
    severity: 'error',
    title: 'bone with a parent that is not there',
    cause: 'The parent of a bone is the number of a bone of the same model; that of a root is its own.',
    remedy: PRODUCER,
  },
  UC3925: {
    severity: 'error',
    title: 'bones in a circle',
    cause: 'The parents of a bone lead back to it, so that no transform follows from them.',
    remedy: PRODUCER,
  },
  UC3926: {
    severity: 'error',
    title: 'bone mapping impossible',
    cause:
      'A geometry maps its blend indices to bones that the model does not have, or maps more than the 256 that a byte names.',
    remedy: PRODUCER,
  },
  UC3927: {
    severity: 'error',
    title: 'vertex bound to a bone that is not there',
    cause:
      'A blend index with a weight above 0 is beyond the bones of the model, or beyond the bone mapping of its geometry.',
    remedy: PRODUCER,
  },
  UC3928: {
    severity: 'error',
    title: 'number that is not finite',
    cause: 'A position, a weight, a transform or a box holds an infinite number or none.',
    remedy: PRODUCER,
  },
  UC3929: {
    severity: 'error',
    title: 'unknown collision of a bone',
    cause:
      'The collision mask of a bone has bit 1 for a sphere and bit 2 for a box. With another bit it is not known what follows.',
    remedy: DAMAGED,
  },
  UC3930: {
    severity: 'error',
    title: 'bounding box does not hold the model',
    cause: 'The engine culls a model by its box: it vanishes while vertices outside of the box are still in view.',
    remedy: PRODUCER,
  },
  UC3931: {
    severity: 'error',
    title: 'rotation is no unit quaternion',
    cause: 'A rotation has four numbers w, x, y, z whose squares add up to 1. Another one scales what it turns.',
    remedy: PRODUCER,
  },
  UC3940: {
    severity: 'error',
    title: 'keys of a track do not ascend',
    cause:
      'The engine searches the keys of a track by ascending times from 0 on; these go back, begin before 0 or are no numbers.',
    remedy: PRODUCER,
  },
  UC3941: {
    severity: 'error',
    title: 'two tracks for one bone',
    cause: 'The engine keeps one track for each name and overwrites its keys with those of the later one.',
    remedy: 'merge the tracks, or give the bones different names',
  },
  UC3942: {
    severity: 'error',
    title: 'length of an animation impossible',
    cause: 'The length is a finite number of seconds, and not negative.',
    remedy: PRODUCER,
  },
  UC3943: {
    severity: 'error',
    title: 'unknown content of a track',
    cause:
      'The mask of a track has bit 1 for positions, 2 for rotations and 4 for scales. With another bit it is not known what its keys hold.',
    remedy: DAMAGED,
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
    title: 'entry of a package twice',
    cause: 'Two entries have the same name; the engine finds one of them.',
    remedy: 'pack the folder again',
  },
  UC3952: {
    severity: 'error',
    title: 'entry outside of the data of its package',
    cause: 'An entry begins before the data of the package or ends behind it.',
    remedy: DAMAGED,
  },
  UC3953: {
    severity: 'error',
    title: 'entries of a package overlap or leave a gap',
    cause:
      'Entries follow each other in their order without gaps. Bytes that two entries share, or that none has, were not written by a packer.',
    remedy: DAMAGED,
  },
  UC3954: {
    severity: 'error',
    title: 'package states another size than it has',
    cause: 'The last four bytes of a package are its size. The engine finds a package at the end of a program by them.',
    remedy: DAMAGED,
  },
  UC3955: {
    severity: 'error',
    title: 'compressed entry has another size',
    cause: 'The blocks of an entry end before they give the size that the package states for it, or give more.',
    remedy: DAMAGED,
  },
  UC3956: {
    severity: 'error',
    title: 'compressed block larger than the first of its entry',
    cause:
      'The engine makes its buffer for the first block of an entry: a larger block that follows is written beyond it.',
    remedy: 'pack the folder again with blocks of one size',
  },
  UC3957: {
    severity: 'error',
    title: 'damaged compressed block',
    cause: 'A block does not unpack to the size it states. The engine reads and writes beyond its memory there.',
    remedy: DAMAGED,
  },
  UC3958: {
    severity: 'error',
    title: 'entry with another checksum',
    cause: 'The content of an entry is not that for which its checksum was written.',
    remedy: DAMAGED,
  },
  UC3959: {
    severity: 'error',
    title: 'package with another checksum',
    cause:
      'The contents of all entries together are not those for which the checksum of the package was written; servers compare it.',
    remedy: DAMAGED,
  },
  UC3960: {
    severity: 'error',
    exit: 5,
    title: 'package too large',
    cause:
      'Offsets and sizes in a package have 32 bits: it ends before 4 GiB. Compressed packages are unpacked up to 2 GiB here.',
    remedy: 'split the content over several packages',
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
    title: 'material or scene that is not well-formed XML',
    cause: 'The text breaks a rule of XML, or has a document type, which no file of Urho3D needs.',
    remedy: 'repair the text at the line that is named, or export the file again',
  },
  UC3972: {
    severity: 'error',
    exit: 5,
    title: 'material or scene too large',
    cause: 'An XML document here has up to 64 MiB, 500,000 elements and a depth of 64; real ones are far smaller.',
    remedy: 'split the scene, or nest its nodes less deep',
  },
  UC3973: {
    severity: 'error',
    title: 'material or scene that Urho3D does not read',
    cause: 'An element or attribute that the engine needs is missing, or has a value that it does not know.',
    remedy: 'repair the element that is named, or export the file again',
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
    title: 'model without centres of its geometries',
    cause: 'Old files end before them. The engine takes 0, 0, 0, and sorts transparent geometries by that.',
    remedy: 'export the model again if its transparent parts are drawn in the wrong order',
  },
  UC3983: {
    severity: 'warning',
    title: 'first level is not shown from distance 0',
    cause: 'The engine shows the first level below its distance too.',
    remedy: 'export the model again with a first distance of 0',
  },
  UC3984: {
    severity: 'warning',
    title: 'vertex buffer twice in a morph',
    cause: 'The engine keeps the later of two entries for one vertex buffer.',
    remedy: PRODUCER,
  },
  UC3985: {
    severity: 'warning',
    title: 'two bones of one name',
    cause: 'Animations find bones by their names: the engine moves the first of them.',
    remedy: 'give the bones different names',
  },
  UC3986: {
    severity: 'warning',
    title: 'more than one root bone',
    cause: 'The engine keeps the last bone that is its own parent as the root of the skeleton.',
    remedy: 'put the bones below a common root',
  },
  UC3987: {
    severity: 'warning',
    title: 'normal or tangent not of length 1',
    cause: 'Shading takes normals and tangents for unit vectors: the surface is too bright, too dark or black there.',
    remedy: 'export the model again with new normals and tangents',
  },
  UC3988: {
    severity: 'warning',
    title: 'sign of a tangent is neither 1 nor -1',
    cause:
      'The fourth number of a tangent is the sign of the bitangent. With 0 a normal map has no effect in one direction.',
    remedy: 'export the model again with new tangents',
  },
  UC3989: {
    severity: 'warning',
    title: 'weights of bones do not add up to 1',
    cause: 'The engine does not normalise weights: with a smaller sum the vertex is drawn towards the origin.',
    remedy: 'normalise the weights and export the model again',
  },
  UC3990: {
    severity: 'warning',
    title: 'keys behind the end of an animation',
    cause: 'Keys with times beyond the length of the animation are never reached.',
    remedy: 'export the animation again with its whole length',
  },
  UC3991: {
    severity: 'warning',
    title: 'entries of a package differ in case alone',
    cause: 'On Windows the engine takes the names for the same and finds one of the entries.',
    remedy: 'rename one of the files and pack the folder again',
  },
} as const satisfies Record<string, CodeEntry>;
