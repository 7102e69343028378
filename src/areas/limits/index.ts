export { limits } from './area.ts'
