// USD composition and stages: codes UC1700-UC1799.

import type { CodeEntry } from '../../entry.ts';

export const USD_STAGE = {
  UC1701: {
    severity: 'warning',
    title: 'spline ignored',
    cause: 'The attribute is animated by a spline, which is not evaluated; its default value is used.',
    remedy: 'bake the animation to time samples, or author a default value',
  },
  UC1702: {
    severity: 'warning',
    title: 'animation frozen',
    cause:
      'The prim has attributes with time samples. Tiles and packs hold static geometry, cooked at one time: the time that --time gives, or else the first sample of each attribute. Single files keep the motion of nodes that neither shears nor mirrors them.',
    remedy: 'remove the animation, or choose the pose you want with --time',
  },
  UC1703: {
    severity: 'warning',
    title: 'metersPerUnit is not authored',
    cause:
      'USD then means centimetres (0.01), but many files that leave it out were modelled in metres: the result may be 100 times too small.',
    remedy: 'author metersPerUnit in the root layer, or give --meters-per-unit 0.01 or --meters-per-unit 1',
  },
  UC1704: {
    severity: 'warning',
    title: 'metersPerUnit cannot be used',
    cause:
      'The authored scale is not a positive number, or its type is not double, so that OpenUSD does not read it either. The fallback of 0.01 (centimetres) is used.',
    remedy:
      'give --meters-per-unit N, or author metersPerUnit as a positive double in the root layer; old files: `usdcat in.usdc -o out.usda`, then correct it',
  },
  UC1705: {
    severity: 'warning',
    title: 'upAxis is neither Y nor Z',
    cause: 'USD has two up axes only; the fallback Y is used.',
    remedy: 'author upAxis as "Y" or "Z" in the root layer, or give --up-axis Y or --up-axis Z',
  },
  UC1706: {
    severity: 'warning',
    title: 'referenced layer has another unit or up axis',
    cause:
      'USD does not convert units or axes between layers. The numbers of the referenced layer are used as they are, in the unit and with the up axis of the root layer.',
    remedy: 'scale or turn the prim that references it, or give both layers the same metersPerUnit and upAxis',
  },
  UC1707: {
    severity: 'warning',
    title: 'upAxis is not authored',
    cause:
      'USD then means Y, but files that leave it out may have been modelled with Z up: the result may lie on its side.',
    remedy: 'author upAxis as "Y" or "Z" in the root layer, or give --up-axis Y or --up-axis Z',
  },
  UC1710: {
    severity: 'error',
    title: 'sublayer cannot be opened',
    cause: 'A layer lists a sublayer that is missing, forbidden or damaged; everything in it would be missing.',
    remedy: 'restore the file or correct the path; --missing-asset drop cooks without it',
  },
  UC1711: {
    severity: 'error',
    title: 'reference leads nowhere',
    cause:
      'The referenced file is missing or damaged, it has no such prim, or the reference gives no prim path and the file has no defaultPrim.',
    remedy: 'restore the file, or correct the path or the prim; --missing-asset drop cooks without it',
  },
  UC1712: {
    severity: 'error',
    title: 'payload leads nowhere',
    cause:
      'The file of the payload is missing or damaged, it has no such prim, or the payload gives no prim path and the file has no defaultPrim.',
    remedy: 'restore the file, or correct the path or the prim; --missing-asset drop cooks without it',
  },
  UC1713: {
    severity: 'error',
    title: 'composition arcs run in a circle',
    cause:
      'A reference, payload, inherit, specialize or sublayer leads back to where it comes from. It is not followed.',
    remedy: 'remove the arc; --missing-asset drop cooks without it',
  },
  UC1714: {
    severity: 'error',
    exit: 5,
    title: 'composition too deep or too large',
    cause:
      'Arcs are nested deeper than --max-reference-depth allows (100), a prim is composed of more than 10,000 sites or all prims of more than 1.5 times --max-prims, a layer stack has more than 10,000 layers, or the stage has more prims than --max-prims allows (1,000,000): arcs that name each other multiply without bound.',
    remedy:
      'look for arcs that bring in each other, or cook the scene in parts; --max-prims and --max-reference-depth allow more',
  },
  UC1715: {
    severity: 'error',
    title: 'target of inherits or specializes is not a prim',
    cause: 'The path is not that of a prim: it names a property, a variant or the root.',
    remedy: 'correct the path; --missing-asset drop cooks without it',
  },
  UC1716: {
    severity: 'error',
    title: 'format of a referenced file is not read',
    cause:
      'References, payloads and sublayers are read when they are USD text, crate or packages. Other formats (.abc, .obj, .gltf, .vdb …) need plugins that the cook does not have.',
    remedy: 'convert the file to USD and reference that; --missing-asset drop cooks without it',
  },
  UC1717: {
    severity: 'warning',
    title: 'value clips ignored',
    cause:
      'Values of the prim come from other files over time. The cook is static and reads the values of the layers only.',
    remedy: 'author the pose you want as default values',
  },
  UC1718: {
    severity: 'warning',
    title: 'variable expression not evaluated',
    cause:
      'The asset path is an expression of expressionVariables, which are not evaluated; what it names is left out.',
    remedy: 'write the path out',
  },
  UC1719: {
    severity: 'warning',
    title: 'scene is incomplete',
    cause:
      'Targets of arcs were missing and --missing-asset drop was given: the result lacks what they would bring in.',
    remedy: 'restore the missing files for a complete cook',
  },
  UC1720: {
    severity: 'error',
    exit: 2,
    title: 'chosen variant does not exist',
    cause: '--variant names a prim, a variant set or a variant that the composed stage does not have.',
    remedy: 'correct the name; `untold inspect SOURCE --stage` lists the prims',
  },
  UC1721: {
    severity: 'warning',
    title: 'selected variant does not exist',
    cause: 'The scene selects a variant that the set does not have, so that nothing of the set is applied.',
    remedy: 'correct the selection, or choose one with --variant',
  },
  UC1722: {
    severity: 'warning',
    title: 'target outside of what is referenced',
    cause:
      'A relationship or connection in a referenced asset points out of the prim that is referenced. Nothing there is brought in, so the target is dropped.',
    remedy: 'move the target into the referenced prim, or reference the prim that contains both',
  },
  UC1723: {
    severity: 'warning',
    title: 'relocate not possible',
    cause:
      'A relocate moves a prim that is not a root prim to an unused path, which is neither above nor below the prim. If another relocate moves a prim above it, the source must be named by its new path.',
    remedy: 'correct the relocates of the layer',
  },
  UC1724: {
    severity: 'warning',
    title: 'opinions hidden by a relocate',
    cause: 'A relocate moves a prim from one path to another. Other opinions at these two paths have no effect.',
    remedy: 'author them at the new path of the prim, in the layer that relocates it or a stronger one',
  },
  UC1725: {
    severity: 'warning',
    title: 'layer offset cannot be used',
    cause:
      'The offset or the scale is not finite, or the scale is zero, as authored or after conversion between the time codes per second of the two layers. The identity is used.',
    remedy: 'correct the offset and scale',
  },
  UC1726: {
    severity: 'error',
    exit: 2,
    title: 'selected or excluded prim or node does not exist',
    cause:
      '--select or --exclude names a path at which the composed stage has no active prim, or the glTF file no node.',
    remedy:
      'correct the path; `untold inspect SOURCE --stage` lists the prims, and nodes of glTF are counted from nodes/0',
  },
  UC1727: {
    severity: 'warning',
    title: 'rate of time codes is not positive',
    cause:
      'timeCodesPerSecond or framesPerSecond of a layer is negative, zero or not finite, and an arc joins the layer with another one. Times are scaled by the ratio of their rates: with one negative rate time runs backwards, as in OpenUSD, so that the earliest value is the last sample. Zero, infinity and NaN give no ratio and count as if they were not authored.',
    remedy: 'set timeCodesPerSecond of the layer to a positive number',
  },
} as const satisfies Record<string, CodeEntry>;
