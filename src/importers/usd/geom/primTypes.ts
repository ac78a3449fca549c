// What each prim type is to the importer (UsdGeom, UsdLux, UsdSkel, UsdVol schemas): drawn, a place in the hierarchy,
// silent data, or something that is left out by name.

import type { Code } from '../../../diagnostics/diagnostic.ts';

export const SHAPES = new Set([
  'Mesh',
  'Cube',
  'Sphere',
  'Cylinder',
  'Cylinder_1',
  'Cone',
  'Capsule',
  'Capsule_1',
  'Plane',
]);

/** Lights that become lights of the engine. */
export const LIGHTS = new Set(['DistantLight', 'SphereLight', 'DiskLight', 'RectLight', 'CylinderLight']);

/** Holds nothing drawable, nor do its children. */
export const CLOSED = new Set(['Material', 'Shader', 'NodeGraph', 'GeomSubset']);

/** Neither imageable nor a loss when it is passed over. */
const DATA = new Set([
  '',
  'SkelAnimation',
  'BlendShape',
  'RenderSettings',
  'RenderProduct',
  'RenderVar',
  'RenderPass',
  'PhysicsScene',
  'PhysicsCollisionGroup',
  'PhysicsJoint',
  'PhysicsFixedJoint',
  'PhysicsRevoluteJoint',
  'PhysicsPrismaticJoint',
  'PhysicsSphericalJoint',
  'PhysicsDistanceJoint',
]);

/** Xformable without being drawn, and no loss. */
const PLACES = new Set(['Xform', 'SkelRoot', 'Skeleton', 'Camera', 'PointInstancer']);

interface Omission {
  readonly code: Code;
  readonly kind: string;
}

const OMISSIONS: readonly (Omission & { readonly types: readonly string[] })[] = [
  { code: 'UC1831', kind: 'curves', types: ['BasisCurves', 'NurbsCurves', 'HermiteCurves'] },
  { code: 'UC1832', kind: 'point clouds', types: ['Points'] },
  { code: 'UC1833', kind: 'volumes', types: ['Volume', 'OpenVDBAsset', 'Field3DAsset'] },
  { code: 'UC1834', kind: 'NURBS patches and tetrahedral meshes', types: ['NurbsPatch', 'TetMesh'] },
  { code: 'UC1835', kind: 'dome lights', types: ['DomeLight', 'DomeLight_1', 'PortalLight'] },
  { code: 'UC1835', kind: 'lights of geometry and plugins', types: ['GeometryLight', 'PluginLight'] },
  { code: 'UC1835', kind: 'light filters', types: ['LightFilter', 'PluginLightFilter'] },
];

const OMITTED: ReadonlyMap<string, Omission> = new Map(
  OMISSIONS.flatMap(({ types, ...omission }) => types.map((type): [string, Omission] => [type, omission])),
);

/** What is said about a prim type that is not cooked; null when there is nothing to say. */
export function omission(typeName: string): Omission | null {
  const known = OMITTED.get(typeName);
  if (known) return known;
  if (SHAPES.has(typeName) || CLOSED.has(typeName) || DATA.has(typeName)) return null;
  if (LIGHTS.has(typeName) || PLACES.has(typeName) || typeName === 'Scope') return null;
  return { code: 'UC1838', kind: `prims of the unknown type ${typeName}` };
}

/** Has a visibility and a purpose of its own (UsdGeomImageable). */
export function isImageable(typeName: string): boolean {
  return !CLOSED.has(typeName) && !DATA.has(typeName);
}

/** Has a transform of its own (UsdGeomXformable); an unknown type counts when it authors xformOps. */
export function isXformable(typeName: string): boolean {
  return isImageable(typeName) && typeName !== 'Scope';
}
