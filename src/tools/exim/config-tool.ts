import { poll } from '../../core/poll.ts'
import { Problem, Unavailable } from '../../core/problem.ts'
import { changedAt, isOlder } from '../../host/apply/edited-file.ts'
import type { EditedTool } from '../../host/apply/edited-tool.ts'
import type { Activation } from '../../host/apply/tool.ts'
import type { Host } from '../../host/index.ts'
import { ServiceFailed } from '../../host/services.ts'
import type { Daemon } from './daemon.ts'
import { configPath, generatedPath, logPath, ownConfigPath } from './layout.ts'

interface EximParts {
  readonly host: Host
  readonly daemon: Daemon
  readonly service: string
}

/** A host without a fully qualified name keeps Exim waiting for its resolver. */
const limits = { timeoutMs: 60_000, maxBytes: 64 * 1024 }
const startLimitMs = 10_000

/** Returns the configuration of Debian's Exim as the tool that `host.applyEdit` uses. */
export function configTool(parts: EximParts): EditedTool {
  const { host } = parts
  return {
    name: 'exim',
    kind: 'edited',
    path: configPath,
    checkCommand: ['update-exim4.conf', '--check'],
    assertAvailable: async () => {
      const obstacle = await findObstacle(host)
      if (obstacle !== undefined) throw Unavailable(obstacle)
    },
    check: (candidatePath) => check(host, candidatePath),
    activate: () => activate(parts),
    isServed: () => isServed(parts),
  }
}

/** Returns why the panel cannot configure this Exim; undefined if it can. */
export async function findObstacle({ files }: Pick<Host, 'files'>): Promise<string | undefined> {
  if ((await files.facts('/usr/sbin/update-exim4.conf')) === undefined)
    return 'Exim is not installed from the packages of Debian'
  if ((await files.facts(configPath)) === undefined)
    return `${configPath} does not exist: reconfigure the package exim4-config`
  if ((await files.facts(ownConfigPath)) !== undefined)
    return `Exim is configured by ${ownConfigPath}, which the panel does not change`
  return undefined
}

/** Generates the configuration from the candidate, mounted at the path of the file, and lets Exim check it. */
async function check({ run, files }: Host, candidatePath: string): Promise<string | undefined> {
  const asRoot = process.getuid?.() === 0 ? ['--cap-add', 'ALL'] : []
  const mounted = ['--dev-bind', '/', '/', ...asRoot, '--ro-bind', candidatePath, files.real(configPath)]
  const { code, stdout, stderr } = await run(
    ['bwrap', '--die-with-parent', ...mounted, '--', 'update-exim4.conf', '--check'],
    limits,
  )
  if (code === 127)
    throw Unavailable('bubblewrap, which is needed to check the configuration, is not installed')
  if (/^bwrap: /m.test(stderr))
    throw Unavailable(`the configuration of Exim cannot be checked on this host: ${stderr.trim()}`)
  return code === 0 ? undefined : messageOf({ code, stdout, stderr })
}

/** Programs that send mail use what is generated at once; the daemon is restarted. */
async function activate(parts: EximParts): Promise<Activation> {
  const { host, daemon, service } = parts
  const generated = await host.run(['update-exim4.conf'], limits)
  if (generated.code !== 0)
    return { outcome: 'refused', message: `update-exim4.conf: ${messageOf(generated)}` }
  const before = await daemon.startedAt()
  await forgetStarts(host, service)
  if (before === undefined) return startIfWanted(parts)
  await host.services.act(service, 'restart')
  const hasStarted = async () => {
    const now = await daemon.startedAt()
    return now !== undefined && now > before ? true : undefined
  }
  const isLive = await poll(hasStarted, { limitMs: startLimitMs, everyMs: 20 })
  return isLive
    ? { outcome: 'live', message: '' }
    : { outcome: 'refused', message: `${service} did not start: its log is ${logPath}` }
}

/** systemd stops a service that is restarted for the sixth time in ten seconds, and does not start it again. */
async function forgetStarts({ run, services }: Host, service: string): Promise<void> {
  if ((await services.detect()).kind !== 'systemd') return
  await run(['systemctl', 'reset-failed', '--', `${service}.service`], limits)
}

/** Mail is sent without the daemon too, so that one that cannot start, such as for a port in use, refuses nothing. */
async function startIfWanted({
  host: { services },
  service,
}: Pick<EximParts, 'host' | 'service'>): Promise<Activation> {
  try {
    if (!(await services.isStoppedOnPurpose(service))) await services.start(service)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === ServiceFailed)) throw error
  }
  return { outcome: 'live', message: '' }
}

async function isServed({ host: { files }, daemon }: EximParts): Promise<boolean> {
  if ((await files.facts(generatedPath)) === undefined) return false
  if (!(await isOlder(files, configPath, await changedAt(files, generatedPath)))) return false
  const startedAt = await daemon.startedAt()
  return startedAt === undefined || (await isOlder(files, configPath, startedAt))
}

const messageOf = ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }): string =>
  (stderr.trim() || stdout.trim() || `exit status ${code}`).slice(0, 2000)
