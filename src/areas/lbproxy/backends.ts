import { type Change, type Step, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { type BackendView, backendsOf, type Haproxy, parseConfig, type ServerSettings, type StatRow } from '../../tools/haproxy/index.ts'
import { editChange, type LiveConfig } from './config.ts'
import type { Backend, BackendDraft, Server, ServerDraft, ServerEdit } from './model.ts'
import { NoSuchBackend } from './problems.ts'

/** Reading and changing backends and their servers. */
export function backendVerbs(haproxy: Haproxy) {
  return {
    listBackends: async (): Promise<Backend[]> => {
      const found = await haproxy.detect()
      if (!found.present) return []
      const [text, rows] = await Promise.all([haproxy.readConfig(), haproxy.stats()])
      const statuses = statusesOf(rows ?? [])
      return backendsOf(parseConfig(text)).map((view) => showBackend(view, statuses))
    },
    addBackend: (live: LiveConfig, draft: BackendDraft): Change<Backend> =>
      editChange(
        haproxy,
        live,
        { do: 'add-backend', ...draft },
        { summary: `Add the backend ${draft.name}`, reply: (text) => backendIn(text, draft.name) },
      ),
    removeBackend: (live: LiveConfig, name: string): Change<{ success: true }> =>
      editChange(haproxy, live, { do: 'remove-backend', name }, { summary: `Remove the backend ${name}`, reply: () => success }),
    duplicateBackend: (
      live: LiveConfig,
      { source, name, port }: { readonly source: string; readonly name: string; readonly port: number },
    ): Change<Backend> => {
      const found = backendsOf(parseConfig(live.text)).find((each) => each.name === source)
      if (found === undefined || (found.servers.length === 0 && !found.namesMode))
        throw NoSuchBackend(`source: there is no backend ${source} with servers or a mode`)
      const edit = { do: 'duplicate-backend', source, name, port: port || 80 } as const
      return editChange(haproxy, live, edit, { summary: `Copy the backend ${source} as ${name}`, reply: (text) => backendIn(text, name) })
    },
  }
}

/** Changing the servers of backends. */
export function serverVerbs(haproxy: Haproxy) {
  return {
    addServer: (live: LiveConfig, name: string, draft: ServerDraft): Change<Server> => {
      const edit = { do: 'add-server', name, server: settingsOf(draft) } as const
      return editChange(haproxy, live, edit, {
        summary: `Add the server ${draft.name} to ${name}`,
        reply: (text) => serverIn(text, name, draft.name),
      })
    },
    replaceServer: (live: LiveConfig, at: ServerPlace, draft: ServerEdit): Change<Server> => {
      const edit = { do: 'replace-server', name: at.name, replaced: at.server, server: settingsOf(draft) } as const
      const edited = editChange(haproxy, live, edit, {
        summary: `Change the server ${at.server} of ${at.name}`,
        reply: (text) => serverIn(text, at.name, draft.name),
      })
      const states: Step[] =
        draft.state === undefined ? [] : [step(haproxy.steps.setServerState, { backend: at.name, server: draft.name, state: draft.state })]
      return { ...edited, steps: [...edited.steps, ...states] }
    },
    removeServer: (live: LiveConfig, { name, server }: ServerPlace): Change<{ success: true }> =>
      editChange(
        haproxy,
        live,
        { do: 'remove-server', name, removed: server },
        { summary: `Remove the server ${server} of ${name}`, reply: () => success },
      ),
  }
}

interface ServerPlace {
  readonly name: string
  readonly server: string
}

function settingsOf(draft: ServerDraft): ServerSettings {
  const port = draft.port || 80
  return {
    name: draft.name,
    address: draft.address.replace(/^\[|\]$/g, ''),
    port,
    weight: draft.weight ?? null,
    isBackup: draft.backup,
    usesTls: draft.ssl || port === 443,
    isChecked: draft.check,
  }
}

type Statuses = ReadonlyMap<string, string>

function statusesOf(rows: readonly StatRow[]): Statuses {
  return new Map(rows.map((row) => [`${row['pxname']}/${row['svname']}`, row['status'] ?? '']))
}

function showBackend({ name, mode, balance, servers }: BackendView, statuses: Statuses = new Map()): Backend {
  return {
    name,
    mode,
    balance,
    servers: servers.map((server) => ({
      name: server.name,
      address: server.address,
      port: server.port,
      weight: server.weight,
      status: statuses.get(`${name}/${server.name}`) || 'UP',
      backup: server.isBackup,
      ssl: server.usesTls,
      check: server.isChecked,
    })),
  }
}

const backendIn = (text: string, name: string): Backend => showBackend(backendsOf(parseConfig(text)).find((each) => each.name === name)!)

const serverIn = (text: string, backend: string, name: string): Server => backendIn(text, backend).servers.find((each) => each.name === name)!
