import { type Change, change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { BadRequest, Problem } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import type { Partner } from './context.ts'
import { gatewayLock, installing } from './install-gateway.ts'
import type { PartnerGatewayInstalling, PartnerGatewayStatus } from './model.ts'
import { readAgent } from './partner-api.ts'
import { AlreadyInstalled, InstallRejected } from './problems.ts'
import { gateways } from './store.ts'

const title = 'Install the gateway of the AI partner'
const requestLock = singleLock('aipartner-gateway-request')
const begun = new Set(['queued', 'running'])

interface Asking {
  readonly token: string
  readonly userId: number
  readonly signal: AbortSignal
}

/** Decides to install the gateway that a token belongs to; the work follows as a job. */
export async function installGateway(
  on: Partner,
  { token: typed, userId, signal }: Asking,
): Promise<Change<PartnerGatewayInstalling>> {
  const token = typed.trim()
  if (token === '') throw BadRequest('token: is required: the partner shows it beside the gateway')
  if (!/^[!-~]+$/.test(token)) throw BadRequest('token: must be the token of the gateway, without spaces')
  await assertAbsent(on)
  const { present, reason } = await on.pm2.detect()
  if (!present) throw InstallRejected(reason ?? undefined)
  const offer = await readAgent(on.server, token, signal)
  if ('refusal' in offer) throw InstallRejected(`token: ${offer.refusal}`)
  const { version, url, sha256 } = offer
  return change({
    summary: title,
    // not the lock of the work, which would make the second of two requests wait for the whole installation
    locks: [requestLock],
    details: [`The version ${version}, from ${url}`],
    jobs: [{ kind: installing.kind, input: { token, version, url, sha256 }, ownerId: userId, title }],
    reply: ({ jobIds: [job_id = 0] }) => ({
      installing: true as const,
      message: `The gateway ${version} is being installed: read its status with include_log=1`,
      job_id,
    }),
  })
}

async function assertAbsent({ queries }: Partner): Promise<void> {
  const gateway = await queries.gateway()
  if (gateway !== undefined)
    throw AlreadyInstalled(`The gateway ${gateway.version} is installed: remove it first`)
  const job = await queries.lastJob(installing.kind)
  if (job !== undefined && begun.has(job.state)) throw AlreadyInstalled('The gateway is being installed')
}

/** Decides to restart or stop the gateway. */
export function switchGateway(
  { pm2 }: Partner,
  verb: 'restart' | 'stop',
): Change<{ readonly output: string }> {
  const switching = step(pm2.steps.switchProcess, { verb })
  return change({
    summary: verb === 'restart' ? 'Restart the gateway' : 'Stop the gateway',
    locks: [gatewayLock],
    steps: [switching],
    reply: { output: from(switching, 'output') },
  })
}

/** Decides to remove the gateway with its account. */
export function removeGateway({
  pm2,
}: Partner): Change<{ readonly output: string; readonly uninstalled: true }> {
  const removing = step(pm2.steps.removeProgram, null)
  return change({
    summary: 'Remove the gateway of the AI partner',
    locks: [gatewayLock],
    steps: [removing],
    rows: [gateways.delete({ id: 1 })],
    reply: { output: from(removing, 'output'), uninstalled: true as const },
  })
}

/** Reads whether the gateway is installed and runs, and how its installation went. */
export async function readGateway(on: Partner, withLog: boolean): Promise<PartnerGatewayStatus> {
  const { queries } = on
  const [gateway, job] = await Promise.all([queries.gateway(), queries.lastJob(installing.kind)])
  const logged = withLog && job !== undefined ? await queries.logOf(job.id) : undefined
  const log = logged === undefined ? {} : { install_log: logged.join('\n').slice(-200_000) }
  if (gateway !== undefined)
    return {
      installed: true,
      install_status: 'installed',
      installed_at: gateway.installed_at,
      ...(await readRunning(on)),
      ...log,
    }
  if (job === undefined || job.state === 'succeeded') return { installed: false }
  if (begun.has(job.state)) return { installed: false, install_status: 'installing', ...log }
  const last_error = (job.error ?? `The installation was ${job.state}`).slice(0, 4000)
  return { installed: false, install_status: 'failed', last_error, ...log }
}

/** What PM2 tells; where it fails, the rest of the status is still of use. */
async function readRunning({ pm2 }: Partner): Promise<Partial<PartnerGatewayStatus>> {
  try {
    const found = await pm2.readProcess()
    if (found === undefined) return { running: false, process_manager_status: 'not running' }
    const { id, status, startedAt, restarts, memoryBytes, cpuPercent } = found
    const running = status === 'online'
    return {
      running,
      ...(running && startedAt !== null && { uptime_ms: Math.max(0, Math.round(Date.now() - startedAt)) }),
      memory_bytes: memoryBytes,
      restart_count: restarts,
      cpu_percent: cpuPercent,
      pm_id: id,
      process_manager_status: status.slice(0, 100),
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { running: false, process_manager_status: 'unknown', last_error: error.message.slice(0, 4000) }
  }
}
