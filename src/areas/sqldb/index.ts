export { sqldb } from './area.ts'
