export { mcp } from './area.ts'
