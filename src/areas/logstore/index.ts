export { logstore } from './area.ts'
