// What to do about a code in the programs that scenes are made with, and a corrected snippet where it is text. Menus are
// named as in Blender 4, usdview and Reality Composer Pro. Codes without an entry have nothing to add to their remedy.

import type { Code } from './codes.ts';

export type Tool = 'Blender' | 'Reality Composer Pro' | 'usdview' | 'terminal';

export interface Guide {
  /** What to do in a program: one sentence or more. */
  readonly steps: readonly { readonly tool: Tool; readonly text: string }[];
  /** How it is written right: USD text, JSON or commands, line by line; absent: it is not text. */
  readonly example?: string;
}

const inBlender = (text: string) => ({ tool: 'Blender', text }) as const;
const inUsdview = (text: string) => ({ tool: 'usdview', text }) as const;

const UNWRAP = inBlender(
  'Select the mesh, press Tab, select all with A and choose UV > Smart UV Project. When exporting to USD or glTF, leave the option for UVs on.',
);
const FIND_FILES = inBlender(
  'File > External Data > Find Missing Files looks for the images in a folder; File > External Data > Make Paths Relative then makes their paths relative. Save and export again.',
);
const RELATIVE = inBlender(
  'File > External Data > Make Paths Relative, and turn Relative Paths on in File > Export > Universal Scene Description.',
);
const COMPOSITION = inUsdview(
  'Select the prim: the tab Composition lists its arcs, the tab Layer Stack the layers that have an opinion. The terminal shows what could not be opened.',
);
const POSE = inBlender(
  'Go to the frame with the pose, select the meshes and choose Object > Apply > Visual Geometry to Mesh, then export. Work on a copy of the file.',
);
const TO_MESH = inBlender('Select the objects and choose Object > Convert > Mesh, then export again.');
const STAGE_METRICS = '#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Y"\n)';
const PRIMVAR_READER = `def Shader "Texture"
{
    uniform token info:id = "UsdUVTexture"
    asset inputs:file = @./textures/wood.png@
    float2 inputs:st.connect = </Looks/Wood/Reader.outputs:result>
    float3 outputs:rgb
}
def Shader "Reader"
{
    uniform token info:id = "UsdPrimvarReader_float2"
    string inputs:varname = "st"
    float2 outputs:result
}`;
const PREVIEW_SURFACE = `def Material "Wood"
{
    token outputs:surface.connect = </Looks/Wood/Surface.outputs:surface>
    def Shader "Surface"
    {
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor = (0.4, 0.25, 0.1)
        float inputs:roughness = 0.8
        token outputs:surface
    }
}`;
const REFERENCE = `def Xform "Chair_1" (
    prepend references = @./parts/chair.usda@</Chair>
)
{
}`;
const GLTF_IMAGE = '"images": [{ "uri": "textures/wood.png" }]';

