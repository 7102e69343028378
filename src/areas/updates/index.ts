export { updates } from './area.ts'
