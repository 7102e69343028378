export { mcp } from './area.ts'
export { keyChecks } from './in-force.ts'
export { drawToken, keyInsertion, keyRemoval, newKey } from './keys.ts'
