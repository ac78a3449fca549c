// Ground that spans a scene, cut at the planes of the tiles of trees, through whole cooks.

import { describeCuts, useGround } from './cutGround.ts';

useGround();

describeCuts('quadtree');
describeCuts('kdtree');
