// How the importer treats each prim type of the UsdGeom, UsdLux, UsdSkel and UsdVol schemas: as a shape, a light, a
// node of the hierarchy, data without a report, or a type that is left out with a report.

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

/** Types that become lights of the engine. */
export const LIGHTS = new Set(['DistantLight', 'SphereLight', 'DiskLight', 'RectLight', 'CylinderLight']);

/** Types that are not drawn, and whose descendants are not drawn either. */
export const CLOSED = new Set(['Material', 'Shader', 'NodeGraph', 'GeomSubset']);

/** Types that are not imageable. Leaving them out is no loss. */
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

/** Types that have a transform but are not drawn. Leaving them out is no loss. */
const TRANSFORMS = new Set(['Xform', 'SkelRoot', 'Skeleton', 'Camera', 'PointInstancer']);

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
  { code: 'UC1857', kind: 'lights of geometry and plugins', types: ['GeometryLight', 'PluginLight'] },
  { code: 'UC1857', kind: 'light filters', types: ['LightFilter', 'PluginLightFilter'] },
];

const OMITTED: ReadonlyMap<string, Omission> = new Map(
  OMISSIONS.flatMap(({ types, ...omission }) => types.map((type): [string, Omission] => [type, omission])),
);

/** The report about a prim type that is left out; null if none is needed. */
export function omission(typeName: string): Omission | null {
  const known = OMITTED.get(typeName);
  if (known) return known;
  if (SHAPES.has(typeName) || CLOSED.has(typeName) || DATA.has(typeName)) return null;
  if (LIGHTS.has(typeName) || TRANSFORMS.has(typeName) || typeName === 'Scope') return null;
  return { code: 'UC1838', kind: `prims of the unknown type ${typeName}` };
}

/** Whether a type has a visibility and a purpose (UsdGeomImageable). */
export function isImageable(typeName: string): boolean {
  return !CLOSED.has(typeName) && !DATA.has(typeName);
}

/** Whether a type has a transform (UsdGeomXformable). Unknown types count as such. */
export function isXformable(typeName: string): boolean {
  return isImageable(typeName) && typeName !== 'Scope';
}
