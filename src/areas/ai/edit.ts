import { type Change, change, type RowWrite, type Step, step } from '../../core/change.ts'
import {
  type Config,
  NotConfigured,
  renderConfig,
  renderEnvironment,
  type Variables,
} from '../../tools/openclaw/index.ts'
import { type Assistant, assistantLock } from './context.ts'
import { withOwned } from './owned.ts'
import { type AssistantRow, configVersions } from './store.ts'

/** How many former configurations are kept. */
const mostVersions = 20

/** A change of what the assistant reads when it starts. */
interface Edit<Reply> {
  readonly summary: string
  /** Absent if it stays. */
  readonly config?: Config
  /** Absent if they stay. */
  readonly environment?: Variables
  /** True if the configuration has to change first, as it names variables that go. */
  readonly isShrinking?: boolean
  readonly steps?: readonly Step[]
  readonly rows?: readonly RowWrite[]
  readonly reply: Reply
}

/** Fails with 503 unless the assistant is set up; returns its row. */
export async function loadAssistant({ queries }: Assistant): Promise<AssistantRow> {
  const row = await queries.find()
  if (row === undefined) throw NotConfigured()
  return row
}

/** Returns the configuration, or fails with 503 if there is none. */
export async function loadConfig({ tool }: Assistant): Promise<Config> {
  const config = await tool.readConfig()
  if (config === undefined) throw NotConfigured()
  return config
}

/** Changes what the assistant reads when it starts, keeps the former configuration, and restarts it if it runs. */
export async function editAssistant<Reply>(
  on: Assistant,
  { summary, config, environment, isShrinking = false, steps = [], rows = [], reply }: Edit<Reply>,
  now: Date,
): Promise<Change<Reply>> {
  await loadAssistant(on)
  const { writeSettings, writeConfig, restartOnUndo } = on.tool.steps
  const isUp = await isRunning(on)
  const secrets =
    environment === undefined
      ? []
      : [step(writeSettings, { file: 'environment', content: renderEnvironment(environment) })]
  const configuration =
    config === undefined
      ? []
      : [step(writeConfig, { content: renderConfig(withOwned(on, config, await on.tool.readConfig())) })]
  return change({
    summary,
    locks: [assistantLock],
    steps: [
      ...(isUp ? [step(restartOnUndo, null)] : []),
      ...(isShrinking ? [...configuration, ...secrets] : [...secrets, ...configuration]),
      ...steps,
      ...(isUp ? restartSteps(on) : []),
    ],
    rows: [...(config === undefined ? [] : await keptVersion(on, now)), ...rows],
    reply,
  })
}

/** True if the service of the assistant runs. */
export async function isRunning({ tool }: Assistant): Promise<boolean> {
  if ((await tool.currentVersion()) === undefined) return false
  return (await tool.serviceState()).active
}

/** The steps that restart the assistant, and wait until it is ready. */
export const restartSteps = ({ tool: { steps } }: Assistant): readonly Step[] => [
  step(steps.switchProgram, { verb: 'restart' }),
  step(steps.awaitReady, null),
]

/** The writes that keep the present configuration as a version, and remove the oldest ones. */
async function keptVersion({ store, queries, tool }: Assistant, now: Date): Promise<readonly RowWrite[]> {
  const text = await tool.readConfigText()
  if (text === undefined) return []
  const surplus = (await queries.versions()).slice(mostVersions - 1)
  const row = configVersions.row({
    id: store.nextId(configVersions.name),
    content: store.seal(text),
    size_bytes: Buffer.byteLength(text),
    created_at: now.toISOString(),
  })
  return [configVersions.insert(row), ...surplus.map(({ id }) => configVersions.delete({ id }))]
}
