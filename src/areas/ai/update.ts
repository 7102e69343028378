import Type, { type Static } from 'typebox'
import { type Change, change, type Step, step } from '../../core/change.ts'
import { Optional, Text } from '../../core/schemas.ts'
import { defaultVersion, isVersion } from '../../tools/openclaw/index.ts'
import { type Assistant, assistantLock, work } from './context.ts'
import { isRunning, loadAssistant, restartSteps } from './edit.ts'
import { Done, type UpdateStatus } from './model.ts'
import { UpdatingAlready, VersionInvalid } from './problems.ts'
import { installationSteps, settingUpKind } from './setup.ts'

const Updating = Type.Object({ version: Optional(Text(40)) })

/** Checks the version that a request names. */
export function draftUpdate({ version }: Static<typeof Updating>): Static<typeof Updating> {
  if (version === undefined) return {}
  if (!isVersion(version)) throw VersionInvalid(`version: must be a version such as ${defaultVersion}`)
  return { version }
}

/** Installs another version of OpenClaw in the place of the one in use; one that does not become ready is left again. */
export const updating = work({
  kind: 'ai.update',
  input: Updating,
  reply: Done,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  single: UpdatingAlready,
  decide: ({ input, ai }) => update(ai, input.version),
})

async function update(on: Assistant, asked: string | undefined): Promise<Change<Static<typeof Done>>> {
  await loadAssistant(on)
  const { tool } = on
  const former = await tool.currentVersion()
  const text = await tool.readConfigText()
  const isUp = await isRunning(on)
  const version = asked ?? (await tool.newestVersion())
  if (!isVersion(version))
    throw VersionInvalid(`npm offers the version ${version.slice(0, 40)}: name another one`)
  if (former === version)
    return change({
      summary: `OpenClaw ${version} is in use`,
      locks: [assistantLock],
      reply: { message: `OpenClaw ${version} is in use already` },
    })
  return change({
    summary: `Update OpenClaw to ${version}`,
    locks: [assistantLock],
    steps: [
      ...(isUp ? [step(tool.steps.restartOnUndo, null)] : []),
      ...(await installationSteps(on, version)),
      step(tool.steps.writeUnit, { version }),
      ...pluginSteps(on, text, { former, version }),
      ...(isUp ? restartSteps(on) : []),
      ...(former === undefined ? [] : [step(tool.steps.removeRelease, { version: former })]),
    ],
    reply: { message: `OpenClaw was updated${former === undefined ? '' : ` from ${former}`} to ${version}` },
  })
}

interface Moved {
  readonly former: string | undefined
  readonly version: string
}

/** The step that names the folder of the new version where the configuration names that of the former one. */
function pluginSteps(
  { tool }: Assistant,
  text: string | undefined,
  { former, version }: Moved,
): readonly Step[] {
  const content = text?.replaceAll(`/versions/${former}/`, `/versions/${version}/`)
  return content === undefined || content === text ? [] : [step(tool.steps.writeConfig, { content })]
}

/** Returns the version in use, and the state of the last setup or update. */
export async function readUpdate({ queries, tool }: Assistant): Promise<UpdateStatus> {
  const last = await queries.lastJob([updating.kind, settingUpKind])
  return {
    version: (await tool.currentVersion()) ?? null,
    running: last !== undefined && last.finished_at === null,
    job: last?.id ?? null,
    state: last?.state ?? null,
    message: last?.message ?? null,
  }
}
