import type { Found } from '../../core/tool.ts'
import { byServiceStart } from '../../host/apply/proof.ts'
import { isAsWritten } from '../../host/apply/stamp.ts'
import type { Host } from '../../host/index.ts'
import { owned } from '../tool-files.ts'
import { type Opening, tool } from '../tool.ts'
import { checkCandidates, checkCommand } from './check.ts'
import { configurationPath, directory, queueName, sharedPath, sourcePath, spool } from './layout.ts'
import { isPortBound } from './ports.ts'
import { type Module, modules, renderShared, renderSource, type SourceSettings } from './render.ts'

export type { SourceSettings } from './render.ts'

interface RsyslogOptions {
  /** Tells whether a program receives on a port; a stand-in in tests. */
  readonly isBound?: typeof isPortBound
}

/** Sources to write and to remove. */
interface SourcesArgs {
  readonly title: string
  readonly written: readonly SourceSettings[]
  readonly removed: readonly number[]
  /** The modules that other files load; null if no source is left. */
  readonly loadedElsewhere: readonly Module[] | null
}

/** rsyslog, which receives log lines and sends them to the search backend. */
export const rsyslog = tool({
  name: 'rsyslog',
  title: 'rsyslog',
  packages: ['rsyslog', 'rsyslog-elasticsearch'],
  service: 'rsyslog',
  open: (_opening: Opening, { isBound = isPortBound }: RsyslogOptions = {}) => ({ isBound }),
  detect,
  reconcile: async ({ host: { files } }) => {
    await files.cleanLeftovers(directory)
  },
  loading: ({ host, service, isBound }) => ({
    directories: [directory],
    checkCommand,
    check: (candidates) => checkCandidates(host, candidates),
    proof: byServiceStart('rsyslog', {
      files: host.files,
      services: { ...host.services, act: restartOf(host) },
      service,
      probe: () => firstUnbound(host.files, isBound),
    }),
  }),
  files: () => ({
    sources: owned<SourcesArgs>({
      title: ({ title }) => title,
      files: ({ written, removed, loadedElsewhere }) => [
        {
          path: sharedPath,
          content: loadedElsewhere === null ? null : renderShared(loadedElsewhere),
        },
        ...written.map((each) => ({ path: sourcePath(each.id), content: renderSource(each) })),
        ...removed.map((id) => ({ path: sourcePath(id), content: null })),
      ],
    }),
  }),
  verbs: ({ host, service, isBound }) => ({
    isBound,
    isRunning: async () => (await host.services.startedAt(service)) !== undefined,
    /** The modules that files of others load: a module that is loaded twice is an error. */
    modulesElsewhere: () => modulesElsewhere(host.files),
    /** `applied` if the file of a source is what these settings render, `absent` if there is none. */
    stateOf: async (source: SourceSettings): Promise<'applied' | 'differs' | 'absent'> => {
      const content = await host.files.read(sourcePath(source.id))
      if (content === undefined) return 'absent'
      return isAsWritten(content) && content.endsWith(`\n${renderSource(source)}`) ? 'applied' : 'differs'
    },
    /** True if the file of a source has rsyslog receive on this port. */
    receivesOn: async ({ protocol, port }: NonNullable<SourceSettings['listens']>) =>
      (await receivedPorts(host.files)).some((each) => each.protocol === protocol && each.port === port),
    /** The sources that have a file. */
    appliedSources: () => appliedSources(host.files),
    /** Bytes that wait on the disk for the search backend. */
    queuedBytes: () => queuedBytes(host.files),
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('rsyslog')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'rsyslog is not installed' }
  const hasModule = (await host.packages.version('rsyslog-elasticsearch')) !== undefined
  const reason = hasModule ? null : 'rsyslog lacks the package rsyslog-elasticsearch'
  return { present: hasModule, version: version.replace(/-[^-]*$/, ''), healthy: hasModule, reason }
}

/** systemd refuses the sixth start within ten seconds. */
const restartOf =
  ({ run, services }: Host): Host['services']['act'] =>
  async (name, verb) => {
    if ((await services.detect()).kind === 'systemd')
      await run(['systemctl', 'reset-failed', '--', `${name}.service`], { timeoutMs: 30_000 })
    await services.act(name, verb)
  }

const inputs = /^input\(type="im(udp|tcp)" port="(\d+)"/gm

/** The ports that the files of sources name. */
async function receivedPorts(files: Host['files']) {
  const texts: string[] = []
  for (const id of await appliedSources(files)) texts.push((await files.read(sourcePath(id))) ?? '')
  return [...texts.join('\n').matchAll(inputs)].map(([, protocol, port]) => ({
    protocol: protocol === 'tcp' ? ('tcp' as const) : ('udp' as const),
    port: Number(port),
  }))
}

/** A port that rsyslog could not take is only in its log, so each is looked for. */
async function firstUnbound(files: Host['files'], isBound: typeof isPortBound): Promise<string | undefined> {
  for (const { protocol, port } of await receivedPorts(files))
    if (!(await isBound(protocol, port))) return `it does not receive on port ${port}/${protocol}`
  return undefined
}

async function appliedSources(files: Host['files']): Promise<readonly number[]> {
  const names = await files.list(directory)
  return names.flatMap((name) => {
    const [, id] = /^30-hostreeve-source-(\d+)\.conf$/.exec(name) ?? []
    return id === undefined ? [] : [Number(id)]
  })
}

async function modulesElsewhere(files: Host['files']): Promise<readonly Module[]> {
  const names = (await files.list(directory)).filter(
    (name) => name.endsWith('.conf') && !/^[23]0-hostreeve/.test(name),
  )
  const paths = [configurationPath, ...names.map((name) => `${directory}/${name}`)]
  const texts = await Promise.all(paths.map((path) => files.readBytes(path)))
  const lines = texts.join('\n').split('\n')
  const loads = (name: Module) =>
    new RegExp(`^\\s*(?:module\\s*\\([^#]*load\\s*=\\s*"${name}"|\\$ModLoad\\s+${name}\\b)`, 'i')
  return modules.filter((name) => lines.some((line) => loads(name).test(line)))
}

async function queuedBytes(files: Host['files']): Promise<number> {
  const names = (await files.list(spool)).filter(
    (name) => name.startsWith(queueName(0).slice(0, -1)) && !name.endsWith('.errors'),
  )
  const facts = await Promise.all(names.map((name) => files.facts(`${spool}/${name}`)))
  return facts.reduce((sum, each) => sum + (each?.sizeBytes ?? 0), 0)
}
