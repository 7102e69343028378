import { type Change, change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { from } from '../../core/returned.ts'
import type { Partner } from './context.ts'
import type { ActivatedTrial, PartnerStatus } from './model.ts'
import { isConfigured } from './partner-api.ts'
import { AlreadyActivated, BuildMisconfigured } from './problems.ts'
import { type TrialRow, trials } from './store.ts'

const trialLock = singleLock('aipartner')
const dayMs = 86_400_000

/** True if a trial has ended by itself. */
export const isOver = ({ expires_at: end }: Pick<TrialRow, 'expires_at'>, now: Date): boolean =>
  Date.parse(end) <= now.getTime()

/** Decides to activate the trial of this host, once: one that has ended or was blocked is not replaced. */
export async function activateTrial(
  { queries, server, activate }: Partner,
  now: Date,
): Promise<Change<ActivatedTrial>> {
  const known = await queries.trial()
  if (known !== undefined) {
    const { expires_at, activated_at, is_blocked } = known
    throw AlreadyActivated(`The trial of this host was activated at ${activated_at}`, {
      fields: { trial: { expires_at, activated_at, blocked: is_blocked === 1 } },
    })
  }
  if (!isConfigured(server)) throw BuildMisconfigured()
  const activating = step(activate, null)
  const row = trials.row({
    id: 1,
    sealed_token: from(activating, 'sealed_token'),
    socket_url: from(activating, 'socket_url'),
    activated_at: now.toISOString(),
    expires_at: from(activating, 'expires_at'),
    is_blocked: from(activating, 'is_blocked'),
    blocked_message: from(activating, 'blocked_message'),
  })
  return change({
    summary: 'Activate the trial of the AI partner',
    locks: [trialLock],
    steps: [activating],
    rows: [trials.insert(row)],
    reply: {
      activated: true as const,
      expires_at: from(activating, 'expires_at'),
      reused: from(activating, 'reused'),
    },
  })
}

/** Reads whether there is a trial, how long it lasts, and what is known of its bot; asks nobody. */
export async function readStatus({ queries, server }: Partner, now: Date): Promise<PartnerStatus> {
  const [trial, channel] = await Promise.all([queries.trial(), queries.channel()])
  const build_ok = isConfigured(server)
  if (trial === undefined) return { build_ok, activated: false }
  const { expires_at, activated_at, is_blocked, blocked_message } = trial
  const leftMs = Date.parse(expires_at) - now.getTime()
  return {
    build_ok,
    activated: true,
    expires_at,
    activated_at,
    blocked: is_blocked === 1,
    ...(is_blocked === 1 && { blocked_message }),
    days_left: Math.min(100_000, Math.max(0, Math.ceil(leftMs / dayMs))),
    channel_a:
      channel === undefined
        ? { connected: false }
        : { connected: true, bot_username: channel.bot_username, enabled: channel.is_enabled === 1 },
  }
}
