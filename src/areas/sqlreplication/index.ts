export { sqlreplication } from './area.ts'
