import { singleLock } from '../../../core/lock.ts'

/** Held while the backups are changed, or must not change. */
export const runLock = singleLock('mailbox-run')
