export { activity } from './area.ts'
