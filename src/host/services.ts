import type { ServicesFound, ServiceStatus, ServiceVerb } from './services/driver.ts'
import { NotFound, problem, Unavailable } from '../core/problem.ts'
import type { Files } from './files.ts'
import type { Run } from './run.ts'
import { initScripts } from './services/init-scripts.ts'
import { systemd } from './services/systemd.ts'

export const ServiceFailed = problem('service_failed', 500, 'The service did not do what was asked')

/** The services of the host. */
export interface Services {
  detect(): Promise<ServicesFound>
  list(): Promise<readonly ServiceStatus[]>
  /** Throws NotFound for a name that the host does not know. */
  status(name: string): Promise<ServiceStatus>
  /** When the running process of the service was started, in milliseconds since 1970; undefined if it does not run. */
  startedAt(name: string): Promise<number | undefined>
  act(name: string, verb: ServiceVerb): Promise<void>
  start(name: string): Promise<void>
  /** True if the service was stopped on purpose, rather than never started or failed. */
  isStoppedOnPurpose(name: string): Promise<boolean>
  /** Makes systemd read changed unit files; no-op without systemd. */
  reloadUnits(): Promise<void>
}

const serviceName = /^[A-Za-z0-9_][A-Za-z0-9_.@:\\-]{0,254}$/
const actTimeoutMs = 90_000

/** Opens the services of the host: systemd if it is PID 1, otherwise init scripts through `service`. */
export function openServices(run: Run, files: Files): Services {
  const driver = async () =>
    (await files.facts('/run/systemd/system'))?.kind === 'directory' ? systemd(run) : initScripts(run, files)
  const ready = async () => {
    const chosen = await driver()
    const found = await chosen.detect()
    if (!found.present) throw Unavailable(found.reason ?? undefined)
    return chosen
  }
  const act = async (name: string, verb: ServiceVerb) => {
    const { code, stdout, stderr } = await run((await ready()).command(checked(name), verb), {
      timeoutMs: actTimeoutMs,
      maxBytes: 64 * 1024,
    })
    if (code !== 0)
      throw ServiceFailed(
        `${name}: ${verb}: ${(stderr.trim() || stdout.trim() || `exit status ${code}`).slice(0, 2000)}`,
      )
  }
  return {
    detect: async () => (await driver()).detect(),
    list: async () => (await ready()).list(),
    status: async (name) => {
      const status = await (await ready()).status(checked(name))
      if (status === undefined) throw NotFound(`name: no service ${name}`)
      return status
    },
    startedAt: async (name) => (await ready()).startedAt(checked(name)),
    act,
    start: (name) => act(name, 'start'),
    isStoppedOnPurpose: async (name) => (await ready()).isStoppedOnPurpose(checked(name)),
    reloadUnits: async () => (await ready()).reloadUnits(),
  }
}

function checked(name: string): string {
  if (!serviceName.test(name)) throw NotFound(`name: ${name.slice(0, 255)} is not the name of a service`)
  return name
}
