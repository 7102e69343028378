import type { Found } from '../../core/tool.ts'
import { byServiceStart } from '../../host/apply/proof.ts'
import { isAsWritten } from '../../host/apply/stamp.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { isPortBound } from '../../host/bound-ports.ts'
import type { Host } from '../../host/index.ts'
import { owned } from '../tool-files.ts'
import { type Opening, tool } from '../tool.ts'
import { checkCandidates, checkCommand } from './check.ts'
import { configurationPath, directory, idOfSource, isOwnFile, sharedPath, sourcePath } from './layout.ts'
import {
  type Module,
  modules,
  renderShared,
  renderSource,
  type SourceSettings,
  transportOf,
} from './render.ts'
import { emptyLargeErrors, queuedBytes, removeSpooled, spooledSources } from './spool.ts'

export { type CertificateFiles, type SourceSettings, transportOf } from './render.ts'

/** The package of the driver for TLS. */
export const tlsPackage = 'rsyslog-gnutls'

/** Stand-ins for the daemon and the ports of the host, in tests. */
export interface RsyslogOptions {
  readonly isBound?: typeof isPortBound
  readonly startedAt?: () => Promise<number | undefined>
  readonly restart?: () => Promise<void>
}

/** Sources to write and to remove. */
interface SourcesArgs {
  readonly title: string
  readonly written: readonly SourceSettings[]
  readonly removed: readonly number[]
  /** The modules that the sources load; null if none is left. */
  readonly loads: readonly Module[] | null
}

interface SwitchArgs {
  readonly verb: 'start' | 'enable'
}

