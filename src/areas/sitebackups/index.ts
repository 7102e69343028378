export { sitebackups } from './area.ts'
export type { Backups } from './context.ts'
export { openRewind, type Rewind, wayBack } from './rewind.ts'
