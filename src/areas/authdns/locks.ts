import { lock } from '../../core/lock.ts'
import { programLock } from '../../tools/program.ts'

/** An installation and a new configuration exclude one another. */
export const serverLock = programLock('powerdns')

/** The changes of one zone. */
export const zoneLock = lock('zone')
