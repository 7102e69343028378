import { type Change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { editText, parseConfig, serverNamed } from '../../tools/haproxy/index.ts'
import { settingsOf, showServer } from './backend-form.ts'
import { editChange, type LiveConfig } from './config.ts'
import type { Lbproxy } from './context.ts'
import type { Server, ServerDraft, ServerEdit } from './model.ts'

/** Adds a server to a backend. */
export function createServer(
  on: Lbproxy,
  live: LiveConfig,
  { name, draft }: { readonly name: string; readonly draft: ServerDraft },
): Change<Server> {
  const edit = { do: 'add-server', name, server: settingsOf(draft) } as const
  return editChange(on, live, edit, {
    summary: `Add the server ${draft.name} to ${name}`,
    reply: (text) => serverIn(text, name, draft.name),
  })
}

/** Changes a server and its state; a renamed server keeps its state. */
export async function replaceServer(
  on: Lbproxy,
  live: LiveConfig,
  { name, server, draft: { state, ...draft } }: ServerPath & { readonly draft: ServerEdit },
): Promise<Change<Server>> {
  const { haproxy, states } = on
  const edit = { do: 'replace-server', name, replaced: server, server: settingsOf(draft) } as const
  const edited = editChange(on, live, edit, {
    summary: `Change the server ${server} of ${name}`,
    reply: (text) => serverIn(text, name, draft.name),
  })
  const isRenamed = draft.name !== server
  const wanted = state ?? (isRenamed ? await states.of(name, server) : undefined)
  if (wanted === undefined) return edited
  const forgotten = isRenamed ? [states.forget(name, server)] : []
  const set = { backend: name, server: draft.name, state: wanted }
  return {
    ...edited,
    reply: { ...serverIn(editText(live.text, edit), name, draft.name), status: shownAs[wanted] },
    steps: [...edited.steps, step(haproxy.steps.setServerState, set)],
    rows: [...forgotten, ...states.remember(name, draft.name, wanted)],
  }
}

/** Removes a server and its wanted state. */
export function deleteServer(
  on: Lbproxy,
  live: LiveConfig,
  { name, server }: ServerPath,
): Change<{ success: true }> {
  const edit = { do: 'remove-server', name, removed: server } as const
  const edited = editChange(on, live, edit, {
    summary: `Remove the server ${server} of ${name}`,
    reply: () => success,
  })
  return { ...edited, rows: [on.states.forget(name, server)] }
}

/** The states as HAProxy names them. */
const shownAs = { ready: 'UP', drain: 'DRAIN', maint: 'MAINT' } as const

interface ServerPath {
  readonly name: string
  readonly server: string
}

const serverIn = (text: string, backend: string, name: string): Server =>
  showServer(serverNamed(parseConfig(text), backend, name)!)
