import { NotFound, Problem, Unavailable } from '../core/problem.ts'
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
