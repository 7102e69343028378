import { programLock } from '../../tools/program.ts'

/** A load takes everything that is in memory: changes of the proxy exclude one another. */
export const proxyLock = programLock('proxysql')

/** The changes of the virtual address. */
export const addressLock = programLock('keepalived')