export const GUIDES: Partial<Readonly<Record<Code, Guide>>> = {
  UC1005: {
    steps: [{ tool: 'terminal', text: 'Either keep the folders of the sources, or let names tell the extensions.' }],
    example: 'untold cook art/ --root art/ --out tiles/\nuntold cook art/ --out tiles/ --on-clash rename',
  },
  UC1203: { steps: [FIND_FILES, COMPOSITION], example: `asset inputs:file = @./textures/wood.png@\n\n${GLTF_IMAGE}` },
  UC1204: {
    steps: [{ tool: 'terminal', text: 'Name the folder that holds the source and all that it brings in.' }],
    example: 'untold cook art/scenes/town.usda --root art/ --out tiles/',
  },
  UC1205: { steps: [RELATIVE], example: `asset inputs:file = @./textures/wood.png@\n\n${GLTF_IMAGE}` },
  UC1220: {
    steps: [RELATIVE, { tool: 'terminal', text: 'If the source cannot be changed, say where the old folder is now.' }],
    example: 'untold cook art/helmet.usda --out tiles/ --remap /Users/old/textures=art/textures',
  },
  UC1305: {
    steps: [
      inBlender(
        'File > Import > glTF 2.0, then File > Export > glTF 2.0: the file is written with the extensions that Blender knows.',
      ),
    ],
  },
  UC1318: { steps: [inBlender('In File > Export > glTF 2.0 turn Data > Compression off, and export again.')] },
  UC1333: { steps: [TO_MESH] },
  UC1340: { steps: [POSE] },
  UC1341: { steps: [POSE] },
  UC1342: { steps: [POSE] },
  UC1702: {
    steps: [POSE, inUsdview('The slider below the view shows the time codes; give the one of the pose you want.')],
    example: 'untold cook art/flag.usda --out tiles/ --time 24',
  },
  UC1703: {
    steps: [inUsdview('Select the root prim: the tab Meta Data shows metersPerUnit.')],
    example: STAGE_METRICS,
  },
  UC1704: { steps: [], example: STAGE_METRICS },
  UC1705: { steps: [], example: STAGE_METRICS },
  UC1706: {
    steps: [
      inUsdview('Open both layers, select the root prim and compare metersPerUnit and upAxis in the tab Meta Data.'),
    ],
    example: `def Xform "Crate" (
    prepend references = @./crate_in_metres.usda@
)
{
    double3 xformOp:scale = (100, 100, 100)
    uniform token[] xformOpOrder = ["xformOp:scale"]
}`,
  },
  UC1707: {
    steps: [
      inBlender(
        'In File > Export > Universal Scene Description turn Convert Orientation on and choose Forward Axis -Z and Up Axis Y.',
      ),
    ],
    example: STAGE_METRICS,
  },
  UC1710: { steps: [COMPOSITION], example: '#usda 1.0\n(\n    subLayers = [@./layers/lights.usda@]\n)' },
  UC1711: { steps: [COMPOSITION], example: REFERENCE },
  UC1712: { steps: [COMPOSITION], example: REFERENCE.replace('references', 'payload') },
  UC1713: { steps: [COMPOSITION] },
  UC1716: {
    steps: [
      inBlender(
        'File > Import the file (Alembic, Wavefront, glTF 2.0), then File > Export > Universal Scene Description; reference what that writes.',
      ),
    ],
    example: REFERENCE,
  },
  UC1720: {
    steps: [inUsdview('Select the prim: the tab Meta Data lists its variant sets with a menu for each.')],
    example: 'untold inspect art/car.usda --stage\nuntold cook art/car.usda --out tiles/ --variant /Car:paint=red',
  },
  UC1721: {
    steps: [inUsdview('Select the prim: the tab Meta Data lists its variant sets with a menu for each.')],
    example: 'def Xform "Car" (\n    variants = {\n        string paint = "red"\n    }\n)\n{\n}',
  },
  UC1805: { steps: [inBlender('In Edit Mode choose Mesh > Clean Up > Delete Loose, and export again.')] },
  UC1822: {
    steps: [inUsdview('View > Display Purposes shows and hides guide, proxy and render geometry.')],
    example: 'untold cook art/house.usda --out tiles/ --purpose default,proxy',
  },
  UC1824: {
    steps: [
      inBlender(
        'Look in the Outliner whether the objects are hidden, and whether Selection Only was on in the export.',
      ),
      inUsdview('The column Vis of the prim tree tells which prims are invisible.'),
    ],
  },
  UC1831: { steps: [TO_MESH] },
  UC1837: { steps: [POSE] },
  UC1900: {
    steps: [
      inUsdview('Select the mesh: the tab Composition and the property material:binding tell which path is meant.'),
    ],
    example:
      'def Mesh "Seat" (\n    prepend apiSchemas = ["MaterialBindingAPI"]\n)\n{\n    rel material:binding = </Chair/Looks/Wood>\n}',
  },
  UC1903: {
    steps: [
      inBlender(
        'Use a Principled BSDF as the surface of the material; what other nodes compute goes into image textures with Render Properties > Bake (Cycles). The USD export writes it as UsdPreviewSurface.',
      ),
      {
        tool: 'Reality Composer Pro',
        text: 'Add a material of the kind Physically Based instead of a Custom one, and give it to the model.',
      },
    ],
    example: PREVIEW_SURFACE,
  },
  UC1904: {
    steps: [inBlender('In the Shader Editor connect a Principled BSDF to the socket Surface of Material Output.')],
    example: PREVIEW_SURFACE,
  },
  UC1907: { steps: [], example: PRIMVAR_READER },
  UC1910: {
    steps: [inBlender('Set Color Space of the Image Texture node to Non-Color, and export again.')],
    example: 'token inputs:sourceColorSpace = "raw"',
  },
  UC1913: {
    steps: [
      inBlender(
        'Give the mesh a second UV map within one tile, and bake the material into one image with it (Render Properties > Bake, Cycles).',
      ),
    ],
  },
  UC1916: {
    steps: [UNWRAP],
    example: 'texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (\n    interpolation = "faceVarying"\n)',
  },
  UC2004: {
    steps: [
      inBlender('In Edit Mode select all with A and choose Mesh > Normals > Recalculate Outside, then export again.'),
    ],
  },
  UC2010: {
    steps: [inBlender('Press N over the view and correct Scale in the tab Item; then Object > Apply > Scale.')],
  },
  UC2012: { steps: [UNWRAP] },
  UC2100: {
    steps: [
      inBlender(
        'In the Image Editor choose Image > Save As with the format PNG and the colour depth 8, then export again.',
      ),
    ],
  },
  UC2103: { steps: [inBlender('In the Image Editor choose Image > Resize and save the image, then export again.')] },
  UC2200: {
    steps: [
      inBlender(
        'Look in the Outliner whether the objects are hidden, and whether Selection Only was on in the export.',
      ),
      inUsdview('The column Vis of the prim tree tells which prims are invisible.'),
    ],
    example: 'untold inspect art/house.usda --stage\nuntold cook art/house.usda --out tiles/ --all-meshes',
  },
};
