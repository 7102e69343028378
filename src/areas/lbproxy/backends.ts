import type { Change } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { backendNamed, backendsOf, parseConfig } from '../../tools/haproxy/index.ts'
import { partsOf, showBackend } from './backend-form.ts'
import { editChange, type LiveConfig } from './config.ts'
import type { Lbproxy } from './context.ts'
import type { Backend, BackendDraft, BackendEdit, DuplicateDraft } from './model.ts'
import { NoSuchBackend } from './problems.ts'

/** Lists the backends with the states that HAProxy reports; none if it is not installed. */
export async function listBackends({ haproxy, reconcileServerStates }: Lbproxy): Promise<Backend[]> {
  const found = await haproxy.detect()
  if (!found.present) return []
  await reconcileServerStates()
  const [text, statuses] = await Promise.all([haproxy.readConfig(), haproxy.statuses()])
  return backendsOf(parseConfig(text)).map((view) => showBackend(view, statuses))
}

/** Adds a backend. */
export function createBackend(on: Lbproxy, live: LiveConfig, draft: BackendDraft): Change<Backend> {
  const { name, mode, balance, ...more } = draft
  const edit = { do: 'add-backend', name, mode, balance, parts: partsOf(more) } as const
  return editChange(on, live, edit, {
    summary: `Add the backend ${name}`,
    reply: (text) => backendIn(text, name),
  })
}

/** Changes the given parts of a backend. */
export function editBackend(
  on: Lbproxy,
  live: LiveConfig,
  { name, draft }: { readonly name: string; readonly draft: BackendEdit },
): Change<Backend> {
  const edit = { do: 'edit-backend', name, parts: partsOf(draft) } as const
  return editChange(on, live, edit, {
    summary: `Change the backend ${name}`,
    reply: (text) => backendIn(text, name),
  })
}

/** Removes a backend and the wanted states of its servers. */
export function deleteBackend(on: Lbproxy, live: LiveConfig, name: string): Change<{ success: true }> {
  const edited = editChange(
    on,
    live,
    { do: 'remove-backend', name },
    { summary: `Remove the backend ${name}`, reply: () => success },
  )
  return { ...edited, rows: [on.states.forgetBackend(name)] }
}

/** Copies a backend; its servers get another port. */
export function duplicateBackend(on: Lbproxy, live: LiveConfig, draft: DuplicateDraft): Change<Backend> {
  const { source, name, port } = draft
  const found = backendNamed(parseConfig(live.text), source)
  if (found === undefined || (found.servers.length === 0 && !found.namesMode))
    throw NoSuchBackend(`source: there is no backend ${source} with servers or a mode`)
  const edit = { do: 'duplicate-backend', source, name, port: port || 80 } as const
  return editChange(on, live, edit, {
    summary: `Copy the backend ${source} as ${name}`,
    reply: (text) => backendIn(text, name),
  })
}

/** Returns a backend from a configuration that contains it. */
export const backendIn = (text: string, name: string): Backend =>
  showBackend(backendNamed(parseConfig(text), name)!)
