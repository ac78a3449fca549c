// glTF and GLB sources: codes UC1300-UC1399.

import type { CodeEntry } from '../../entry.ts';

const EXPORT_AGAIN = 'export the file again, or check it with the Khronos glTF validator';

export const GLTF = {
  UC1300: {
    severity: 'error',
    title: 'GLB container damaged',
    cause:
      'A binary glTF is a header of 12 bytes and chunks, JSON first; the lengths in this file do not fit together.',
    remedy: 'export or download the file again',
  },
  UC1301: {
    severity: 'error',
    title: 'glTF JSON cannot be parsed',
    cause: 'The text is not valid JSON: it was cut off, edited by hand, or damaged.',
    remedy: 'check the element that the message names, or export the file again',
  },
  UC1302: {
    severity: 'warning',
    title: 'glTF JSON is not valid UTF-8',
    cause: 'The exporter wrote names in another encoding; the unreadable characters were replaced.',
    remedy: 'rename what has garbled names and export again',
  },
  UC1303: {
    severity: 'info',
    title: 'unknown data in the GLB skipped',
    cause: 'The file holds chunks or bytes that glTF 2.0 does not define; readers must skip them.',
    remedy: 'nothing to do: what other programs keep there is not lost in the source',
  },
  UC1304: {
    severity: 'error',
    title: 'glTF version not supported',
    cause: 'Only glTF 2.0 is read; version 1.0 files have another structure altogether.',
    remedy: 'convert the file to glTF 2.0',
  },
  UC1305: {
    severity: 'error',
    title: 'required glTF extension not supported',
    cause: 'The file requires an extension that this program does not know.',
    remedy: 'export without this extension',
  },
  UC1306: {
    severity: 'warning',
    title: 'glTF extension ignored',
    cause: 'The file uses an optional extension that this program does not know. What the extension adds was left out.',
    remedy: 'check that nothing visible is missing, or export without it',
  },
  UC1307: {
    severity: 'error',
    title: 'glTF property missing or malformed',
    cause: 'A property is missing, has the wrong type, or a value that glTF 2.0 does not allow.',
    remedy: EXPORT_AGAIN,
  },
  UC1308: {
    severity: 'error',
    title: 'glTF reference to nothing',
    cause: 'An index in the file points past the end of the list that it refers to.',
    remedy: EXPORT_AGAIN,
  },
  UC1309: {
    severity: 'error',
    title: 'buffer has no data',
    cause: 'A buffer that is needed refers to no file, and the GLB has no binary chunk for it.',
    remedy: EXPORT_AGAIN,
  },
  UC1310: {
    severity: 'error',
    title: 'buffer cut off',
    cause: 'The binary data is shorter than the length that the glTF declares for it.',
    remedy: 'copy or export the .bin or .glb file again',
  },
  UC1311: {
    severity: 'error',
    title: 'buffer view outside its buffer',
    cause: 'A buffer view begins or ends past the end of its buffer.',
    remedy: EXPORT_AGAIN,
  },
  UC1312: {
    severity: 'error',
    title: 'accessor outside its buffer view',
    cause: 'The number of elements times their stride is more than the buffer view holds.',
    remedy: EXPORT_AGAIN,
  },
  UC1313: {
    severity: 'error',
    title: 'accessor unfit for its use',
    cause: 'An attribute has a type, a component type or a number of elements that glTF 2.0 does not allow there.',
    remedy: EXPORT_AGAIN,
  },
  UC1314: {
    severity: 'error',
    title: 'sparse accessor damaged',
    cause: 'The indices of a sparse accessor must increase strictly and stay below its number of elements.',
    remedy: EXPORT_AGAIN,
  },
  UC1315: {
    severity: 'error',
    title: 'data URI malformed',
    cause: 'A data: URI must be data:[media type][;base64],DATA with valid base64 or percent encoding.',
    remedy: EXPORT_AGAIN,
  },
  UC1316: {
    severity: 'error',
    exit: 5,
    title: 'declared size out of proportion',
    cause:
      'The file declares far more data than it holds, or its compressed data needs far more memory than its size explains. No exporter writes such a file, and reading it could exhaust the memory.',
    remedy: EXPORT_AGAIN,
  },
  UC1317: {
    severity: 'error',
    title: 'meshopt data cannot be decoded',
    cause: 'A buffer view compressed with meshopt is damaged, or its parameters break the rules of the extension.',
    remedy: 'compress the file again with gltfpack or gltf-transform',
  },
  UC1318: {
    severity: 'error',
    title: 'Draco data cannot be decoded',
    cause: 'A Draco compressed primitive is damaged, or does not match the accessors that describe it.',
    remedy: 'compress the file again, or export it without Draco compression',
  },
  UC1320: {
    severity: 'error',
    title: 'node has several parents',
    cause:
      'In glTF every node has one parent at most. Viewers disagree about such a node: some draw it below each parent, some below one of them.',
    remedy: EXPORT_AGAIN,
  },
  UC1321: {
    severity: 'error',
    title: 'node is its own ancestor',
    cause: 'The children lists of the file form a circle, so no root leads to the nodes in it.',
    remedy: EXPORT_AGAIN,
  },
  UC1322: {
    severity: 'error',
    exit: 2,
    title: 'no such scene',
    cause: '--scene names a scene that the file does not have.',
    remedy: 'give one of the names or numbers that the message lists',
  },
  UC1323: {
    severity: 'warning',
    title: 'file has no scenes',
    cause:
      'The file is a library of nodes without a scene that lists what to draw; every node without a parent was cooked.',
    remedy: 'add a scene when exporting',
  },
  UC1324: {
    severity: 'error',
    title: 'transform of a node unusable',
    cause: 'A node matrix has a number that is not finite, or its last row is not 0 0 0 1.',
    remedy: 'reset or apply the transform of this node and export again',
  },
  UC1325: {
    severity: 'info',
    title: 'invisible nodes left out',
    cause: 'KHR_node_visibility hides these nodes and everything below them.',
    remedy: 'make them visible to cook them',
  },
  UC1326: {
    severity: 'warning',
    title: 'rotation of a node is zero',
    cause: 'A quaternion of zeros is no rotation; the node was taken as not rotated.',
    remedy: 'reset the rotation of this node and export again',
  },
  UC1327: {
    severity: 'warning',
    title: 'instances of a skinned mesh left out',
    cause:
      'Joints alone position a skinned mesh, so EXT_mesh_gpu_instancing has no effect on it. The mesh was drawn once.',
    remedy: 'instance an unskinned copy of the mesh',
  },
  UC1328: {
    severity: 'warning',
    title: 'node listed more than once',
    cause:
      'A scene lists a node that is also the child of another, or a list holds a node twice, as some exporters write. It was drawn once: below its parent if the scene draws that, else as a root.',
    remedy: 'nothing needs to be done if the scene looks right; else export it again with another program',
  },
  UC1329: {
    severity: 'warning',
    title: 'rule of glTF broken, meaning clear',
    cause:
      'The file breaks a rule of glTF 2.0 in a way that leaves no doubt about what is drawn; the message names the rule and how it was read.',
    remedy: 'nothing needs to be done if the scene looks right; else export the file again',
  },
  UC1330: {
    severity: 'error',
    title: 'vertex index out of range',
    cause: 'A triangle refers to a vertex that the mesh does not have.',
    remedy: EXPORT_AGAIN,
  },
  UC1331: {
    severity: 'error',
    title: 'vertex position is not a number',
    cause: 'A position is NaN or infinite; exporters write such values for broken modifiers or zero scales.',
    remedy: 'clean up the mesh in the modelling program and export again',
  },
  UC1332: {
    severity: 'warning',
    title: 'vertex attribute is not a number',
    cause: 'Some normals, UVs, tangents or colours are NaN or infinite; they were replaced by harmless values.',
    remedy: 'clean up the mesh in the modelling program and export again',
  },
  UC1333: {
    severity: 'warning',
    title: 'points and lines left out',
    cause: 'Cooked files hold triangles only.',
    remedy: 'turn the lines into thin meshes if they matter',
  },
  UC1334: {
    severity: 'warning',
    title: 'primitive without positions left out',
    cause: 'A primitive without a POSITION attribute has nothing to draw.',
    remedy: EXPORT_AGAIN,
  },
  UC1335: {
    severity: 'warning',
    title: 'incomplete triangle left out',
    cause: 'The number of indices does not make whole triangles; the remaining indices were dropped.',
    remedy: EXPORT_AGAIN,
  },
  UC1340: {
    severity: 'warning',
    title: 'animations left out',
    cause: 'Tiles and packs hold static geometry: every node was cooked with the transform that the file gives it.',
    remedy:
      'cook animated things as models of their own, with --out FILE.untold; in a project, as a target with "sources" and "out-each": "models/{name}.untold"',
  },
  UC1341: {
    severity: 'warning',
    title: 'skinned mesh cooked at rest',
    cause:
      'Tiles and packs hold static geometry: the skin was applied with the transforms that the file gives to the joints.',
    remedy:
      'cook characters as models of their own, with --out FILE.untold; in a project, as a target with "sources" and "out-each": "models/{name}.untold"',
  },
  UC1342: {
    severity: 'warning',
    title: 'morphed mesh cooked at rest',
    cause: 'Tiles and packs hold static geometry: the morph targets were applied with the weights that the file gives.',
    remedy:
      'cook morphed meshes as models of their own, with --out FILE.untold; in a project, as a target with "sources" and "out-each": "models/{name}.untold"',
  },
  UC1343: {
    severity: 'error',
    title: 'skin damaged',
    cause: 'A skin names joints that do not exist, lacks matrices, or is used by a mesh without joints and weights.',
    remedy: EXPORT_AGAIN,
  },
  UC1344: {
    severity: 'warning',
    title: 'morph weights do not match the targets',
    cause: 'The list of weights is shorter or longer than the list of morph targets; missing weights count as 0.',
    remedy: EXPORT_AGAIN,
  },
  UC1345: {
    severity: 'warning',
    title: 'more than four influences a vertex',
    cause:
      'Vertices of cooked files follow four joints. The four with the largest weights were kept and made to add up to 1; the message names the largest share that was dropped. This concerns USD sources too.',
    remedy: 'limit the influences to four when exporting, or look at the mesh in motion',
  },
  UC1346: {
    severity: 'warning',
    title: 'vertices without weights',
    cause:
      'Vertices of a mesh with a skin follow no joint: all of their weights are 0. They follow the root joint. USD sources are meant, too.',
    remedy: 'paint weights for these vertices',
  },
  UC1347: {
    severity: 'warning',
    title: 'animated scale left out',
    cause:
      'A cooked clip holds translations and rotations of joints. Each joint keeps the scale that it has at rest; the message names the range that the clip would give it. USD sources are meant, too.',
    remedy: 'animate without scale, or bake its effect into translations of joints',
  },
  UC1349: {
    severity: 'warning',
    title: 'channels of an animation left out',
    cause:
      'Keys of a channel are damaged, or it moves what no file can hold. What it moves stays at rest, or follows the other channels.',
    remedy: EXPORT_AGAIN,
  },
  UC1350: {
    severity: 'warning',
    title: 'lights left out',
    cause:
      'A light is left out if it is neither directional nor point nor spot (KHR_lights_punctual has no others), or if its position, brightness or range does not fit float32.',
    remedy: 'use a directional, point or spot light with smaller numbers, or set the light up where the file is used',
  },
  UC1351: {
    severity: 'warning',
    title: 'cameras left out',
    cause:
      'Cooked files hold perspective cameras only. A camera is left out if it is orthographic and the output is no GLB, if its field of view or its clip planes are out of range, or if its position does not fit float32.',
    remedy: 'make the camera a perspective one with 0 < near < far, or set it up where the file is used',
  },
  UC1352: {
    severity: 'info',
    title: 'levels of materials left out',
    cause: 'MSFT_lod lists simpler materials of a material. A tile’s levels have the materials of full detail.',
    remedy: 'nothing to do; simpler materials belong to the nodes of coarser levels',
  },
  UC1353: {
    severity: 'warning',
    title: 'names of morph targets do not fit',
    cause:
      'The list extras.targetNames of a mesh is shorter or longer than its list of targets, has a name that is no text or empty, or has a name twice. Apps set weights by name: targets without a name are called target_ and their number, and those of one name get _2, _3 and so on.',
    remedy: 'give each target of the mesh a name of its own, and export the file again',
  },
  UC1354: {
    severity: 'warning',
    title: 'primitives of a mesh have different numbers of morph targets',
    cause:
      'All primitives of a mesh have the same targets in the same order (glTF 2.0, 3.7.2.2). What a primitive lacks does not move it.',
    remedy: EXPORT_AGAIN,
  },
  UC1360: {
    severity: 'info',
    title: 'unlit material',
    cause:
      'The engine lights everything. The colour of an unlit material (KHR_materials_unlit) becomes emission over black, so that light adds no more than a faint reflection. GLB keeps the extension. Formats that draw vertex colours get a rough material of the same colour where an unlit one has such colours.',
    remedy: 'look at it where the file is used; without the extension, the material is lit',
  },
  UC1361: {
    severity: 'warning',
    title: 'specular-glossiness material approximated',
    cause:
      'KHR_materials_pbrSpecularGlossiness was turned into the metallic-roughness model, which cannot hold all of it.',
    remedy: 'export metallic-roughness materials',
  },
  UC1362: {
    severity: 'warning',
    title: 'material extension approximated',
    cause:
      'The engine does not draw layers such as clear coat or sheen, which a GLB keeps. The message tells for each extension of the material how it was approximated, or that it was left out.',
    remedy: 'check how the material looks, or model it with metallic-roughness values alone',
  },
  UC1364: {
    severity: 'warning',
    title: 'texture left out because it has no image',
    cause: 'A texture refers to no image that could be read, so the material was kept without it.',
    remedy: 'assign the image again and export',
  },
  UC1365: {
    severity: 'warning',
    title: 'nearest filtering not kept',
    cause:
      'The engine always filters textures smoothly; samplers that ask for sharp texels have no effect. A GLB keeps its samplers.',
    remedy: 'enlarge pixel art by a whole factor if it looks blurred',
  },
  UC1366: {
    severity: 'warning',
    title: 'material variants left out',
    cause:
      'KHR_materials_variants gives the file several looks. The output has one: that of the materials that primitives name themselves.',
    remedy:
      'choose a look with --material-variant NAME, or cook to GLB, which keeps all; --hide UC1366 leaves the message out',
  },
  UC1367: {
    severity: 'error',
    exit: 2,
    title: 'no such material variant',
    cause: '--material-variant names a variant that the file does not have.',
    remedy: 'give one of the names that the message lists',
  },
  UC1380: {
    severity: 'warning',
    title: 'value of a light not usable',
    cause: 'KHR_lights_punctual does not allow this number; the message names the value that is used instead.',
    remedy: 'set the light again in the program that exported it',
  },
  UC1381: {
    severity: 'info',
    title: 'camera without a far plane',
    cause:
      'The projection of the camera is infinite. Cooked files state a far plane, so one was set; a GLB needs none.',
    remedy: 'give the camera a far plane when exporting if the one that was set is too near',
  },
} as const satisfies Record<string, CodeEntry>;
