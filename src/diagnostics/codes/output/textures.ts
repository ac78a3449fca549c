// Textures and texture coordinates: codes UC2100-UC2199.

import type { CodeEntry } from '../../entry.ts';

export const TEXTURES = {
  UC2100: {
    severity: 'error',
    title: 'image format not supported',
    cause:
      'Images are recognised by content, never by name. The cooker does not read images of this format, or not with such samples or compression; the message tells which.',
    remedy: 'save the image as 8-bit PNG or JPEG and point the material to it, or choose --missing-texture drop',
  },
  UC2101: {
    severity: 'error',
    title: 'image is empty or cut off',
    cause: 'The image file ends before the data that it declares.',
    remedy: 'export or download the image again, or choose --missing-texture drop',
  },
  UC2102: {
    severity: 'error',
    title: 'image is damaged',
    cause: 'A checksum, a header field or the compressed data of the image is wrong.',
    remedy: 'save the image again from its original, or choose --missing-texture drop',
  },
  UC2103: {
    severity: 'error',
    exit: 5,
    title: 'image too large',
    cause:
      'An image may have 16384 pixels a side; one that has to be converted or resampled may have 67 million pixels in all (8192 x 8192), or as many as --max-pixels says.',
    remedy: 'reduce the image; where the message names --max-pixels, a larger one lets it through',
  },
  UC2104: {
    severity: 'info',
    title: 'image content differs from its name',
    cause: 'The file extension or media type names another format than the content has. The content is used.',
    remedy: 'rename the file if other programs refuse it',
  },
  UC2105: {
    severity: 'warning',
    title: 'texture left out',
    cause:
      'The image cannot be used and --missing-texture drop was chosen. The factor of the material alone remains, except that a missing emission texture gives black and a missing metallic texture 0, because exporters write their factors as scales of the texture.',
    remedy: 'restore the image, or say where it is with --search-path DIR or --remap OLD=NEW',
  },
  UC2106: {
    severity: 'warning',
    title: 'texture replaced by a placeholder',
    cause:
      'The image cannot be used and --missing-texture placeholder was chosen. A placeholder in the base colour is magenta and drawn opaque; others are neutral: flat normals, no emission, metallic 0, roughness and occlusion by their factors.',
    remedy: 'restore the image, or say where it is with --search-path DIR or --remap OLD=NEW',
  },
  UC2107: {
    severity: 'info',
    title: 'texture reduced to 8 bits a channel',
    cause:
      'Textures are written with 8 bits a channel, because the engine loads 16-bit images wrongly in colour slots, but cooked height maps with 16. Floating-point colours are encoded as sRGB first, and other floating-point values are taken as they are.',
    remedy: 'nothing to do; save the image with 8 bits to choose the rounding yourself',
  },
  UC2108: {
    severity: 'warning',
    title: 'only the first frame of an image is used',
    cause: 'The image is an animation or holds several pages; textures stand still.',
    remedy: 'save the frame that should be shown as PNG',
  },
  UC2110: {
    severity: 'warning',
    title: 'texture left out: its UVs cannot follow uv0',
    cause:
      'Cooked materials sample every texture with one UV set. This texture uses another set or transform than the leading texture of the material, and the charts of the leading set overlap or repeat, so the texture cannot be resampled into their layout. The factor of the material alone remains, except that a missing emission texture gives black and a missing metallic texture 0, because exporters write their factors as scales of the texture.',
    remedy:
      'unwrap the leading UV set without overlaps inside one tile, or give all textures of the material one UV set',
  },
  UC2111: {
    severity: 'info',
    title: 'texture resampled into the layout of uv0',
    cause:
      'Cooked materials sample every texture with one UV set, always repeating. This texture used another set, transform or wrap mode (or shares its material with one that does), so a copy was resampled.',
    remedy:
      'nothing to do; to keep the original texels, give all textures of the material one UV set, one transform and repeat wrapping',
  },
  UC2112: {
    severity: 'warning',
    title: 'texture repeats instead of its wrap mode',
    cause:
      'Cooked materials always repeat textures. The UVs reach so far outside 0 to 1 that clamped, mirrored or black borders cannot be baked into an image.',
    remedy: 'keep UVs within 0 to 1, or use repeat wrapping',
  },
  UC2113: {
    severity: 'warning',
    title: 'resampled texture reduced in size',
    cause: 'A texture resampled for uv0 may have 8192 pixels a side and 33 million pixels in all.',
    remedy: 'reduce the image, or use one UV set, one transform and repeat wrapping',
  },
  UC2114: {
    severity: 'warning',
    title: 'texture values clipped',
    cause: 'The scale and bias of the texture give values outside 0 to 1, which an 8-bit image cannot store.',
    remedy: 'choose a scale and bias that keep the values between 0 and 1',
  },
  UC2115: {
    severity: 'warning',
    title: 'floating-point image clamped',
    cause:
      'The image (EXR, HDR) holds values below 0, above 1, or that are no numbers. Textures hold values from 0 to 1, so that others become 0 or 1; what is no number becomes 0.',
    remedy: 'scale or tone-map the image, and use the factor of the material for what is brighter',
  },
  UC2116: {
    severity: 'warning',
    title: 'texture channel missing',
    cause:
      'An input reads the alpha of an image that has none, such as a JPEG or a grey PNG. Alpha is 1 there by the specifications of USD and glTF, so the value is the same everywhere: it is stored as a factor, without a texture.',
    remedy:
      'connect the input to the channel that holds the values (outputs:r of a grey image), or save the image with alpha',
  },
  UC2117: {
    severity: 'warning',
    title: 'image that stays an image',
    cause:
      'texbake makes no cooked texture of height maps and of LUTs: their files hold other numbers than colours. The image stays as it is, and the engine loads it.',
    remedy:
      'give --slot if the image is something else, as data for a mask; by its name or its records it is what the message says',
  },
  UC2118: {
    severity: 'error',
    title: 'image that cannot be baked',
    cause:
      'texbake makes no cooked texture of height maps and of LUTs: their files hold other numbers than colours. Nothing was written.',
    remedy: 'leave the image as it is, or give --slot if it is something else',
  },
  UC2120: {
    severity: 'error',
    title: 'colour grade damaged',
    cause:
      'The engine reads `.cube` files of a three-dimensional table: LUT_3D_SIZE from 2 to 129, as many rows of three finite numbers as that asks for, and a domain whose ends differ.',
    remedy: 'export the look again as a 3D LUT in the .cube format',
  },
  UC2121: {
    severity: 'warning',
    title: 'keyword of a colour grade not known to the engine',
    cause:
      'A keyword with three numbers may change what the table means, such as its domain. The engine ignores it, and reads the table from 0 to 1 unless DOMAIN_MIN and DOMAIN_MAX say otherwise.',
    remedy: 'export the look with DOMAIN_MIN and DOMAIN_MAX, or for values from 0 to 1',
  },
  UC2122: {
    severity: 'warning',
    title: 'transmission texture reduced to its mean',
    cause:
      'Cooked materials have one transmission. The mean of the texture multiplies the factor of the material, or 0 where the texture cannot be used.',
    remedy: 'split the surface into a material that is glass and one that is not',
  },
  UC2123: {
    severity: 'warning',
    title: 'height map left out',
    cause:
      'The engine draws height maps by moving texture coordinates, and keeps to a depth of 0.2 of these. The displacement is deeper where the coordinates lie on the meshes, is 0, or is drawn on meshes without coordinates.',
    remedy: 'lower the displacement, let the texture cover more of the surface, or model what is so deep',
  },
  UC2124: {
    severity: 'warning',
    title: 'image too large for KTX2',
    cause:
      'The encoder of Basis Universal takes 12,582,912 pixels (4096 x 3072) at most. An image of glTF with more stays as it is, and any other one becomes PNG.',
    remedy: 'reduce the image; --hide UC2124 leaves the message out',
  },
  UC2125: {
    severity: 'info',
    title: 'sides grow to multiples of four',
    cause:
      'KHR_texture_basisu asks for sides that are multiples of four. The image is resampled to the next ones; texture coordinates stay right.',
    remedy: 'nothing to do; give the image such sides to keep its pixels',
  },
  UC2150: {
    severity: 'info',
    title: 'cooked texture replaced',
    cause:
      'A file with the name of the texture was there, and its content was another one. It has been replaced, as by the engine’s own tool.',
    remedy: 'nothing to do; give --output where the file has to stay',
  },
} as const satisfies Record<string, CodeEntry>;
