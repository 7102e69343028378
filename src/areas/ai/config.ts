import type { Change } from '../../core/change.ts'
import {
  type Config,
  maskedConfig,
  parseConfig,
  renderConfig,
  unmaskedConfig,
} from '../../tools/openclaw/index.ts'
import type { Assistant } from './context.ts'
import { editAssistant, loadConfig } from './edit.ts'
import type { AssistantConfig, ConfigDraft, ConfigVersions } from './model.ts'
import { hasPanel, withPanel } from './owned.ts'
import { InvalidJson } from './problems.ts'
import { shownCredentials, withCustomKey, withCustomUrl, withKeys } from './providers.ts'

const mostBytes = 512 * 1024
const deepest = 40

/** Returns the configuration with its secrets masked, and the keys of the providers; empty if there is none. */
export async function readConfig({ tool }: Assistant): Promise<AssistantConfig> {
  const config = (await tool.readConfig()) ?? {}
  return { config: maskedConfig(config), credentials: shownCredentials(config, await tool.readEnvironment()) }
}

/** Replaces the configuration, the keys of the providers, or both. */
export async function replaceConfig(
  on: Assistant,
  { config: given, credentials }: ConfigDraft,
  now: Date,
): Promise<Change<{ success: true }>> {
  const stored = await loadConfig(on)
  const { custom_base_url: url, ...keys } = credentials ?? {}
  const edited = given === undefined ? stored : unmaskedConfig(assertConfig(given), stored)
  const addressed = url === undefined ? edited : withCustomUrl(edited, url)
  const config = withCustomKey(addressed, keys.custom)
  const environment = withKeys(await on.tool.readEnvironment(), keys, 'credentials.')
  return editAssistant(
    on,
    {
      summary: 'Change the configuration of the assistant',
      ...(config !== stored && { config }),
      ...(credentials !== undefined && { environment }),
      reply: { success: true },
    },
    now,
  )
}

/** Returns the configuration of a request, or fails unless it is an object of a usual size. */
function assertConfig(given: Config): Config {
  if (depthOf(given) > deepest) throw InvalidJson(`config: is nested deeper than ${deepest} levels`)
  const bytes = Buffer.byteLength(renderConfig(given))
  if (bytes > mostBytes) throw InvalidJson(`config: has ${bytes} bytes: at most ${mostBytes} are accepted`)
  return given
}

/** How deeply a value is nested, without recursion: the value may be made to exhaust the stack. */
function depthOf(value: unknown): number {
  let level: readonly unknown[] = [value]
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    if (level.length === 0) return depth
  }
  return deepest + 1
}

/** Lists the former configurations, the newest first. */
export async function listVersions({ queries }: Assistant): Promise<ConfigVersions> {
  const rows = await queries.versions()
  return {
    versions: rows.map(({ id: version, size_bytes, created_at }) => ({ version, size_bytes, created_at })),
  }
}

/** Puts a former configuration in the place of the present one, which becomes a version too. */
export async function restoreVersion(
  on: Assistant,
  version: number,
  now: Date,
): Promise<Change<{ success: true }>> {
  const config = parseConfig(on.store.unseal((await on.queries.version(version)).content))
  return editAssistant(
    on,
    {
      summary: `Restore version ${version} of the configuration of the assistant`,
      config: hasPanel(config) ? withPanel(config, on) : config,
      reply: { success: true },
    },
    now,
  )
}
