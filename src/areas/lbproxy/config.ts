import type { Caller } from '../../core/caller.ts'
import { type Change, change, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { digestOf } from '../../host/files.ts'
import {
  type ConfigEdit,
  editText,
  maskConfig,
  powersGained,
  unmaskConfig,
} from '../../tools/haproxy/index.ts'
import type { Lbproxy } from './context.ts'
import { NeedsSuperuser } from './problems.ts'
import type { Lock } from '../../core/lock.ts'
import { configLock, sectionLock } from './locks.ts'

/** The live configuration, with the revision that If-Match names. */
export interface LiveConfig {
  readonly text: string
  readonly revision: number
}

/** Reads the live configuration; throws if HAProxy is not installed. */
export async function liveConfig({ haproxy }: Lbproxy): Promise<LiveConfig> {
  const found = await haproxy.detect()
  if (!found.present) throw Unavailable(found.reason ?? undefined)
  const text = await haproxy.readConfig()
  return { text, revision: Number.parseInt(digestOf(text).slice(0, 12), 16) + 1 }
}

/** Plans a change of one section: applied to the present text first, which yields the reply. */
export function editChange<Reply>(
  { haproxy }: Lbproxy,
  live: LiveConfig,
  edit: ConfigEdit,
  parts: {
    readonly summary: string
    readonly locks?: readonly Lock[]
    readonly reply: (text: string) => Reply
  },
): Change<Reply> {
  const text = editText(live.text, edit)
  return change({
    summary: parts.summary,
    locks: [sectionLock(edit.name), ...(parts.locks ?? [])],
    steps: [step(haproxy.steps.editConfig, edit)],
    reply: parts.reply(text),
  })
}

/** Returns the configuration as text; its passwords are hidden unless `reveals`. */
export async function readConfig(on: Lbproxy, reveals: boolean) {
  const { text, revision } = await liveConfig(on)
  return { path: on.haproxy.layout.configPath, content: reveals ? text : maskConfig(text), revision }
}

/** Replaces the configuration; passwords that are hidden in `content` keep their values. */
export function writeConfig(
  on: Lbproxy,
  live: LiveConfig,
  { content, caller }: { readonly content: string; readonly caller: Caller },
): Change<{ success: true }> {
  const wanted = unmaskConfig(content, live.text)
  refuseGainedPowers(on, { present: live.text, wanted }, caller)
  return change({
    summary: 'Replace the configuration of the load balancer',
    locks: [configLock],
    steps: [step(on.haproxy.steps.writeConfig, { content: wanted, over: digestOf(live.text) })],
    reply: success,
  })
}

/** Decision 3.20: the permission never amounts to root. */
export function refuseGainedPowers(
  { haproxy: { layout } }: Lbproxy,
  { present, wanted }: { readonly present: string; readonly wanted: string },
  caller: Caller,
): void {
  if (caller.user.isAdmin) return
  const gained = powersGained(present, wanted, layout.certificatesDirectory)
  if (gained.length > 0)
    throw NeedsSuperuser(`Only a superuser may change this: ${gained.slice(0, 5).join(' | ').slice(0, 1000)}`)
}
