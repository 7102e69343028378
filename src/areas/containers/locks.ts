import { lock } from '../../core/lock.ts'

/** Held by each change of a container, by its name. */
export const containerLock = lock('container')
