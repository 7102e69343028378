import { Problem } from '../../core/problem.ts'
import { type PairingRequest, textAt } from '../../tools/openclaw/index.ts'
import type { Assistant } from './context.ts'
import type { AssistantStatus, Pairings } from './model.ts'
import { hasPanel } from './owned.ts'

const none = {
  set_up: false,
  version: null,
  running: false,
  ready: false,
  started_at: null,
  memory_bytes: null,
  model: null,
  hive: false,
  pairings: [],
}

/** Reads whether the assistant is set up, runs and answers, and which browsers wait to be admitted. */
export async function readStatus(on: Assistant): Promise<AssistantStatus> {
  const { tool, queries } = on
  const row = await queries.find()
  const version = await tool.currentVersion()
  if (row === undefined || version === undefined) return { ...none, reason: null }
  const { active, started_at, memory_bytes } = await tool.serviceState()
  const { isOk: ready, detail } = active ? await tool.probeReady() : { isOk: false, detail: 'It is stopped' }
  const configured = await attempt(() => tool.readConfig())
  const devices = ready ? await attempt(() => tool.listDevices()) : { value: [], reason: null }
  return {
    set_up: true,
    version,
    running: active,
    ready,
    started_at,
    memory_bytes,
    model: textAt(configured.value ?? undefined, 'agents.defaults.model.primary') ?? null,
    hive: hasPanel(configured.value) && (await on.keys.isValid(row.mcp_key_id)),
    pairings: (devices.value ?? []).map(showPairing),
    reason: configured.reason ?? devices.reason ?? (ready ? null : detail),
  }
}

/** Shows a request for admission. */
export const showPairing = ({
  request,
  account,
  sender,
  createdAtMs,
}: PairingRequest): Pairings['pairings'][number] => ({
  request,
  account,
  sender,
  created_at: showTime(createdAtMs),
})

/** Shows a time in milliseconds; null if it is not known, or no time. */
export function showTime(ms: number | undefined): string | null {
  const date = new Date(ms ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Returns a value, or the reason why the assistant did not give it; any other failure is a bug. */
export async function attempt<Value>(
  read: () => Promise<Value>,
): Promise<{ readonly value: Value | undefined; readonly reason: string | null }> {
  try {
    return { value: await read(), reason: null }
  } catch (error) {
    if (error instanceof Problem) return { value: undefined, reason: error.message }
    throw error
  }
}
