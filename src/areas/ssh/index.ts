export { ssh } from './area.ts'
