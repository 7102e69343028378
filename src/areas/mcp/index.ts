export { mcp } from './area.ts'
export { drawToken, keyInsertion, keyRemoval, newKey } from './keys.ts'
