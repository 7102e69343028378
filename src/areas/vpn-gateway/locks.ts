import { programLock } from '../../tools/program.ts'

/** The changes of the mesh: the control server takes lists as a whole, and stops for some of them. */
export const meshLock = programLock('headscale')
