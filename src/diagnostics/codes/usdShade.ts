// USD materials: codes UC1900-UC1999.

import type { CodeEntry } from '../entry.ts';

export const USD_SHADE = {
  UC1900: {
    severity: 'warning',
    title: 'bound material does not exist',
    cause: 'material:binding names something that is no Material; USD then draws the prim without one.',
    remedy: 'correct the binding, or add the material to the file',
  },
  UC1901: {
    severity: 'warning',
    title: 'broken shader connection',
    cause:
      'An input is connected to an attribute that does not exist, or in a circle; its own value or fallback is used.',
    remedy: 'repair the connection in the material',
  },
  UC1902: {
    severity: 'warning',
    title: 'several connections on one input',
    cause: 'A shader input can be fed by one output; the first connection is used.',
    remedy: 'keep one connection',
  },
  UC1903: {
    severity: 'warning',
    title: 'material is not a UsdPreviewSurface',
    cause:
      'The surface is MaterialX, MDL or of another renderer. Its constant colours and factors are carried over as near as they can be; textures and procedural nodes are not.',
    remedy: 'add a UsdPreviewSurface to the material, or bake it to textures for one',
  },
  UC1904: {
    severity: 'warning',
    title: 'material has no surface',
    cause: 'No surface output leads to a shader; the material is drawn in default grey.',
    remedy: 'connect outputs:surface of the material to a UsdPreviewSurface',
  },
  UC1905: {
    severity: 'warning',
    title: 'specular workflow approximated',
    cause:
      'The material uses useSpecularWorkflow; the engine draws metallic-roughness. Metallic and base colour are estimated from the specular colour.',
    remedy: 'author the material with metallic instead of specularColor',
  },
  UC1906: {
    severity: 'warning',
    title: 'shader node not understood',
    cause: 'An input is fed by a node that is not evaluated here; the own value of the input or its fallback is used.',
    remedy: 'feed the input by a UsdUVTexture, a UsdPrimvarReader or a constant',
  },
  UC1907: {
    severity: 'warning',
    title: 'texture without texture coordinates',
    cause: 'inputs:st of the texture is not fed by a primvar reader that names a primvar; "st" is used.',
    remedy: 'connect inputs:st to a UsdPrimvarReader_float2 with a varname',
  },
  UC1908: {
    severity: 'info',
    title: 'texture wrap mode taken as repeat',
    cause:
      'The wrap mode is not authored, is useMetadata or unknown. USD then draws black outside of the image; nearly every exporter means repeat.',
    remedy: 'author wrapS and wrapT',
  },
  UC1909: {
    severity: 'info',
    title: 'data texture read as linear',
    cause:
      'A normal, roughness, metallic, occlusion or opacity input reads a texture of automatic colour space. USD would decode 8-bit colour images from sRGB; exporters mean data.',
    remedy: 'author sourceColorSpace = "raw" on the texture',
  },
  UC1910: {
    severity: 'warning',
    title: 'data texture marked as sRGB',
    cause:
      'A normal, roughness, metallic, occlusion or opacity input reads a texture that is explicitly sRGB; it is decoded as such.',
    remedy: 'author sourceColorSpace = "raw" if the image holds data',
  },
  UC1911: {
    severity: 'info',
    title: 'normal map without scale and bias',
    cause: 'USD asks for scale 2 and bias -1 on a normal map; they are missing and the map is read as usual.',
    remedy: 'author scale = (2, 2, 2, 1) and bias = (-1, -1, -1, 0)',
  },
  UC1912: {
    severity: 'warning',
    title: 'texture without a file',
    cause: 'The texture node names no file; its fallback colour is used.',
    remedy: 'author inputs:file of the texture',
  },
  UC1913: {
    severity: 'warning',
    title: 'UDIM texture',
    cause: 'The texture is a set of tiles; only tile 1001 is used, repeated.',
    remedy: 'bake the tiles into one texture',
  },
  UC1914: {
    severity: 'info',
    title: 'surface property not carried over',
    cause: 'The engine draws no clearcoat, displacement or index of refraction.',
    remedy: 'nothing, unless the look depends on it',
  },
  UC1915: {
    severity: 'warning',
    title: 'several vertex colours on one mesh',
    cause: 'The materials of the mesh and its subsets read different primvars; a mesh keeps one vertex colour.',
    remedy: 'use one primvar for the vertex colour',
  },
  UC1916: {
    severity: 'warning',
    title: 'texture coordinates are missing',
    cause: 'A texture of the material reads a primvar that the mesh does not have.',
    remedy: 'add the primvar to the mesh, or correct the varname of the reader',
  },
  UC1917: {
    severity: 'warning',
    title: 'variable expression in an asset path',
    cause: 'The path is an expression in backquotes, which is not evaluated.',
    remedy: 'author the path itself',
  },
} as const satisfies Record<string, CodeEntry>;
