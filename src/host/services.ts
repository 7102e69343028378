import type {
  Dependents,
  StartEffects,
  ServiceDriver,
  ServicesFound,
  ServiceStatus,
  ServiceVerb,
} from './services/driver.ts'
import { NotFound, problem, Unavailable } from '../core/problem.ts'
import type { Files } from './files.ts'
import { openFollow } from './follow.ts'
import type { Run } from './run.ts'
import { initScripts } from './services/init-scripts.ts'
import { type LogLine, type LogOptions, openServiceLogs } from './services/logs.ts'
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
  /** Runs nothing: the service is already as the verb makes it. An observer of the host is told that it is wanted so. */
  confirm(name: string, verb: ServiceVerb): Promise<void>
  start(name: string): Promise<void>
  /** The running units that stop with a service, and those that may start it again. */
  dependents(name: string): Promise<Dependents>
  /** What its start does to the host, and which units stop for it. */
  startEffects(name: string): Promise<StartEffects>
  /** The service that the panel runs in; undefined if it was started in another way. */
  own(): Promise<string | undefined>
  /** The lines that a service logged, and those to come. */
  logs(name: string, options: LogOptions): AsyncIterable<LogLine>
  /** True if the service was stopped on purpose, rather than never started or failed. */
  isStoppedOnPurpose(name: string): Promise<boolean>
  /** Makes systemd read changed unit files; no-op without systemd. */
  reloadUnits(): Promise<void>
}

const serviceName = /^[A-Za-z0-9_][A-Za-z0-9_.@:\\-]{0,254}$/
const actTimeoutMs = 90_000

/** Opens the services of the host: systemd if it is PID 1, otherwise init scripts through `service`. */
export function openServices(run: Run, files: Files): Services {
  const logs = openServiceLogs(openFollow(run), files)
  const driver = async () =>
    (await files.facts('/run/systemd/system'))?.kind === 'directory'
      ? systemd(run, files)
      : initScripts(run, files)
  /** The service system that was found: it stays the same until the host starts again. */
  let ready: ServiceDriver | undefined
  const system = async () => {
    if (ready !== undefined) return ready
    const chosen = await driver()
    const { present, reason } = await chosen.detect()
    if (!present) throw Unavailable(reason ?? undefined)
    ready = chosen
    return chosen
  }
  const act = async (name: string, verb: ServiceVerb) => {
    const { code, stdout, stderr } = await run((await system()).command(checked(name), verb), {
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
    list: async () => (await system()).list(),
    status: async (name) => {
      const status = await (await system()).status(checked(name))
      if (status === undefined) throw NotFound(`name: no service ${name}`)
      return status
    },
    startedAt: async (name) => (await system()).startedAt(checked(name)),
    act,
    confirm: async () => {},
    start: (name) => act(name, 'start'),
    dependents: async (name) => (await system()).dependents(checked(name)),
    startEffects: async (name) => (await system()).startEffects(checked(name)),
    own: async () => (await system()).own(),
    logs: (name, options) => logs(checked(name), options),
    isStoppedOnPurpose: async (name) => (await system()).isStoppedOnPurpose(checked(name)),
    reloadUnits: async () => (await system()).reloadUnits(),
  }
}

function checked(name: string): string {
  if (!serviceName.test(name)) throw NotFound(`name: ${name.slice(0, 255)} is not the name of a service`)
  return name
}
