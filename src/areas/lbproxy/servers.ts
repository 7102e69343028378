import { type Change, type Step, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import {
  editText,
  type Haproxy,
  parseConfig,
  serverNamed,
  type ServerState,
} from '../../tools/haproxy/index.ts'
import { settingsOf, showServer } from './backend-form.ts'
import { editChange, type LiveConfig } from './config.ts'
import type { Server, ServerDraft, ServerEdit } from './model.ts'
import type { WantedStates } from './store.ts'

/** Changes the servers of backends. */
export function serverVerbs(haproxy: Haproxy, states: WantedStates) {
  const setState = (backend: string, server: string, state: ServerState): Step =>
    step(haproxy.steps.setServerState, { backend, server, state })
  return {
    addServer: (live: LiveConfig, name: string, draft: ServerDraft): Change<Server> => {
      const edit = { do: 'add-server', name, server: settingsOf(draft) } as const
      return editChange(haproxy, live, edit, {
        summary: `Add the server ${draft.name} to ${name}`,
        reply: (text) => serverIn(text, name, draft.name),
      })
    },
    /** A renamed server keeps its state. */
    replaceServer: async (
      live: LiveConfig,
      at: ServerPath,
      { state, ...draft }: ServerEdit,
    ): Promise<Change<Server>> => {
      const edit = {
        do: 'replace-server',
        name: at.name,
        replaced: at.server,
        server: settingsOf(draft),
      } as const
      const edited = editChange(haproxy, live, edit, {
        summary: `Change the server ${at.server} of ${at.name}`,
        reply: (text) => serverIn(text, at.name, draft.name),
      })
      const isRenamed = draft.name !== at.server
      const wanted = state ?? (isRenamed ? await states.of(at.name, at.server) : undefined)
      if (wanted === undefined) return edited
      const forgotten = isRenamed ? [states.forget(at.name, at.server)] : []
      return {
        ...edited,
        reply: { ...serverIn(editText(live.text, edit), at.name, draft.name), status: shownAs[wanted] },
        steps: [...edited.steps, setState(at.name, draft.name, wanted)],
        rows: [...forgotten, ...states.remember(at.name, draft.name, wanted)],
      }
    },
    removeServer: (live: LiveConfig, { name, server }: ServerPath): Change<{ success: true }> => {
      const edit = { do: 'remove-server', name, removed: server } as const
      const edited = editChange(haproxy, live, edit, {
        summary: `Remove the server ${server} of ${name}`,
        reply: () => success,
      })
      return { ...edited, rows: [states.forget(name, server)] }
    },
  }
}

/** The states as HAProxy names them. */
const shownAs = { ready: 'UP', drain: 'DRAIN', maint: 'MAINT' } as const

interface ServerPath {
  readonly name: string
  readonly server: string
}

const serverIn = (text: string, backend: string, name: string): Server =>
  showServer(serverNamed(parseConfig(text), backend, name)!)
