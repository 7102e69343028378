export { drift } from './area.ts'
