export { dashboard } from './area.ts'
export { firstSteps } from './first-steps.ts'
export { type TileContent, tiles } from './tiles.ts'
