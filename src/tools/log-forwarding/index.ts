import type { Found } from '../../core/tool.ts'
import { checkEach, type Loading } from '../../host/apply/loading.ts'
import { byServiceStart } from '../../host/apply/proof.ts'
import { isAsWritten } from '../../host/apply/stamp.ts'
import type { Host } from '../../host/index.ts'
import { owned } from '../tool-files.ts'
import { type Opening, tool } from '../tool.ts'
import { authorityPath, directory, isOwn, type Purpose, queueName, rulePath, spool } from './layout.ts'
import { renderRule, type Target } from './render.ts'

export type { Target } from './render.ts'

/** Lines to send to a server; null ends it. */
interface ForwardingArgs {
  readonly purpose: Purpose
  readonly target: Target | null
  /** True if files that were edited by hand are replaced. */
  readonly overwrite: boolean
}

/** A larger file is none that the panel wrote, and is not read. */
const mostRead = 1024 * 1024

/** rsyslog, as it sends the log lines of this host to another server. */
export const logForwarding = tool({
  name: 'log-forwarding',
  title: 'rsyslog for remote logging',
  packages: ['rsyslog-gnutls'], // needs rsyslog itself
  service: 'rsyslog',
  isOptional: true,
  detect,
  reconcile: async ({ host: { files } }) => {
    await files.cleanLeftovers(directory)
  },
  loading: ({ host, service }) => ({
    directories: [directory],
    checkCommand: ['rsyslogd', '-N1', '-f', rulePath('remote')],
    check: checkRules(host),
    proof: byServiceStart('log-forwarding', {
      files: host.files,
      services: { ...host.services, act: () => restart(host, service) },
      service,
      probe: async () => undefined,
    }),
  }),
  files: () => ({
    rules: owned<ForwardingArgs>({
      title: ({ purpose, target }) => titleOf(purpose, target),
      files: ({ purpose, target }) => [
        {
          path: authorityPath(purpose),
          content: target === null || target.ca === '' ? null : `${target.ca.trim()}\n`,
        },
        { path: rulePath(purpose), content: target === null ? null : renderRule(purpose, target) },
      ],
      overwrites: ({ overwrite }) => overwrite,
      isOwn,
    }),
  }),
  verbs: ({ host, service }) => ({
    /** True if rsyslog runs. */
    isRunning: async () => (await host.services.startedAt(service)) !== undefined,
    /** `applied` if the file is what this target renders, `absent` if there is none. */
    stateOf: async (purpose: Purpose, target: Target | null): Promise<'applied' | 'differs' | 'absent'> => {
      const { sizeBytes = 0 } = (await host.files.facts(rulePath(purpose))) ?? {}
      if (sizeBytes > mostRead) return 'differs'
      const content = await host.files.read(rulePath(purpose))
      if (content === undefined) return 'absent'
      const isWanted = target !== null && content.endsWith(`\n${renderRule(purpose, target)}`)
      return isWanted && isAsWritten(content) ? 'applied' : 'differs'
    },
    /** Bytes that wait on the disk for the server. */
    queuedBytes: (purpose: Purpose) => queuedBytes(host.files, purpose),
  }),
})

function titleOf(purpose: Purpose, target: Target | null): string {
  const lines = purpose === 'remote' ? 'all log lines' : 'the log lines of the SSH audit'
  return target === null
    ? `Send ${lines} to no other server`
    : `Send ${lines} to ${target.server} on port ${target.port}`
}

async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('rsyslog')
  const absent = { present: false, version: null, healthy: false }
  if (version === undefined) return { ...absent, reason: 'rsyslog is not installed' }
  if ((await host.packages.version('rsyslog-gnutls')) === undefined)
    return { ...absent, reason: 'rsyslog-gnutls, which sends log lines over TLS, is not installed' }
  return { present: true, version: version.replace(/-[^-]*$/, ''), healthy: true, reason: null }
}

/** A rule needs nothing of the other files, so that rsyslog checks it alone; certificates are no rules. */
function checkRules({ run }: Pick<Host, 'run'>): Loading['check'] {
  const check = checkEach(run, (path) => ['rsyslogd', '-N1', '-f', path])
  return (candidates) => check(candidates.filter(({ path }) => path.endsWith('.conf')))
}

/** systemd refuses the sixth start within ten seconds. */
async function restart({ run, services }: Host, service: string): Promise<void> {
  if ((await services.detect()).kind === 'systemd')
    await run(['systemctl', 'reset-failed', '--', `${service}.service`], { timeoutMs: 30_000 })
  await services.act(service, 'restart')
}

async function queuedBytes(files: Host['files'], purpose: Purpose): Promise<number> {
  const names = (await files.list(spool)).filter((name) => name.startsWith(`${queueName(purpose)}.`))
  const facts = await Promise.all(names.map((name) => files.facts(`${spool}/${name}`)))
  return facts.reduce((sum, each) => sum + (each?.sizeBytes ?? 0), 0)
}
