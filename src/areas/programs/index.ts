export { programs } from './area.ts'
