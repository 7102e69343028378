export { jobs } from './area.ts'
