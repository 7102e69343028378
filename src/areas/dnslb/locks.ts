import { singleLock } from '../../core/lock.ts'

/** All that the panel configures in dnsdist: its files are checked and loaded together. */
export const balancerLock = singleLock('dnslb')
