export { sitebackups } from './area.ts'
export type { Backups } from './context.ts'
export { openRewind, type Rewind, type WayBack, wayBack } from './rewind.ts'
export { backupLock } from './locks.ts'
