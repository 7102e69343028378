import { type Change, change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { BadRequest } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import { isMasked } from '../../core/secret.ts'
import { isOver } from './activate.ts'
import { maskedBot } from './channel-step.ts'
import type { Partner } from './context.ts'
import type { PartnerChannel, PartnerChannelEdit } from './model.ts'
import { type Bot, readBot } from './partner-api.ts'
import { NotActivated } from './problems.ts'
import { channelA } from './store.ts'

const channelLock = singleLock('aipartner-channel')

interface Active {
  readonly source: 'gateway' | 'trial'
  readonly sealed_token: string
}

/** The token by which the bot is configured: that of the gateway, or of a trial that has not ended. */
async function activeToken({ queries }: Partner, now: Date): Promise<Active | undefined> {
  const gateway = await queries.gateway()
  if (gateway !== undefined) return { source: 'gateway', sealed_token: gateway.sealed_token }
  const trial = await queries.trial()
  if (trial === undefined || isOver(trial, now)) return undefined
  return { source: 'trial', sealed_token: trial.sealed_token }
}

/** The time and the signal of a request. */
interface At {
  readonly now: Date
  readonly signal: AbortSignal
}

/** Reads the bot from the partner. */
export async function readChannel(on: Partner, { now, signal }: At): Promise<PartnerChannel> {
  const active = await activeToken(on, now)
  if (active === undefined) return { connected: false, source: 'none' }
  const bot = await readBot(on.server, on.store.unseal(active.sealed_token), signal)
  return shown(maskedBot(bot), active.source)
}

function shown(bot: Bot, source: PartnerChannel['source']): PartnerChannel {
  const { allowed_users: users } = bot
  return {
    ...bot,
    connected: (bot.channel_token ?? '') !== '',
    source,
    ...(users && { allowed_user_ids: users }),
  }
}

/** What a draft that leaves fields out means for them. */
const defaults: Bot = {
  enabled: true,
  allowed_users: [],
  allowed_groups: [],
  admin_users: [],
  mention_only: false,
}

/** Decides to replace the configuration of the bot. */
export const replaceChannel = (
  on: Partner,
  draft: PartnerChannelEdit,
  now: Date,
): Promise<Change<PartnerChannel>> => saveChannel(on, { ...defaults, ...botOf(draft) }, now)

/** Decides to change parts of the configuration of the bot. */
export const editChannel = (
  on: Partner,
  edit: PartnerChannelEdit,
  now: Date,
): Promise<Change<PartnerChannel>> => saveChannel(on, botOf(edit), now)

function botOf({ channel_token: token, allowed_user_ids: ids, ...rest }: PartnerChannelEdit): Bot {
  const bot = { ...rest, ...(ids && rest.allowed_users === undefined && { allowed_users: ids }) }
  if (token === undefined || isMasked(token)) return bot
  if (!/^[!-~]+$/.test(token)) throw BadRequest('channel_token: must be the token of a bot, without spaces')
  return { ...bot, channel_token: token }
}

async function saveChannel(on: Partner, bot: Bot, now: Date): Promise<Change<PartnerChannel>> {
  const active = await activeToken(on, now)
  if (active === undefined)
    throw NotActivated('There is no active trial and no gateway: activate the trial, or install the gateway')
  const former = await on.queries.channel()
  const setting = step(on.setChannel, { sealed_token: active.sealed_token, bot })
  const saved = {
    bot_username: from(setting, 'bot_username'),
    is_enabled: from(setting, 'is_enabled'),
  }
  return change({
    summary: 'Configure the bot of the AI partner',
    locks: [channelLock],
    steps: [setting],
    rows: [
      former === undefined
        ? channelA.insert(channelA.row({ id: 1, ...saved }))
        : channelA.update(former, saved),
    ],
    reply: ({ results: [result] }) => shown(result.bot, active.source),
  })
}

/** Decides to disable the bot at the partner, and to forget it; without an active token, only to forget it. */
export async function removeChannel(on: Partner, now: Date): Promise<Change<{ readonly connected: false }>> {
  const active = await activeToken(on, now)
  const bot = { channel_token: '' }
  return change({
    summary: 'Remove the bot of the AI partner',
    locks: [channelLock],
    steps: active === undefined ? [] : [step(on.setChannel, { sealed_token: active.sealed_token, bot })],
    rows: [channelA.delete({ id: 1 })],
    reply: { connected: false as const },
  })
}
