import { isMasked, mask } from '../../core/secret.ts'
import {
  type Config,
  quotedValue,
  textAt,
  type Variables,
  valueAt,
  withValue,
} from '../../tools/openclaw/index.ts'
import type { Credentials, Provider } from './model.ts'
import { CredentialInvalid } from './problems.ts'

/** The variables from which OpenClaw takes the keys of the providers. */
const variableOf: Readonly<Record<Provider, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  google: 'GEMINI_API_KEY',
  deepseek: 'DEEPSEEK_API_KEY',
  groq: 'GROQ_API_KEY',
  custom: 'CUSTOM_API_KEY',
}

export const providers = ['anthropic', 'openai', 'google', 'deepseek', 'groq', 'custom'] as const

/** The variable by which the assistant signs in to the panel. */
export const panelKeyVariable = 'HOSTREEVE_MCP_KEY'
/** The variables of the tokens of the channels. */
export const channelVariables = { a: 'TELEGRAM_BOT_TOKEN', b: 'DISCORD_BOT_TOKEN' } as const

/** The variables that are not entries of the vault. */
export const ownVariables: ReadonlySet<string> = new Set([
  ...Object.values(variableOf),
  ...Object.values(channelVariables),
  panelKeyVariable,
])

const urlPath = 'models.providers.custom.baseUrl'
const customKeyPath = 'models.providers.custom.apiKey'

/** Shows the keys that are stored, and the address of the custom provider; the surface masks the keys. */
export function shownCredentials(config: Config | undefined, variables: Variables): Credentials {
  const keys = providers.flatMap((provider) => {
    const key = variables[variableOf[provider]]
    return key === undefined ? [] : [[provider, key] as const]
  })
  const url = textAt(config, urlPath)
  return { ...Object.fromEntries(keys), ...(url !== undefined && { custom_base_url: url }) }
}

/** Returns the variables with the keys of a request: an empty one removes it, a masked one keeps it. */
export function withKeys(
  variables: Variables,
  given: Readonly<Partial<Record<Provider, string | undefined>>>,
  prefix = '',
): Variables {
  const next: Record<string, string> = { ...variables }
  for (const provider of providers) {
    const key = given[provider]
    const variable = variableOf[provider]
    if (key === '') delete next[variable]
    else if (key !== undefined)
      next[variable] = assertKey(
        `${prefix}${provider}`,
        storedOr(`${prefix}${provider}`, key, variables[variable]),
      )
  }
  return next
}

/** Returns a secret of a request, or the stored one where that is what its mask stands for. */
export function storedOr(field: string, given: string, stored: string | undefined): string {
  if (!isMasked(given)) return given
  if (stored === undefined || (given !== '********' && given !== mask(stored)))
    throw CredentialInvalid(
      `${field}: is a mask that does not stand for the stored secret: write the secret itself`,
    )
  return stored
}

/** Returns the secret, or fails unless it is one line that can be written to a file of variables. */
export function assertKey(field: string, value: string): string {
  if (quotedValue(value) === undefined)
    throw CredentialInvalid(`${field}: must be one line, without all of ' \` and " in it`)
  return value
}

/** Returns the configuration with the address of the custom provider; an empty one removes the provider. */
export function withCustomUrl(config: Config, url: string, field = 'custom_base_url'): Config {
  if (url === '') return withValue(config, 'models.providers.custom', undefined)
  assertUrl(field, url)
  const described = withValue(
    withValue(config, urlPath, url),
    'models.providers.custom.api',
    'openai-completions',
  )
  const keyed = withValue(described, customKeyPath, `\${${variableOf.custom}}`)
  return withValue(keyed, 'models.mode', 'merge')
}

/** Returns the configuration that names the key of the custom provider where there is one, as an absent variable stops OpenClaw. */
export function withCustomKey(config: Config, key: string | undefined): Config {
  if (key === undefined || valueAt(config, 'models.providers.custom') === undefined) return config
  const named = key === '' ? undefined : `\${${variableOf.custom}}`
  return valueAt(config, customKeyPath) === named ? config : withValue(config, customKeyPath, named)
}

/** Fails unless it is the address of an HTTP server, without a password in it. */
function assertUrl(field: string, url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (
    parsed === undefined ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== '' ||
    parsed.password !== '' ||
    url.includes('${') // a variable, which may be another secret
  )
    throw CredentialInvalid(`${field}: must be an address such as https://models.example.com/v1`)
}

/** Returns the configuration in which the agents use a model of a provider. */
export function withModel(config: Config, provider: Provider, model: string): Config {
  const chosen = withValue(config, 'agents.defaults.model.primary', `${provider}/${model}`)
  if (provider !== 'custom') return chosen
  return withValue(chosen, 'models.providers.custom.models', [
    {
      id: model,
      name: model,
      reasoning: false,
      input: ['text'],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 120_000,
      maxTokens: 4096,
    },
  ])
}
