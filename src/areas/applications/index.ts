export { applications } from './area.ts'