/** rsyslog, which receives log lines and sends them to the search backend. */
export const rsyslog = tool({
  name: 'rsyslog',
  title: 'rsyslog',
  packages: ['rsyslog-elasticsearch'], // needs rsyslog itself
  service: 'rsyslog',
  open: ({ host, service }: Opening, options: RsyslogOptions = {}) => ({
    isBound: options.isBound ?? isPortBound,
    startedAt: options.startedAt ?? (() => host.services.startedAt(service)),
    restart: options.restart ?? (() => restart(host, service)),
  }),
  detect,
  reconcile: async ({ host: { files } }) => {
    await files.cleanLeftovers(directory)
  },
  loading: ({ host, service, isBound, startedAt, restart: act }) => ({
    directories: [directory],
    checkCommand,
    check: (candidates) => checkCandidates(host, candidates),
    proof: byServiceStart('rsyslog', {
      files: host.files,
      services: { ...host.services, startedAt, act },
      service,
      probe: () => firstUnbound(host.files, isBound),
    }),
  }),
  files: () => ({
    sources: owned<SourcesArgs>({
      title: ({ title }) => title,
      files: ({ written, removed, loads }) => [
        {
          path: sharedPath,
          content: loads === null ? null : renderShared(loads),
        },
        ...written.map((each) => ({ path: sourcePath(each.id), content: renderSource(each) })),
        ...removed.map((id) => ({ path: sourcePath(id), content: null })),
      ],
    }),
  }),
  steps: ({ host, service }) => ({
    switchProgram: serviceStep<SwitchArgs>(serviceOf(host.services, service), {
      name: 'rsyslog.switch-program',
      title: 'rsyslog',
      reloads: 'rsyslog',
    }),
  }),
  verbs: ({ host, isBound, startedAt, restart: act }) => ({
    isBound,
    isRunning: async () => (await startedAt()) !== undefined,
    /** Whether the package of the driver for TLS is installed. */
    hasTls: async () => (await host.packages.version(tlsPackage)) !== undefined,
    /** Restarts it if it runs with a file that was replaced at this time: it reads certificates at its start alone. */
    restartIfOlderThan: async (replacedAt: Date): Promise<boolean> => {
      const since = await startedAt()
      if (since === undefined || since >= replacedAt.getTime()) return false
      await act()
      return true
    },
    /**
     * The modules that sources load once one of them is written or removed: a module that is loaded twice is an error, and
     * so is one without an input.
     */
    modulesWith: (id: number, source: SourceSettings | undefined) => modulesWith(host.files, id, source),
    /** `applied` if the file of a source is what these settings render, `absent` if there is none. */
    stateOf: async (source: SourceSettings): Promise<'applied' | 'differs' | 'absent'> => {
      const content = await host.files.read(sourcePath(source.id))
      if (content === undefined) return 'absent'
      return isAsWritten(content) && content.endsWith(`\n${renderSource(source)}`) ? 'applied' : 'differs'
    },
    /** The ports that the files of sources name. */
    receivedPorts: () => receivedPorts(host.files),
    /** True if the file of a source was edited since the panel wrote it. */
    wasEdited: async (id: number) => {
      const content = await host.files.read(sourcePath(id))
      return content !== undefined && !isAsWritten(content)
    },
    /** The sources that have a file. */
    appliedSources: () => appliedSources(host.files),
    /** Bytes that wait on the disk for the search backend. */
    queuedBytes: () => queuedBytes(host),
    /** The sources that have files in the spool. */
    spooledSources: () => spooledSources(host),
    /** Removes what the spool has of a source that is no more. */
    removeSpooled: (id: number) => removeSpooled(host, id),
    /** Empties files of refused lines that have become too large. */
    emptyLargeErrors: () => emptyLargeErrors(host),
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('rsyslog-elasticsearch')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'rsyslog-elasticsearch is not installed' }
  return { present: true, version: version.replace(/-[^-]*$/, ''), healthy: true, reason: null }
}

/** systemd refuses the sixth start within ten seconds. */
async function restart({ run, services }: Host, service: string): Promise<void> {
  if ((await services.detect()).kind === 'systemd')
    await run(['systemctl', 'reset-failed', '--', `${service}.service`], { timeoutMs: 30_000 })
  await services.act(service, 'restart')
}

const inputs = /^input\(type="im(udp|tcp)" port="(\d+)"/gm

/** A port on which the file of a source has rsyslog receive. */
interface ReceivedPort {
  readonly id: number
  readonly protocol: 'udp' | 'tcp'
  readonly port: number
}

async function receivedPorts(files: Host['files']): Promise<readonly ReceivedPort[]> {
  const found: ReceivedPort[] = []
  for (const id of await appliedSources(files))
    for (const [, protocol, port] of ((await files.read(sourcePath(id))) ?? '').matchAll(inputs))
      found.push({ id, protocol: protocol === 'tcp' ? 'tcp' : 'udp', port: Number(port) })
  return found
}

/** A port that rsyslog could not take is only in its log, so each is looked for. */
async function firstUnbound(files: Host['files'], isBound: typeof isPortBound): Promise<string | undefined> {
  for (const { protocol, port } of await receivedPorts(files))
    if (!(await isBound(protocol, port))) return `it does not receive on port ${port}/${protocol}`
  return undefined
}

async function appliedSources(files: Host['files']): Promise<readonly number[]> {
  return (await files.list(directory)).flatMap((name) => idOfSource(name) ?? [])
}

async function modulesWith(files: Host['files'], id: number, source: SourceSettings | undefined) {
  const others = (await receivedPorts(files)).filter((each) => each.id !== id)
  const inUse = [...others, ...(source?.listens ? [source.listens] : [])]
  const inputsInUse = new Set<string>(inUse.map(({ protocol }) => `im${transportOf(protocol)}`))
  const elsewhere = await modulesElsewhere(files)
  return modules.filter(
    (name) => !elsewhere.includes(name) && (!name.startsWith('im') || inputsInUse.has(name)),
  )
}

async function modulesElsewhere(files: Host['files']): Promise<readonly Module[]> {
  const names = (await files.list(directory)).filter(
    (name) => name.endsWith('.conf') && !isOwnFile(`${directory}/${name}`),
  )
  const paths = [configurationPath, ...names.map((name) => `${directory}/${name}`)]
  const texts = await Promise.all(paths.map((path) => files.readBytes(path)))
  const lines = texts.join('\n').split('\n')
  const loads = (name: Module) =>
    new RegExp(`^\\s*(?:module\\s*\\([^#]*load\\s*=\\s*"${name}"|\\$ModLoad\\s+${name}\\b)`, 'i')
  return modules.filter((name) => lines.some((line) => loads(name).test(line)))
}
