export { hostlogs } from './area.ts'
