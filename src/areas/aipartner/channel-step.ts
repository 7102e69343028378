import type { StepKind } from '../../core/change.ts'
import { mask } from '../../core/secret.ts'
import { finalStep, isSame } from '../../core/steps.ts'
import type { Seal } from '../../store/secrets.ts'
import { type Bot, type PartnerServer, readBot, writeBot } from './partner-api.ts'

export interface SetChannel {
  /** The token by which the partner is asked, as the store keeps it. */
  readonly sealed_token: string
  /** What is changed; an empty token of the bot disables it. */
  readonly bot: Bot
}

/** The bot as the partner answered, with its token masked. */
export interface SavedBot {
  readonly bot: Bot
  readonly bot_username: string
  readonly is_enabled: number
}

/** Makes the kind of step that configures the bot at the partner. */
export function setChannelStep({
  store,
  server,
}: {
  readonly store: Pick<Seal, 'unseal'>
  readonly server: PartnerServer
}): StepKind<SetChannel, null, SavedBot> {
  return finalStep<SetChannel, null, SavedBot>({
    name: 'aipartner.set-channel',
    plan: ({ bot }) => ({
      title:
        bot.channel_token === '' ? 'Remove the bot at the AI partner' : 'Configure the bot at the AI partner',
    }),
    why: 'the partner does not keep the former configuration',
    act: async ({ sealed_token, bot }, { signal }) => {
      const saved = await writeBot(server, { bearer: store.unseal(sealed_token), bot }, signal)
      return {
        bot: maskedBot(saved),
        bot_username: saved.bot_username ?? '',
        is_enabled: Number(saved.enabled ?? true),
      }
    },
    isDone: async ({ sealed_token, bot }) => {
      const signal = AbortSignal.timeout(20_000)
      const { channel_token: token = '', ...now } = await readBot(server, store.unseal(sealed_token), signal)
      const { channel_token: wanted, ...rest } = bot
      const known: Readonly<Record<string, unknown>> = now
      return (
        (wanted === undefined || (wanted === '') === (token === '')) &&
        Object.entries(rest).every(([name, value]) => isSame(known[name], value))
      )
    },
  })
}

/** The bot without its token in full. */
export const maskedBot = (bot: Bot): Bot =>
  bot.channel_token ? { ...bot, channel_token: mask(bot.channel_token) } : bot
