export { processes } from './area.ts'
