import { type Change, change, type Step, step } from '../../core/change.ts'
import { keyRemoval } from '../mcp/index.ts'
import { type Assistant, assistantLock } from './context.ts'
import { siteName } from './console.ts'
import { loadAssistant, restartSteps } from './edit.ts'
import { assistant, assistantId, configVersions } from './store.ts'

/** Restarts the assistant, or starts it if it is stopped. */
export async function restart(on: Assistant): Promise<Change<{ message: string }>> {
  await loadAssistant(on)
  return change({
    summary: 'Restart the assistant',
    locks: [assistantLock],
    steps: [step(on.tool.steps.switchProgram, { verb: 'enable' }), ...restartSteps(on)],
    reply: { message: 'The assistant was restarted' },
  })
}

/** Stops the assistant, also for the next start of the host. */
export async function stop(on: Assistant): Promise<Change<{ message: string }>> {
  await loadAssistant(on)
  const { switchProgram } = on.tool.steps
  return change({
    summary: 'Stop the assistant',
    locks: [assistantLock],
    steps: [step(switchProgram, { verb: 'stop' }), step(switchProgram, { verb: 'disable' })],
    reply: { message: 'The assistant is stopped' },
  })
}

/** Removes the assistant with its account, its memory, its secrets and its key of the panel. */
export async function destroy(on: Assistant): Promise<Change<{ message: string }>> {
  const row = await loadAssistant(on)
  const { tool, nginx, queries } = on
  const { steps } = tool
  const version = await tool.currentVersion()
  const versions = await queries.versions()
  return change({
    summary: 'Remove the assistant',
    locks: [assistantLock],
    steps: [
      ...(version === undefined ? [] : stopping(on)),
      ...(row.lan_port === null
        ? []
        : [step(nginx.steps.writeSites, { sites: [{ domain: siteName, content: null }], overwrite: true })]),
      step(steps.writeUnit, { version: null }),
      step(steps.writeConfig, { content: null }),
      step(steps.writeSettings, { file: 'environment', content: null }),
      step(steps.writeSettings, { file: 'certificate', content: null }),
      step(steps.removeAccount, null),
      ...(version === undefined ? [] : [step(steps.removeRelease, { version })]),
    ],
    rows: [
      ...(row.mcp_key_id === null ? [] : [keyRemoval(row.mcp_key_id)]),
      ...versions.map(({ id }) => configVersions.delete({ id })),
      assistant.delete({ id: assistantId }),
    ],
    reply: { message: 'The assistant was removed' },
  })
}

const stopping = ({ tool: { steps } }: Assistant): readonly Step[] => [
  step(steps.switchProgram, { verb: 'stop' }),
  step(steps.switchProgram, { verb: 'disable' }),
]
