import { lock } from '../../core/lock.ts'

/** A file of a hosting user. */
export const fileLock = lock<[username: string, path: string]>('file')
/** A repository, or the folder that becomes one. */
export const repositoryLock = lock<[username: string, path: string]>('vcs')
/** The destination of an extraction. */
export const extractionLock = lock<[username: string, path: string]>('extract')
/** The uploads into one home. */
export const uploadsLock = lock('uploads')
