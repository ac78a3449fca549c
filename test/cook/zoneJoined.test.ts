// Materials that are joined where a device carries no more draws: what they look like, and when they stay apart.

import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SceneMaterial } from '../../src/scene/types.ts';
import { createSampler } from '../../src/textures/bake/sample.ts';
import { decodeImageFile } from '../../src/textures/encode/png.ts';
import { buildGlb, type PrimitiveInput, type SceneInput } from '../importers/gltf/build.ts';
import { type Cooked, cookFiles, type Triangle, trianglesOf } from './cooked.ts';
import { around, rectangles, zone } from './zoneScenes.ts';
