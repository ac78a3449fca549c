// The metadata fields that OpenUSD registers for each kind of spec, with their types. Sources: the fields in
// sdf/schema.cpp and the SdfMetadata in the plugInfo.json of usd, usdGeom, usdShade, usdSkel, usdPhysics and usdRender.
// All other fields are unregistered.

/** A value type of text, `dictionary`, or a list op by its item type. */
export type FieldType =
  | 'bool'
  | 'int'
  | 'int64'
  | 'float'
  | 'double'
  | 'string'
  | 'string[]'
  | 'token'
  | 'token[]'
  | 'asset'
  | 'dictionary'
  | 'tokenListOp'
  | 'stringListOp'
  | 'int64ListOp';

export type MetadataOwner = 'layer' | 'prim' | 'attribute' | 'relationship';

type Fields = Readonly<Record<string, FieldType>>;

const LAYER: Fields = {
  colorConfiguration: 'asset',
  colorManagementSystem: 'token',
  customLayerData: 'dictionary',
  defaultPrim: 'token',
  documentation: 'string',
  endFrame: 'double',
  endTimeCode: 'double',
  expressionVariables: 'dictionary',
  fallbackPrimTypes: 'dictionary',
  framePrecision: 'int',
  framesPerSecond: 'double',
  hasOwnedSubLayers: 'bool',
  kilogramsPerUnit: 'double',
  metersPerUnit: 'double',
  owner: 'string',
  renderSettingsPrimPath: 'string',
  sessionOwner: 'string',
  startFrame: 'double',
  startTimeCode: 'double',
  timeCodesPerSecond: 'double',
  upAxis: 'token',
};

const SHARED: Fields = {
  assetInfo: 'dictionary',
  customData: 'dictionary',
  displayName: 'string',
  documentation: 'string',
  hidden: 'bool',
  prefix: 'string',
  suffix: 'string',
  symmetricPeer: 'string',
  symmetryArguments: 'dictionary',
};

const PRIM: Fields = {
  ...SHARED,
  active: 'bool',
  apiSchemas: 'tokenListOp',
  clipSets: 'stringListOp',
  clips: 'dictionary',
  displayGroupOrder: 'string[]',
  inactiveIds: 'int64ListOp',
  instanceable: 'bool',
  kind: 'token',
  sdrMetadata: 'dictionary',
  typeName: 'token',
};

const ATTRIBUTE: Fields = {
  ...SHARED,
  allowedTokens: 'token[]',
  arraySizeConstraint: 'int64',
  colorSpace: 'token',
  connectability: 'token',
  constraintTargetIdentifier: 'token',
  displayGroup: 'string',
  elementSize: 'int',
  interpolation: 'token',
  renderType: 'token',
  sdrMetadata: 'dictionary',
  unauthoredValuesIndex: 'int',
  weight: 'float',
};

const RELATIONSHIP: Fields = {
  ...SHARED,
  bindMaterialAs: 'token',
  displayGroup: 'string',
  noLoadHint: 'bool',
  outputName: 'token',
  renderType: 'token',
};

const FIELDS: Readonly<Record<MetadataOwner, ReadonlyMap<string, FieldType>>> = {
  layer: new Map(Object.entries(LAYER)),
  prim: new Map(Object.entries(PRIM)),
  attribute: new Map(Object.entries(ATTRIBUTE)),
  relationship: new Map(Object.entries(RELATIONSHIP)),
};

const PROPERTY_STRUCTURE = ['comment', 'custom', 'default', 'timeSamples', 'variability'];

/** Fields that only their own statements can set. OpenUSD refuses them as metadata. */
const STRUCTURE: Readonly<Record<MetadataOwner, ReadonlySet<string>>> = {
  layer: new Set(['comment', 'layerRelocates', 'primChildren', 'primOrder', 'subLayerOffsets']),
  prim: new Set([
    'comment',
    'inheritPaths',
    'primChildren',
    'primOrder',
    'propertyOrder',
    'specifier',
    'variantSelection',
    'variantSetChildren',
    'variantSetNames',
  ]),
  attribute: new Set([...PROPERTY_STRUCTURE, 'connectionPaths', 'connectionChildren', 'spline', 'typeName']),
  relationship: new Set([...PROPERTY_STRUCTURE, 'targetPaths', 'targetChildren']),
};

/** The type of a registered metadata field; undefined for other names. */
export function metadataType(owner: MetadataOwner, name: string): FieldType | undefined {
  return FIELDS[owner].get(name);
}

/** Whether a name is a field of the spec that cannot be set as metadata. */
export function isStructuralField(owner: MetadataOwner, name: string): boolean {
  return STRUCTURE[owner].has(name);
}
