export { backups } from './area.ts'
