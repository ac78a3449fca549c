// USD geometry: codes UC1800-UC1899.

import type { CodeEntry } from '../../entry.ts';

export const USD_GEOM = {
  UC1800: {
    severity: 'error',
    title: 'mesh topology does not add up',
    cause: 'The sum of faceVertexCounts differs from the number of faceVertexIndices, or a count is negative.',
    remedy: 'export the mesh again, or repair its faceVertexCounts and faceVertexIndices',
  },
  UC1801: {
    severity: 'error',
    title: 'vertex index out of range',
    cause: 'faceVertexIndices refers to a point that the mesh does not have.',
    remedy: 'export the mesh again, or repair its faceVertexIndices',
  },
  UC1802: {
    severity: 'error',
    title: 'point is not a finite number',
    cause: 'A coordinate in points is NaN or infinite.',
    remedy: 'repair the mesh in the tool that made it',
  },
  UC1803: {
    severity: 'error',
    title: 'transform is not finite',
    cause: 'The xformOps of the prim give a matrix with NaN or infinite elements.',
    remedy: 'repair the transform of the prim',
  },
  UC1804: {
    severity: 'warning',
    title: 'mesh has faces but no points',
    cause:
      'points is empty, missing, or of a type that USD does not read as points (only arrays of three floats are; halves and doubles are not). Nothing of the mesh is drawn.',
    remedy: 'author points as point3f[]',
  },
  UC1805: {
    severity: 'warning',
    title: 'faces with fewer than three corners',
    cause: 'faceVertexCounts holds counts of 0, 1 or 2. Such faces have no area and are skipped.',
    remedy: 'remove the faces in the tool that made the mesh',
  },
  UC1806: {
    severity: 'warning',
    title: 'hole index out of range',
    cause: 'holeIndices refers to a face that the mesh does not have; the index is skipped.',
    remedy: 'repair holeIndices',
  },
  UC1807: {
    severity: 'warning',
    title: 'primvar read with another interpolation',
    cause: 'The number of values does not fit the declared interpolation but fits another one, which is used.',
    remedy: 'author the interpolation that the values have',
  },
  UC1808: {
    severity: 'warning',
    title: 'primvar dropped',
    cause: 'Its values are of the wrong type, are not finite, or their number fits no interpolation.',
    remedy: 'repair or remove the primvar',
  },
  UC1809: {
    severity: 'warning',
    title: 'primvar index without a value',
    cause: 'An element of the indices is negative or beyond the values; zero is used there.',
    remedy: 'repair the indices of the primvar',
  },
  UC1810: {
    severity: 'warning',
    title: 'faces claimed by several subsets',
    cause: 'Material subsets may not overlap; the first subset in child order keeps the face.',
    remedy: 'give each face to one subset only',
  },
  UC1811: {
    severity: 'warning',
    title: 'subset index out of range',
    cause: 'A GeomSubset refers to a face that the mesh does not have; the index is skipped.',
    remedy: 'repair the indices of the subset',
  },
  UC1812: {
    severity: 'warning',
    title: 'subset is not of faces',
    cause: 'A material is bound to a GeomSubset of points or edges, which cannot carry one; the subset is ignored.',
    remedy: 'author elementType = "face" and face indices',
  },
  UC1813: {
    severity: 'warning',
    title: 'creases or corners dropped',
    cause:
      'creaseIndices, creaseLengths and creaseSharpnesses, or cornerIndices and cornerSharpnesses, do not fit each other or the points.',
    remedy: 'repair the creases and corners of the mesh',
  },
  UC1814: {
    severity: 'info',
    title: 'authored normals of a subdivision surface are used',
    cause:
      'USD ignores authored normals on subdivision surfaces. Here the control cage is drawn, with the normals that the exporter wrote for it.',
    remedy: 'author subdivisionScheme = "none" on meshes that are not meant to be subdivided',
  },
  UC1815: {
    severity: 'warning',
    title: 'subdivision surface drawn as its control cage',
    cause:
      'The mesh is a subdivision surface (also when subdivisionScheme is not authored) without normals. It is not subdivided; its normals are made smooth, except at creases.',
    remedy: 'give --subdivide 1 or 2 for the smooth surface, or author subdivisionScheme = "none" for flat faces',
  },
  UC1816: {
    severity: 'warning',
    title: 'xformOp skipped',
    cause:
      'xformOpOrder refers to an op whose attribute has no value, whose type is not known, or whose value is of the wrong type.',
    remedy: 'repair xformOpOrder or the attribute',
  },
  UC1817: {
    severity: 'warning',
    title: 'xformOp cannot be inverted',
    cause: 'An inverted op has a scale of zero or a singular matrix; it is skipped.',
    remedy: 'repair the op that xformOpOrder inverts',
  },
  UC1818: {
    severity: 'warning',
    title: 'xformOps on a prim that cannot be transformed',
    cause:
      'Typeless prims, scopes and the like are not Xformable: OpenUSD ignores their xformOps, and so does the cook.',
    remedy: 'make the prim an Xform',
  },
  UC1819: {
    severity: 'warning',
    title: 'xformOps before the reset are ignored',
    cause: '!resetXformStack! belongs at the start of xformOpOrder; ops before it have no effect.',
    remedy: 'put !resetXformStack! first',
  },
  UC1820: {
    severity: 'info',
    title: 'invisible prims left out',
    cause: 'Prims with visibility = "invisible" are not drawn, nor is anything below them.',
    remedy: 'make them visible if they belong to the scene, or give --all-meshes',
  },
  UC1821: {
    severity: 'info',
    title: 'geometry of other purposes left out',
    cause: 'Only the purposes that --purpose gives are cooked: default and render when it is not given.',
    remedy: 'set the purpose of prims that belong to the scene, or name more purposes with --purpose',
  },
  UC1822: {
    severity: 'warning',
    title: 'only geometry of other purposes',
    cause: 'Everything drawable has a purpose that is not cooked, so that nothing is left.',
    remedy: 'name the purpose with --purpose, or set purpose to default or render on prims that belong to the scene',
  },
  UC1823: {
    severity: 'warning',
    title: 'unknown purpose',
    cause: 'USD knows the purposes default, render, proxy and guide; geometry of any other purpose is not drawn.',
    remedy: 'set purpose to default or render',
  },
  UC1824: {
    severity: 'warning',
    title: 'nothing to draw',
    cause: 'The stage holds no visible geometry.',
    remedy: 'check that the file is the scene and not a material library or an empty layer',
  },
  UC1825: {
    severity: 'warning',
    title: 'shape with an unusable size or axis',
    cause: 'A radius, height, size, width or length is negative or not finite, or the axis is not X, Y or Z.',
    remedy: 'repair the attribute',
  },
  UC1828: {
    severity: 'warning',
    title: 'unknown rule of subdivision',
    cause: 'A token that controls the subdivision is not one that UsdGeomMesh allows; its fallback is used.',
    remedy: 'author one of the allowed tokens, or remove the attribute',
  },
  UC1829: {
    severity: 'warning',
    title: 'projective transform',
    cause:
      'The last column of a transform is not (0, 0, 0, 1), so the matrix is a perspective projection. Transforms are affine here and in cooked files; the column is ignored.',
    remedy: 'bake the projection into the points',
  },
  UC1831: {
    severity: 'warning',
    title: 'curves left out',
    cause: 'Cooked files hold triangles; curves have none.',
    remedy: 'convert the curves to meshes',
  },
  UC1832: {
    severity: 'warning',
    title: 'points left out',
    cause: 'Cooked files hold triangles; point clouds have none.',
    remedy: 'convert the points to meshes',
  },
  UC1833: {
    severity: 'warning',
    title: 'volumes left out',
    cause: 'Cooked files hold triangles; volumes have none.',
    remedy: 'convert the volume to a mesh',
  },
  UC1834: {
    severity: 'warning',
    title: 'surface type left out',
    cause: 'NURBS patches and tetrahedral meshes are not tessellated.',
    remedy: 'convert the prim to a mesh',
  },
  UC1835: {
    severity: 'warning',
    title: 'dome lights left out',
    cause:
      'A dome light is the environment of a scene. Cooked files have no place for it; programs get their environment elsewhere.',
    remedy: 'set up the environment where the file is used; --allow UC1835 keeps --strict from failing for it',
  },
  UC1836: {
    severity: 'warning',
    title: 'cameras left out',
    cause:
      'Cooked files hold perspective cameras only. A camera is left out if it is orthographic or has no usable lens.',
    remedy:
      'make the camera a perspective one; if the scene does without, --hide UC1836 leaves the message out and --allow UC1836 keeps --strict from counting it',
  },
  UC1837: {
    severity: 'warning',
    title: 'skinned or blended meshes cooked at rest',
    cause:
      'Tiles and packs hold static geometry: skeletons and skeletal animation are left out, and points are cooked as authored, with blend shapes at the weights of their animation where those do not change. Models in one file keep skeletons and blend shapes.',
    remedy:
      'cook characters as models of their own, with --out FILE.untold; in a project, as a target with "sources" and "out-each": "models/{name}.untold"',
  },
  UC1838: {
    severity: 'warning',
    title: 'unknown prim type',
    cause: 'The prim is of a type that draws nothing here; its children are still read.',
    remedy: 'convert it to a mesh if it should be drawn',
  },
  UC1839: {
    severity: 'warning',
    title: 'draw mode ignored',
    cause: 'model:drawMode asks for cards, a box or an origin instead of the geometry; the geometry is cooked.',
    remedy: 'remove model:drawMode, or replace the model by the card geometry',
  },
  UC1840: {
    severity: 'error',
    title: 'arrays of a PointInstancer do not fit',
    cause:
      'positions, orientations, scales and ids need one element for each of protoIndices, which name prototypes by number; all numbers have to be finite.',
    remedy: 'export the instancer again, or repair its arrays',
  },
  UC1841: {
    severity: 'warning',
    title: 'prototype of a PointInstancer missing',
    cause:
      'The relationship prototypes refers to a prim that does not exist or is not active; its instances are left out.',
    remedy: 'correct the relationship, or activate the prototype',
  },
  UC1842: {
    severity: 'error',
    title: 'PointInstancers contain each other',
    cause: 'An instancer is in one of its own prototypes, or instancers are nested more than 32 deep.',
    remedy: 'take the instancer out of its prototypes',
  },
  UC1843: {
    severity: 'error',
    exit: 5,
    title: 'too many instances',
    cause:
      'PointInstancers draw more shapes than --max-instances allows (2 million); or instancers inside prototypes of other instancers draw more than 131,072 shapes plus 16 for each authored instance, because nested instancers multiply.',
    remedy:
      'give a larger --max-instances if the source is to be trusted; nested instancers have to be flattened, or cooked in parts with --select PRIM',
  },
  UC1844: {
    severity: 'warning',
    title: 'primvars of instances left out',
    cause:
      'The PointInstancer has values for each of its instances, such as colours. All instances of a prototype are drawn alike.',
    remedy: 'make a prototype of each colour',
  },
  UC1845: {
    severity: 'warning',
    title: 'skeleton not usable',
    cause:
      'A Skeleton needs joints with a path each, all different, and one bindTransform for each of them. All numbers have to be finite and the matrices affine. A rest pose that does not fit is taken from the bind pose; a skeleton that cannot be used moves nothing. All skeletons of a stage, and the skins of its meshes, together have a million joints at most.',
    remedy: 'export the skeleton again, or repair joints, bindTransforms and restTransforms',
  },
  UC1846: {
    severity: 'warning',
    title: 'joints and weights of a mesh do not fit',
    cause:
      'jointIndices and jointWeights need the same elementSize and interpolation (vertex or constant), that many values for each point, weights that are finite and not negative, and joints that exist. The mesh is cooked without skinning.',
    remedy: 'export the mesh again, or repair its joint indices and weights',
  },
  UC1847: {
    severity: 'warning',
    title: 'binding to a skeleton not usable',
    cause:
      'skel:skeleton refers to something other than a Skeleton that can be used, skel:joints names joints that it does not have, a joint has no bind matrix with an inverse, geomBindTransform is not finite, or the mesh is not below a SkelRoot. The mesh is cooked without skinning.',
    remedy: 'correct skel:skeleton, skel:joints and the bind matrices, and put mesh and skeleton below a SkelRoot',
  },
  UC1848: {
    severity: 'warning',
    title: 'skeletal animation left out',
    cause:
      'skel:animationSource refers to something other than a SkelAnimation, its joints are not those of the skeleton, or its values are of the wrong type or number, not finite, or more than 16 million for the whole stage, or its clips have more than 4 million channels. What fits is kept.',
    remedy: 'export the animation again, or repair its joints, translations, rotations and scales',
  },
  UC1849: {
    severity: 'warning',
    title: 'dual quaternion skinning drawn with matrices',
    cause:
      'Cooked files are posed by blending the matrices of joints, which narrows limbs that twist. They cannot ask for dual quaternions.',
    remedy: 'check how the mesh bends, and add joints where it twists',
  },
  UC1850: {
    severity: 'warning',
    title: 'light turned into the nearest kind',
    cause:
      'Cooked files have no such light: a tube becomes a point of the same power, a flat light or a tube with a cone becomes a spot, and a sphere with a cone of more than 90 degrees a point.',
    remedy: 'check how the light looks, or author a sphere, disk or rectangle light',
  },
  UC1851: {
    severity: 'warning',
    title: 'a property of a light was left out',
    cause:
      'Lights of cooked files have no texture, IES profile, focus, filter, linking, shadow colour or response multiplier, and connections of light inputs are not followed.',
    remedy: 'check how the light looks, or remove the property',
  },
  UC1852: {
    severity: 'warning',
    title: 'value of a light or camera not usable',
    cause: 'A value is negative, not finite or of the wrong type; the message names the value that is used instead.',
    remedy: 'repair the attribute',
  },
  UC1853: {
    severity: 'warning',
    title: 'light without a surface',
    cause:
      'Intensity is measured at the surface of a light. A light without a size emits nothing unless inputs:normalize is on.',
    remedy: 'give the light a size, or author inputs:normalize = true',
  },
  UC1855: {
    severity: 'info',
    title: 'disk light stored as a square',
    cause: 'Area lights of cooked files are rectangles; a square of the same surface has the same power and radiance.',
    remedy: 'nothing needs to be done',
  },
  UC1856: {
    severity: 'info',
    title: 'a property of a camera was left out',
    cause: 'The cameras of a file have no lens shift, depth of field, exposure or clipping planes of their own.',
    remedy: 'set it up where the file is used, or remove the property; with --warn UC1856 this is a warning',
  },
  UC1857: {
    severity: 'warning',
    title: 'lights left out',
    cause:
      'Cooked files have directional, point, spot and area lights. They cannot store geometry lights, lights of plugins and light filters, nor lights whose numbers do not fit float32.',
    remedy:
      'use a distant, sphere, disk or rectangle light; if the scene does without, --hide UC1857 leaves the message out and --allow UC1857 keeps --strict from counting it',
  },
  UC1858: {
    severity: 'warning',
    title: 'instances with different skeletons',
    cause:
      'Instances share one mesh, but each has its own skeleton, or an instancer draws the mesh in other places than the skeleton. One mesh can be moved by one skeleton only, so it is cooked without skinning.',
    remedy: 'turn instanceable off for prims that move by themselves, and take them out of instancers',
  },
  UC1859: {
    severity: 'warning',
    title: 'blend shape left out',
    cause:
      'A blend shape has no target, its offsets and point indices do not fit each other or the points of the mesh, or its weights cannot be read.',
    remedy: 'export the shapes of the mesh again',
  },
} as const satisfies Record<string, CodeEntry>;
