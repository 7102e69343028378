export { backups } from './area.ts'
export type { BackupsArea } from './context.ts'
