import { NotFound, Problem, Unavailable } from '../core/problem.ts'
import type { Host } from '../host/index.ts'
import type { Services } from '../host/services.ts'

/** The services of the web servers, of which one runs at a time: both listen on port 80. */
export const webServices = { nginx: 'nginx', apache: 'apache2' } as const

/** True if a service runs; false also where the host does not know it, or has no services. */
export async function isServiceActive(services: Pick<Services, 'status'>, name: string): Promise<boolean> {
  try {
    return (await services.status(name)).active
  } catch (error) {
    if (error instanceof Problem && [NotFound, Unavailable].includes(error.kind)) return false
    throw error
  }
}

/** True if an administrator has masked the unit of a service, so that nothing can start it; false where there is no systemd. */
export async function isServiceMasked({ run }: Pick<Host, 'run'>, name: string): Promise<boolean> {
  const { stdout } = await run(['systemctl', 'show', '--property=LoadState', '--', `${name}.service`], {
    timeoutMs: 15_000,
  })
  return /^LoadState=masked$/m.test(stdout)
}
