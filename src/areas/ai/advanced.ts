import { randomBytes } from 'node:crypto'
import { type Change, change, step } from '../../core/change.ts'
import { type Config, textAt, valueAt, withoutSecrets, withValue } from '../../tools/openclaw/index.ts'
import { keyRemoval } from '../mcp/index.ts'
import { type Assistant, assistantLock } from './context.ts'
import { editAssistant, loadAssistant, loadConfig, restartSteps } from './edit.ts'
import { gatewayConfig } from './owned.ts'
import { assistant } from './store.ts'

interface Output {
  readonly output: string
}

/** Empties all conversations. */
export async function clearSessions(on: Assistant): Promise<Change<Output>> {
  await loadAssistant(on)
  return change({
    summary: 'Clear all conversations of the assistant',
    locks: [assistantLock],
    steps: [step(on.tool.steps.clearSessions, { key: null })],
    reply: ({ results: [cleared] }) => ({
      output: `Cleared ${cleared.cleared} ${cleared.cleared === 1 ? 'conversation' : 'conversations'}`,
    }),
  })
}

/** Forgets every secret of the assistant, and its key of the panel; it gets a new token of its own. */
export async function purgeCredentials(on: Assistant, now: Date): Promise<Change<Output>> {
  const row = await loadAssistant(on)
  const stripped = withoutSecrets(await loadConfig(on))
  const token = randomBytes(32).toString('base64url')
  const config = withoutChannels(
    withValue(withValue(withValue(stripped, 'mcp', undefined), 'env', undefined), 'gateway.auth', {
      mode: 'token',
      token,
    }),
  )
  return editAssistant(
    on,
    {
      summary: 'Remove all credentials of the assistant',
      config,
      environment: {},
      isShrinking: true,
      rows: [
        ...(row.mcp_key_id === null ? [] : [keyRemoval(row.mcp_key_id)]),
        assistant.update(row, { mcp_key_id: null }),
      ],
      reply: {
        output:
          'The keys of the providers, the tokens of the channels, the vault and the key of the panel were removed. Former versions of the configuration still have what was written into them.',
      },
    },
    now,
  )
}

/** A channel without a token would keep the assistant from starting. */
function withoutChannels(config: Config): Config {
  const channels = ['telegram', 'discord'].filter((name) => valueAt(config, `channels.${name}`) !== undefined)
  return channels.reduce((next, name) => withValue(next, `channels.${name}.enabled`, false), config)
}

/** Goes back to the first configuration: its sign-in, its model and the providers stay, and its channels and the panel go. */
export async function resetConfig(on: Assistant, now: Date): Promise<Change<Output>> {
  const config = await loadConfig(on)
  const token = textAt(config, 'gateway.auth.token') ?? randomBytes(32).toString('base64url')
  const model = textAt(config, 'agents.defaults.model.primary')
  const { auth, models } = config
  const fresh: Config = {
    ...gatewayConfig(on, token),
    ...(auth !== undefined && { auth }),
    ...(models !== undefined && { models }),
    channels: {},
  }
  return editAssistant(
    on,
    {
      summary: 'Reset the configuration of the assistant',
      config: model === undefined ? fresh : withValue(fresh, 'agents.defaults.model.primary', model),
      reply: {
        output:
          'The configuration is as after the setup, without channels and without the panel: connect it again. The former one is the newest version.',
      },
    },
    now,
  )
}

/** Restarts the gateway. */
export async function restartGateway(on: Assistant): Promise<Change<Output>> {
  await loadAssistant(on)
  const version = await on.tool.currentVersion()
  return change({
    summary: 'Restart the gateway of the assistant',
    locks: [assistantLock],
    steps: restartSteps(on),
    reply: { output: `Restarted. OpenClaw ${version ?? ''} runs and is ready on port ${on.tool.port}` },
  })
}
