import { type Change, change, step } from '../../core/change.ts'
import { channelPluginPath, type Config, isRecord, valueAt, withValue } from '../../tools/openclaw/index.ts'
import type { Channel, ChannelDraft } from './channel-model.ts'
import { type Assistant, assistantLock } from './context.ts'
import { editAssistant, loadAssistant, loadConfig } from './edit.ts'
import type { PairingApproval, Pairings } from './model.ts'
import { ChannelIncomplete } from './problems.ts'
import { assertKey, channelVariables, storedOr } from './providers.ts'
import { attempt, showPairing } from './status.ts'

/** The channels of the contract, as OpenClaw names them. */
const channels = {
  a: { name: 'telegram', title: 'Telegram', tokenField: 'botToken' },
  b: { name: 'discord', title: 'Discord', tokenField: 'token' },
} as const

export type ChannelName = keyof typeof channels

const policies = ['pairing', 'allowlist', 'disabled'] as const

/** Returns the settings of a channel; those of one that was never set up are the defaults. */
export async function readChannel({ tool }: Assistant, channel: ChannelName): Promise<Channel> {
  const found = valueAt(await tool.readConfig(), `channels.${channels[channel].name}`)
  const settings: Config = isRecord(found) ? found : {}
  const token = (await tool.readEnvironment())[channelVariables[channel]]
  const { enabled, dmPolicy, allowFrom } = settings
  return {
    enabled: enabled === true,
    ...(token !== undefined && { token }),
    dm_policy: policies.find((policy) => policy === dmPolicy) ?? 'pairing',
    allow_from: Array.isArray(allowFrom) ? allowFrom.map(String).slice(0, 500) : [],
  }
}

/** Sets up a channel, or switches it off. */
export async function replaceChannel(
  on: Assistant,
  channel: ChannelName,
  draft: ChannelDraft,
  now: Date,
): Promise<Change<{ success: true }>> {
  const { title } = channels[channel]
  const variable = channelVariables[channel]
  const stored = await on.tool.readEnvironment()
  const token =
    draft.token === undefined || draft.token === ''
      ? stored[variable]
      : assertKey('token', storedOr('token', draft.token, stored[variable]))
  if (draft.enabled && token === undefined)
    throw ChannelIncomplete(`token: must be the token of the bot on ${title}`)
  const version = await on.tool.currentVersion()
  return editAssistant(
    on,
    {
      summary: draft.enabled
        ? `Have the assistant answer on ${title}`
        : `Switch ${title} of the assistant off`,
      config: withChannel(await loadConfig(on), channel, draft, version),
      ...(token !== undefined && { environment: { ...stored, [variable]: token } }),
      reply: { success: true },
    },
    now,
  )
}

function withChannel(
  config: Config,
  channel: ChannelName,
  { enabled, dm_policy, allow_from }: ChannelDraft,
  version: string | undefined,
): Config {
  const { name, tokenField } = channels[channel]
  const former = valueAt(config, `channels.${name}`)
  const settings: Config = isRecord(former) ? former : {}
  const { [tokenField]: _token, ...others } = settings
  const next = withValue(config, `channels.${name}`, {
    ...others,
    enabled,
    dmPolicy: dm_policy,
    allowFrom: allow_from,
    // a channel that is off names no variable, which may be gone
    ...(enabled && { [tokenField]: `\${${channelVariables[channel]}}` }),
  })
  if (channel === 'a' || !enabled || version === undefined) return next
  return withValue(next, 'plugins.load.paths', [channelPluginPath(version)])
}

/** Lists the senders of a channel that wait to be admitted, or tells why they are not known. */
export async function listPairings({ tool }: Assistant, channel: ChannelName): Promise<Pairings> {
  const { value, reason } = await attempt(() => tool.listPairings(channels[channel].name))
  return { pairings: (value ?? []).map(showPairing), reason }
}

/** Admits a sender of a channel, or a browser to the console. */
export async function approvePairing(
  on: Assistant,
  channel: ChannelName | 'console',
  { request, account }: PairingApproval,
): Promise<Change<{ success: true }>> {
  await loadAssistant(on)
  const name = channel === 'console' ? null : channels[channel].name
  return change({
    summary: `Admit the request ${request} of ${channel === 'console' ? 'a browser' : channels[channel].title} to the assistant`,
    locks: [assistantLock],
    steps: [step(on.tool.steps.approvePairing, { channel: name, account, request })],
    reply: { success: true },
  })
}
