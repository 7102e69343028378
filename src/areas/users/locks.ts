import { lock, singleLock } from '../../core/lock.ts'

/** A user, by e-mail address. */
export const userLock = lock('user')
/** A Linux account, by name. */
export const accountLock = lock('account')
/** The set of superusers, one of whom must stay. */
export const superusersLock = singleLock('superusers')
/** The uids, of which each is given once. */
export const uidsLock = singleLock('uids')
