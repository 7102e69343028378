import { lock, singleLock } from '../../core/lock.ts'

/** The whole configuration file. */
export const configLock = singleLock('lbproxy')
/** One section of the configuration, by name. */
export const sectionLock = lock('lbproxy', ' ')
export const certificatesLock = singleLock('lbproxy certificates')
export const backupsLock = singleLock('lbproxy backups')
