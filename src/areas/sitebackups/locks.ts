import { lock } from '../../core/lock.ts'
import type { SiteName } from './depot.ts'

const backupsLock = lock<readonly [username: string, domain: string]>('backups')

/** One at a time makes, deletes or restores backups of a website. */
export const backupLock = ({ username, domain }: SiteName) => backupsLock(username, domain)
