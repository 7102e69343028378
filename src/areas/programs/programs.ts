import type { Detected } from '../../core/area.ts'
import { NotFound, Unavailable } from '../../core/problem.ts'
import type { Programs } from './context.ts'

const anyReason = 'the panel does not run as root on a host with a known package manager'

/** Detects the programs that the panel drives. */
export function detectPrograms({ programs }: Programs): Promise<Detected[]> {
  return Promise.all(programs.map((program) => program.detect()))
}

/** Returns the state of a program, or fails with 404. */
export async function loadProgram(on: Programs, name: string): Promise<Detected> {
  const found = (await detectPrograms(on)).find(({ program }) => program === name)
  if (found === undefined) throw NotFound(`name: no area needs a program ${name}`)
  return found
}

/** Throws where a program can be neither installed nor set up here. */
export function assertInstallable({ program, installable, healthy, reason }: Detected): void {
  if (!installable && !healthy)
    throw Unavailable(`${program} cannot be installed here: ${reason ?? anyReason}`)
}
