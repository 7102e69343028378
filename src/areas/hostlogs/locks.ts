import { singleLock } from '../../core/lock.ts'

export const loggingLock = singleLock('remote-logging')
export const auditLock = singleLock('ssh-audit')
