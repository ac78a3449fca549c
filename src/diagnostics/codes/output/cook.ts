// Cooking geometry: codes UC2000-UC2099.

import type { CodeEntry } from '../../entry.ts';

export const COOK = {
  UC2000: {
    severity: 'warning',
    title: 'nothing left to draw',
    cause: 'Every triangle of the mesh has no area: its corners coincide or lie on one line.',
    remedy: 'remove the mesh, or give it a surface',
  },
  UC2001: {
    severity: 'info',
    title: 'triangles without area left out',
    cause: 'Corners of these triangles coincide or lie on one line, so that they cover no pixel.',
    remedy: 'nothing to do; merging doubled vertices in the source removes them there',
  },
  UC2002: {
    severity: 'info',
    title: 'faces with fewer than three corners left out',
    cause: 'The mesh lists faces that are points or edges.',
    remedy: 'nothing to do; to remove them, delete loose edges and points in the source',
  },
  UC2003: {
    severity: 'warning',
    title: 'polygon not cut cleanly',
    cause:
      'A face whose outline crosses itself has no triangulation without overlaps; it is triangulated as a fan from one corner.',
    remedy: 'split the face in the source',
  },
  UC2004: {
    severity: 'warning',
    title: 'normals without a direction',
    cause: 'Authored normals are zero or not numbers. They take the direction of their faces.',
    remedy: 'recalculate the normals in the source',
  },
  UC2005: {
    severity: 'warning',
    title: 'tangents without a direction',
    cause: 'Authored tangents are zero or not numbers. They take the default, +X.',
    remedy: 'export without tangents: they are made from normals and texture coordinates then',
  },
  UC2006: {
    severity: 'warning',
    title: 'texture coordinates that are not numbers',
    cause: 'Authored texture coordinates are infinite or not numbers. They are set to 0.',
    remedy: 'unwrap the mesh again in the source',
  },
  UC2007: {
    severity: 'warning',
    title: 'texture coordinates out of range',
    cause: 'Texture coordinates beyond ±65504 do not fit the half floats of the format and are clamped.',
    remedy: 'scale the texture coordinates down, or move the islands towards 0',
  },
  UC2008: {
    severity: 'warning',
    title: 'texture coordinates too coarse for the texture',
    cause:
      'The format stores texture coordinates as half floats, whose step doubles with every power of two. Here it is more than half a texel, so textures swim or show steps.',
    remedy: 'cut the mesh into UV islands that each span fewer repeats, or use a smaller texture (--max-texture-size)',
  },
  UC2009: {
    severity: 'info',
    title: 'texture finer than texture coordinates can be',
    cause:
      'Half floats step by 1/2048 just below 1. On a texture of more than 1024 pixels that is more than half a texel, even for coordinates within 0 and 1.',
    remedy:
      'nothing to do unless details of a texel matter: then use a texture of at most 1024 pixels (--max-texture-size 1024), or UVs between 0 and 0.5',
  },
  UC2010: {
    severity: 'warning',
    title: 'object squeezed flat',
    cause: 'The world transform has a scale of 0 on an axis. Faces across that axis have no area and are left out.',
    remedy: 'give the object a scale other than 0, or remove it',
  },
  UC2011: {
    severity: 'error',
    title: 'position outside of the number range',
    cause: 'A world transform is not finite, or it moves vertices beyond what float32 can hold.',
    remedy: 'correct the transforms of the object and its parents',
  },
  UC2012: {
    severity: 'warning',
    title: 'mesh lacks the texture coordinates of its material',
    cause:
      'The material samples its textures with a UV set that this mesh does not have. The coordinates are set to 0.',
    remedy: 'unwrap the mesh, or name the UV set that the material uses',
  },
  UC2013: {
    severity: 'warning',
    title: 'vertex colours that are not drawn',
    cause:
      'The colours lie on a material with textures, vary with an alpha that is drawn, or need more charts than a texture has room for. UntoldEngine does not draw them: .untold stores them for later engines. Other formats leave out the sets that they have no place for.',
    remedy: 'bake the vertex colours into a texture',
  },
  UC2014: {
    severity: 'warning',
    title: 'vertex colours that are not numbers',
    cause: 'Authored vertex colours or opacities hold values that are not numbers. They are set to 0.',
    remedy: 'paint the vertex colours again in the source',
  },
  UC2015: {
    severity: 'warning',
    title: 'texture far finer than texture coordinates can be',
    cause:
      'Half floats step by 1/2048 just below 1. On a texture of more than 2048 pixels that is more than a texel, even for coordinates within 0 and 1.',
    remedy:
      'use a texture of at most 2048 pixels (--max-texture-size 2048), or UVs between 0 and 0.5; if this precision does not matter, --hide UC2015 leaves the message out',
  },
  UC2040: {
    severity: 'warning',
    title: 'Loop surface with faces that are not triangles',
    cause: 'The Loop scheme subdivides triangles only. The mesh is drawn as it is, without being subdivided.',
    remedy: 'triangulate the mesh, or author subdivisionScheme = "catmullClark"',
  },
  UC2041: {
    severity: 'warning',
    title: 'crease between vertices that no edge joins',
    cause:
      'Two successive vertices of a crease are not the ends of an edge of any face. The crease is ignored between them.',
    remedy: 'repair creaseIndices and creaseLengths of the mesh',
  },
  UC2042: {
    severity: 'error',
    exit: 5,
    title: 'subdivided mesh too large',
    cause: 'Each step of subdivision makes four times the corners; this mesh exceeds the limit.',
    remedy: 'give a smaller --subdivide, or leave the mesh out with --exclude PRIM',
  },
  UC2043: {
    severity: 'info',
    title: 'collapsed corners left out before subdividing',
    cause:
      'Faces name the same vertex twice in a row, or have fewer than three corners. Such corners have no edge to subdivide.',
    remedy: 'nothing to do; merging doubled vertices in the source removes them there',
  },
  UC2044: {
    severity: 'info',
    title: 'edges kept sharp where the surface is not manifold',
    cause:
      'More than two faces share these edges, or two whose winding disagrees. No smooth surface runs across them, so they stay sharp.',
    remedy: 'nothing to do when fins are meant; otherwise make the winding agree or remove inner faces in the source',
  },
  UC2045: {
    severity: 'info',
    title: 'boundary faces of a subdivision surface not drawn',
    cause: 'interpolateBoundary is "none": faces at the boundary shape the surface and are not part of it.',
    remedy: 'author interpolateBoundary = "edgeAndCorner" to draw them',
  },
  UC2046: {
    severity: 'info',
    title: 'authored normals replaced by those of the subdivided surface',
    cause: 'Normals of the cage do not fit the surface; USD ignores them on subdivision surfaces.',
    remedy: 'author subdivisionScheme = "none" on meshes that are not meant to be subdivided',
  },
  UC2058: {
    severity: 'info',
    title: 'levels made by hand not used',
    cause:
      'Levels of detail of an object take the place of simplified ones in the levels of the tile, or of the model of a pack, that holds all of it. Single files have full detail alone, an object that is cut, or that several tiles or models hold, is simplified, and levels beyond the LODs that are made are left out. In a pack so are levels with as many triangles as what they would replace, and levels that look like the model from nowhere.',
    remedy:
      'nothing to do: full detail is the finest level; a larger --tile-size keeps an object in one tile, --lod gives a scene of one tile levels, and more ratios of --lod more of them',
  },
  UC2059: {
    severity: 'warning',
    title: 'levels made by hand that are not in order',
    cause:
      'The names of an object’s levels leave out a number, as LOD1 without LOD0, a level has more triangles than the finer one, or an object is a level of its own level. The finest level that is there is full detail; a level with more triangles than a finer one is left out.',
    remedy:
      'name the levels X_LOD0, X_LOD1 … from the finest on, or cook all that the source has with --authored-lods keep',
  },
  UC2060: {
    severity: 'info',
    title: 'level of a tile left out',
    cause:
      'A level needs at least 15 % fewer triangles than the one before (20 % where pictures decide), an error that cannot be seen from where it is shown, and pictures that look like full detail from there. This level cannot meet all of these conditions.',
    remedy:
      'nothing to do: tiles of few triangles or many small components are drawn in full detail; `--lod-quality draft` accepts less similar levels, `--lod-check geometry` compares no pictures',
  },
  UC2061: {
    severity: 'warning',
    title: 'levels of detail asked of a single file',
    cause: 'A manifest lists the levels of tiles; a single cooked file has no manifest.',
    remedy: 'give a folder to --out, or leave out --lod and --hlod',
  },
  UC2062: {
    severity: 'info',
    title: 'far tiles without a shared HLOD',
    cause:
      'A cluster of tiles shares an HLOD if two or more of its tiles have levels and the shared HLOD can replace all of them within 500 m, the farthest distance that the engine streams. These tiles keep their own levels at every distance.',
    remedy: 'nothing to do; fewer --hlod-levels or smaller tiles make shared HLODs start nearer',
  },
  UC2063: {
    severity: 'info',
    title: 'level of a tile shown from further away, or finer than asked for',
    cause:
      'The level is drawn beside full detail as a screen of 1080 lines shows both. Nearer than stated, the two look different, although the error of the geometry cannot be seen. Where they do at the share of triangles asked for, the level gets more.',
    remedy:
      'nothing to do; `--lod-quality draft` shows levels from nearer and with fewer triangles, `best` from further away',
  },
  UC2064: {
    severity: 'warning',
    title: 'level of a tile is a compromise',
    cause:
      'No level of this tile looks like full detail from a distance at which the engine shows levels, and the set has too much geometry to show full detail of all such tiles that far. Without a level, the tile would end before its neighbours and leave a hole, so the most similar level is kept.',
    remedy:
      'look at the tile with `untold render MANIFEST --sheet TILE --out FILE.png`; smaller tiles (--tile-size) or fewer triangles in the source leave room for full detail',
  },
  UC2065: {
    severity: 'info',
    title: 'full detail of tiles drawn as far as levels',
    cause:
      'These tiles have no level: none looks like full detail with enough fewer triangles, or their tier gets none. The engine draws the other tiles of the set further out than these would be, so that full detail of these is loaded as far out.',
    remedy: 'nothing to do; `--lod-quality draft` asks for less similarity, so that more tiles get levels',
  },
  UC2066: {
    severity: 'warning',
    title: 'tiles end before others of their set',
    cause:
      'These tiles have no levels. The engine would need more memory than it has at least to draw full detail of all of them as far out as the other tiles, so that they disappear at their own radius.',
    remedy:
      'give --lod and --hlod, or tag what must be seen from afar with the tier ExteriorShell or StructuralInterior',
  },
  UC2067: {
    severity: 'error',
    exit: 4,
    title: 'hole in the streamed set',
    cause:
      'The finished set was drawn from cameras around and inside of it as the engine would stream it, and where full detail has a surface, nothing is there. The set was not moved in.',
    remedy:
      'report this with the source; `--lod none --hlod none` cooks full detail alone, and `--lod-quality best` other levels',
  },
  UC2068: {
    severity: 'info',
    title: 'levels save less than half of the triangles',
    cause:
      'Along three flights, through the set and around it, levels draw more than half of the triangles that full detail would draw. First levels that look like full detail keep too many of their tiles, or begin too far away.',
    remedy:
      'smaller tiles (--tile-size) let levels begin nearer, `--lod-quality draft` makes coarser ones, `--lod none --hlod none` none, in a fraction of the time',
  },
  UC2070: {
    severity: 'warning',
    title: 'pose at rest is not the bind pose',
    cause:
      'The engine draws a skinned mesh in its bind pose until a clip plays. In the source the joints at rest give it another pose.',
    remedy: 'play a clip as soon as the model is loaded, or export with the joints in the bind pose',
  },
  UC2071: {
    severity: 'warning',
    title: 'skeleton with axes that are not at right angles',
    cause:
      'The engine takes the matrix of a joint at rest apart into translation, rotation and scale. A scale that differs from axis to axis, with a rotation below it, cannot be put together again from these.',
    remedy: 'apply the scale of the armature, or of what lies above the skeleton, before exporting',
  },
  UC2072: {
    severity: 'info',
    title: 'motion above a skeleton is part of its root',
    cause:
      'Nodes above the joints move in the clip. Files hold no such nodes: their motion was sampled into the keys of the root joints.',
    remedy: 'nothing to do',
  },
  UC2073: {
    severity: 'warning',
    title: 'moving nodes cooked at rest',
    cause:
      'A clip moves nodes that are no joints of a skeleton. The engine plays clips on skeletons alone, so that these nodes stay where they are at rest. In a GLB nodes have keys of their own, but for those whose mirrors, shears or scales of 0 are part of the vertices, and those below joints that are no nodes (USD).',
    remedy: 'for nodes with meshes give --animate-nodes, which makes a skeleton of them',
  },
  UC2074: {
    severity: 'error',
    exit: 2,
    title: 'no such animation',
    cause: '--animations names a clip that the source does not have.',
    remedy: 'give one of the names that the message lists, or all, or none',
  },
  UC2075: {
    severity: 'info',
    title: 'clip under another name',
    cause: 'Another model has a clip of this name in the same folder, which is not replaced.',
    remedy: 'nothing to do; the message names the file. Models in folders of their own keep the names of their clips',
  },
  UC2076: {
    severity: 'info',
    title: 'clip left out',
    cause: 'The clip moves no joint and no node of what is cooked away from its rest.',
    remedy: 'nothing to do',
  },
  UC2077: {
    severity: 'warning',
    title: 'skinned surface not refined',
    cause:
      '--subdivide refines surfaces that stand still. Joints and weights of this one are those of its cage, which is drawn.',
    remedy: 'refine the mesh in the program that made it',
  },
  UC2078: {
    severity: 'warning',
    title: 'mesh with a skin cooked at rest',
    cause: 'A skin needs a bind matrix with an inverse for each joint, and files number 65,536 joints at most.',
    remedy: 'bind the mesh to its skeleton again, and export',
  },
  UC2079: {
    severity: 'warning',
    title: 'lights and cameras left out of a pack',
    cause: 'A pack lists models and where they stand. Nothing that is known of it holds lights or cameras.',
    remedy: 'cook the scene into tiles, or into one file with --out FILE.untold, which keep them',
  },
  UC2080: {
    severity: 'info',
    title: 'root object baked where it stands',
    cause:
      'A pack places a model by translation, rotation and positive scale. The matrix of this root is mirrored, sheared or flat: it is applied to the vertices, and the model is placed at the origin.',
    remedy: 'nothing to do; apply the scale in the source if the model is to share a file with others',
  },
  UC2081: {
    severity: 'error',
    exit: 3,
    title: 'model of another pack in the way',
    cause:
      'Another pack in the folder lists a model at the path that this pack would write. One of the two would be drawn in both.',
    remedy: 'cook the packs into folders of their own, or give the root object another name',
  },
  UC2085: {
    severity: 'info',
    title: 'model of a pack without levels of detail',
    cause:
      'The model has no LOD chain: its triangles are few, something moves it, or no level with fewer triangles looks like it from anywhere near. The message says which.',
    remedy:
      'nothing needs to be done; --lod none makes no chains, --lod 0.5,0.15,0.03 makes those of the engine’s own cook',
  },
  UC2086: {
    severity: 'warning',
    title: 'name of a level is taken',
    cause:
      'bake-lods writes levels beside their model, as <model>_LOD1.untold and so on. A file of such a name lies there that is no level of this model, or that another pack in the folder lists. Nothing was written for the model.',
    remedy: 'move the file away, export the model under another name, or put the packs into folders of their own',
  },
  UC2090: {
    severity: 'warning',
    title: 'morph targets without a skin cooked at rest',
    cause:
      'The engine moves morph targets on meshes with a skin alone. A mesh without one stands with the weights that the file gives its targets. A GLB with a node tree keeps them.',
    remedy: 'give --morphs all, which makes a skeleton of one joint for such meshes, or --morphs none',
  },
  UC2091: {
    severity: 'warning',
    title: 'in-between shapes left out',
    cause:
      'Targets of the engine move vertices in straight lines. The shapes between rest and full weight were left out.',
    remedy: 'make a target of its own of each in-between shape, and drive it in the app',
  },
  UC2092: {
    severity: 'info',
    title: 'tangent or normal deltas of morph targets left out',
    cause:
      'The engine morphs positions and normals; tangents stay those of the shape at rest. So do normals of meshes for which the source gives none: they are made for the shape at rest, and normal deltas have nothing to change.',
    remedy:
      'nothing to do unless the shading of the moved shape is wrong: then export normals with the mesh and its targets',
  },
  UC2093: {
    severity: 'warning',
    title: 'colour or texture coordinate deltas of morph targets left out',
    cause: 'The engine morphs positions and normals. Colours and texture coordinates stay those of the shape at rest.',
    remedy: 'show changes of colour by a material; if the model does without, --hide UC2093 leaves the message out',
  },
  UC2094: {
    severity: 'info',
    title: 'morph targets that move nothing left out',
    cause:
      'Each delta of the target is shorter than a hundred-thousandth of the size of the model, and turns no normal that could be seen.',
    remedy: 'nothing to do; an app that sets the weight of such a name changes nothing',
  },
  UC2095: {
    severity: 'warning',
    title: 'more than 16 morph targets on one mesh',
    cause: 'The engine applies 16 targets of a mesh at a time: those with the largest weights.',
    remedy: 'nothing to do as long as no more than 16 weights of the mesh differ from 0 at once',
  },
  UC2096: {
    severity: 'warning',
    title: 'animated weights of morph targets left out',
    cause:
      'Clips of the engine hold translations and rotations of joints. Weights of targets are set by the app. A GLB keeps those of glTF sources.',
    remedy: 'set the weights in the app while the clip plays',
  },
  UC2097: {
    severity: 'warning',
    title: 'levels made by hand that do not fit their model',
    cause:
      'The engine gives a level of a pack’s model the materials of the model, mesh by mesh, and culls it by the bounds of the model. So a level needs one mesh for each mesh of the model, with the same materials, within its bounds. This one has not: it is left out, and where none fits, levels are simplified.',
    remedy:
      'give each mesh of the model a mesh at the level, with the same materials, no larger than at full detail; --authored-lods finest simplifies all levels',
  },
  UC2098: {
    severity: 'warning',
    title: 'screen coverage of levels that cannot be',
    cause:
      'MSFT_screencoverage lists, from the finest level on, the share of the screen that each covers at least where it is shown: numbers from 0 to 1 that do not rise, one for each level. This list is another: it is ignored, and levels are shown from where they look like full detail.',
    remedy: 'write shares from 0 to 1 that fall from level to level, such as [0.5, 0.2, 0.01]',
  },
  UC2099: {
    severity: 'warning',
    title: 'variants of levels not read',
    cause:
      'A variant set named LOD has more variants than the one that is selected and eight others. These are read by the numbers that their names end in, from the lowest on, or in the order of the set; the rest is left out.',
    remedy:
      'number the variants from the finest on, as LOD0, LOD1 …, so that the coarsest ones are left out, or choose one with --variant',
  },
} as const satisfies Record<string, CodeEntry>;
