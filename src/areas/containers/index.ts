export { containers } from './area.ts'
