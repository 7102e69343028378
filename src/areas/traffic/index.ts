export { traffic } from './area.ts'
