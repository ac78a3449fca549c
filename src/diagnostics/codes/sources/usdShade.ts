// USD materials: codes UC1900-UC1999.

import type { CodeEntry } from '../../entry.ts';

export const USD_SHADE = {
  UC1900: {
    severity: 'warning',
    title: 'bound material does not exist',
    cause:
      'material:binding refers to a prim that does not exist or is not a Material; USD then draws the prim without a material.',
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
      'The surface is MDL, of another renderer, or a MaterialX surface that is not known here. Its constant colours and factors are carried over as near as they can be; textures and procedural nodes are not.',
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
      'The material uses useSpecularWorkflow; cooked materials are metallic-roughness, which cannot hold all of it. Metallic and base colour are converted from the diffuse and the specular colours, as for glTF.',
    remedy: 'author the material with metallic instead of specularColor',
  },
  UC1906: {
    severity: 'warning',
    title: 'shader node not understood',
    cause: "An input is fed by a node that is not evaluated here; the input's own value or its fallback is used.",
    remedy: 'feed the input by a UsdUVTexture, a UsdPrimvarReader or a constant',
  },
  UC1907: {
    severity: 'warning',
    title: 'texture without texture coordinates',
    cause: 'inputs:st of the texture is not fed by a primvar reader that refers to a primvar; "st" is used.',
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
    cause: 'The texture node refers to no file; its fallback colour is used.',
    remedy: 'author inputs:file of the texture',
  },
  UC1913: {
    severity: 'warning',
    title: 'UDIM texture',
    cause: 'The texture is a set of tiles; only tile 1001 is used, repeated.',
    remedy: 'bake the tiles into one texture',
  },
  UC1914: {
    severity: 'warning',
    title: 'surface property approximated or not carried over',
    cause:
      'Cooked materials have no clearcoat, displacement, index of refraction, transmission of an unlit surface, subsurface scattering, sheen or constant occlusion. A clearcoat of UsdPreviewSurface that is a number makes the roughness of what is no metal and whitens the base colour, as one of glTF does (UC1362). A GLB keeps clearcoat and index of refraction of UsdPreviewSurface where they are constant.',
    remedy:
      'put what must be seen into base colour, roughness, normal or emission before exporting, as a clearcoat into a lower roughness; --hide UC1914 leaves the message out',
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
  UC1918: {
    severity: 'info',
    title: 'surface of emission alone is not lit',
    cause:
      'A UsdPreviewSurface has emission, no diffuse colour but black, and nothing that says what light does at it. It becomes emission over black, rough and no metal, instead of the grey and the shine of the fallback values.',
    remedy: 'author diffuseColor or roughness where the surface is to be lit as well',
  },
  UC1950: {
    severity: 'error',
    title: 'not a MaterialX document',
    cause: 'The file is no well-formed XML, uses entities of its own, or its root element is not <materialx>.',
    remedy: 'export the document again from the program that wrote it',
  },
  UC1951: {
    severity: 'error',
    exit: 5,
    title: 'MaterialX document too large',
    cause:
      'The document has more elements, nesting, includes or inputs than any real one; reading on could exhaust memory.',
    remedy: 'split the document, or keep only the materials that are used',
  },
  UC1952: {
    severity: 'warning',
    title: 'name used twice in a MaterialX document',
    cause: 'Siblings need different names; the first element of that name is used.',
    remedy: 'rename one of the elements',
  },
  UC1953: {
    severity: 'warning',
    title: 'MaterialX document not included',
    cause: 'An xi:include refers to no document, closes a circle, or is at a position where nothing can be included.',
    remedy: 'include documents at the top level by a relative path',
  },
  UC1954: {
    severity: 'warning',
    title: 'broken MaterialX connection',
    cause: 'An input or output names a node, node graph, output or interface input that the document does not have.',
    remedy: 'correct the nodename, nodegraph, output or interfacename',
  },
  UC1955: {
    severity: 'warning',
    title: 'MaterialX node without definition',
    cause:
      'No definition in the document or in the MaterialX libraries fits the node, its output type and its input types.',
    remedy: 'correct the types, or add the nodedef and its node graph to the document',
  },
  UC1956: {
    severity: 'warning',
    title: 'MaterialX elements ignored',
    cause:
      'The document holds looks, collections, variants or geometry properties, which assign materials to geometry. Only its materials are read, because the USD file assigns them.',
    remedy: 'bind materials and choose variants in the USD file that references the document',
  },
  UC1957: {
    severity: 'warning',
    title: 'malformed MaterialX value',
    cause: 'The text of an input does not fit its type; the input counts as unset.',
    remedy: 'correct the value',
  },
  UC1958: {
    severity: 'warning',
    title: 'MaterialX feature left out',
    cause: 'The input uses a part of MaterialX that USD has no counterpart for.',
    remedy: 'write the material without it',
  },
  UC1960: {
    severity: 'warning',
    title: 'procedural MaterialX not baked',
    cause:
      'An input is computed by nodes that one image with scale and bias cannot stand for. The nearest constant or image among them is used.',
    remedy: 'bake the input to a texture',
  },
  UC1961: {
    severity: 'info',
    title: 'MaterialX colour texture read as sRGB',
    cause:
      'A colour input reads an image whose colour space is not authored. OpenUSD then takes colour images of 8 bits as sRGB.',
    remedy: 'author colorSpace "srgb_texture" or "lin_rec709" on inputs:file',
  },
  UC1962: {
    severity: 'warning',
    title: 'colour space not converted',
    cause: 'The colour space is neither linear nor sRGB with the primaries of Rec. 709; colours come out slightly off.',
    remedy: 'convert the image or the colour to srgb_texture or lin_rec709',
  },
  UC1963: {
    severity: 'warning',
    title: 'coloured opacity read from one channel',
    cause: 'Cooked materials have one opacity; the red channel of the image that feeds the coloured opacity is used.',
    remedy: 'use a grey image, or feed the opacity from one channel',
  },
  UC1964: {
    severity: 'warning',
    title: 'collection expression not evaluated',
    cause: 'The collection of a material binding lists its members by an expression; such members are not bound.',
    remedy: "list the members in the collection's includes",
  },
  UC1965: {
    severity: 'warning',
    title: 'mix of surfaces',
    cause: 'Cooked materials have one surface; of those that the material mixes or layers the first is used.',
    remedy: 'bake the material to one surface',
  },
  UC1966: {
    severity: 'info',
    title: 'material of another purpose used',
    cause:
      'Shapes have a material for preview or for full, but none for the purpose of --binding-purpose and none for all purposes. OpenUSD would draw them without a material; here the material of the other purpose is used.',
    remedy: 'nothing needs doing; bind a material for all purposes with material:binding to choose it yourself',
  },
  UC1967: {
    severity: 'info',
    title: 'material of another purpose left out',
    cause:
      'Shapes have a different material for another purpose. The material for the purpose of --binding-purpose is used, or else the one for all purposes. Materials for purposes other than preview and full are never used.',
    remedy:
      'choose preview or full with --binding-purpose; a binding of any other purpose has to be authored for one of them',
  },
  UC1968: {
    severity: 'warning',
    title: 'material of purpose full cannot be read',
    cause:
      'The material that is bound for full has no surface, or a surface of another renderer. The material for all purposes is used, or else the one for preview.',
    remedy: 'give the material a UsdPreviewSurface or a MaterialX surface',
  },
} as const satisfies Record<string, CodeEntry>;
