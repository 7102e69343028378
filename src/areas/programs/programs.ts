import type { Detected } from '../../core/area.ts'
import type { Caller } from '../../core/caller.ts'
import { type Change, change } from '../../core/change.ts'
import type { JobRun } from '../../core/job.ts'
import { NotFound, Unavailable } from '../../core/problem.ts'
import { InstallFailed } from '../../host/packages.ts'
import { programLock } from '../../tools/program.ts'
import type { Programs } from './context.ts'
import { serveAgain } from './serve-again.ts'

/** The user id in records of actions without a user. */
const commandLine = 0
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

/** Enqueues the job that installs a program. */
export function installProgram(
  { program, installable, healthy, reason }: Detected,
  { user }: Caller,
): Change<{ job_id: number }> {
  if (!installable && !healthy)
    throw Unavailable(`${program} cannot be installed here: ${reason ?? anyReason}`)
  const title = `Install ${program}`
  return change({
    summary: title,
    locks: [programLock(program)],
    jobs: [{ kind: 'programs.install', input: { name: program, by: user.id }, ownerId: user.id, title }],
    reply: ({ jobIds }) => ({ job_id: jobIds[0] as number }),
  })
}

interface Installation {
  readonly name: string
  /** The id of the user who requested the installation. */
  readonly by?: number
}

/** Installs a program with the host's package manager and sets it up for the panel. */
export async function install(
  on: Programs,
  { name, by = commandLine }: Installation,
  run: JobRun<unknown>,
): Promise<void> {
  const program = on.programs.find((each) => each.name === name)
  if (program === undefined) throw InstallFailed(`${name} is not a program that the panel installs`)
  await program.install({
    signal: run.signal,
    onProgress: (percent, message) => void run.progress(percent, message),
  })
  if (name === 'nginx') await serveAgain(on, by, run)
}
