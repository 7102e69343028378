import type { Change } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { backendNamed, backendsOf, type Haproxy, parseConfig } from '../../tools/haproxy/index.ts'
import { partsOf, showBackend } from './backend-form.ts'
import { editChange, type LiveConfig } from './config.ts'
import type { ReconcileServerStates } from './reconcile-states.ts'
import type { Backend, BackendDraft, BackendEdit } from './model.ts'
import { NoSuchBackend } from './problems.ts'
import type { WantedStates } from './store.ts'

/** Reads and changes backends. */
// oxlint-disable-next-line max-lines-per-function -- a table of short verbs
export function backendVerbs(
  haproxy: Haproxy,
  {
    states,
    reconcileServerStates,
  }: { readonly states: WantedStates; readonly reconcileServerStates: ReconcileServerStates },
) {
  return {
    listBackends: async (): Promise<Backend[]> => {
      const found = await haproxy.detect()
      if (!found.present) return []
      await reconcileServerStates()
      const [text, statuses] = await Promise.all([haproxy.readConfig(), haproxy.statuses()])
      return backendsOf(parseConfig(text)).map((view) => showBackend(view, statuses))
    },
    addBackend: (live: LiveConfig, draft: BackendDraft): Change<Backend> => {
      const { name, mode, balance, ...more } = draft
      const edit = { do: 'add-backend', name, mode, balance, parts: partsOf(more) } as const
      return editChange(haproxy, live, edit, {
        summary: `Add the backend ${name}`,
        reply: (text) => backendIn(text, name),
      })
    },
    editBackend: (live: LiveConfig, name: string, draft: BackendEdit): Change<Backend> => {
      const edit = { do: 'edit-backend', name, parts: partsOf(draft) } as const
      return editChange(haproxy, live, edit, {
        summary: `Change the backend ${name}`,
        reply: (text) => backendIn(text, name),
      })
    },
    removeBackend: (live: LiveConfig, name: string): Change<{ success: true }> => {
      const edited = editChange(
        haproxy,
        live,
        { do: 'remove-backend', name },
        { summary: `Remove the backend ${name}`, reply: () => success },
      )
      return { ...edited, rows: [states.forgetBackend(name)] }
    },
    duplicateBackend: (
      live: LiveConfig,
      { source, name, port }: { readonly source: string; readonly name: string; readonly port: number },
    ): Change<Backend> => {
      const found = backendNamed(parseConfig(live.text), source)
      if (found === undefined || (found.servers.length === 0 && !found.namesMode))
        throw NoSuchBackend(`source: there is no backend ${source} with servers or a mode`)
      const edit = { do: 'duplicate-backend', source, name, port: port || 80 } as const
      return editChange(haproxy, live, edit, {
        summary: `Copy the backend ${source} as ${name}`,
        reply: (text) => backendIn(text, name),
      })
    },
  }
}

/** Returns a backend from a configuration that contains it. */
export const backendIn = (text: string, name: string): Backend =>
  showBackend(backendNamed(parseConfig(text), name)!)
