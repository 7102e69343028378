import { type Lock, lock } from '../../core/lock.ts'

const slots = 64
const slotLock = lock<[slot: number]>('web server')

/** Held by what gives a website a name that no switch can know beforehand: creations, copies and moves. */
export const webServerLock = (siteId: number): Lock => slotLock(siteId % slots)

/** All of them, held by a switch. */
export const webServerLocks: readonly Lock[] = Array.from({ length: slots }, (_, slot) => slotLock(slot))
