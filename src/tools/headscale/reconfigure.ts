import { DatabaseSync } from 'node:sqlite'
import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import type { HeadscaleApi } from './api.ts'
import { configurationPath, databasePath } from './layout.ts'
import { AddressFailed, NotServing } from './problems.ts'

/** The addresses of a node; null for a family in which it has none. */
interface NodeAddresses {
  readonly ipv4: string | null
  readonly ipv6: string | null
}

interface ReconfigureArgs {
  /** For people. */
  readonly title: string
  readonly configuration: string
  /** The nodes that get other addresses, by id. */
  readonly addresses: Readonly<Record<string, Partial<NodeAddresses>>>
}

interface ReconfigureState {
  readonly configuration: string
  readonly addresses: Readonly<Record<string, NodeAddresses>>
}

interface Reconfiguring extends Pick<Host, 'files' | 'services'> {
  readonly api: HeadscaleApi
  readonly service: string
  /** How long the server may take to start. */
  readonly startMs: number
}

/**
 * The step that stops the control server, changes its configuration and addresses of nodes in its database, and starts
 * it again: there is no call for either. Where it does not start, the executor puts both back.
 */
export function reconfigure(on: Reconfiguring): StepKind<ReconfigureArgs, Was<ReconfigureState>, null> {
  const { files, services, service, api, startMs } = on
  return stateStep<ReconfigureArgs, ReconfigureState>({
    name: 'headscale.reconfigure',
    plan: ({ title, addresses }) => ({
      title,
      details: [
        'The control server stops for about a second; connections between nodes stay',
        ...Object.entries(addresses).map(
          ([id, { ipv4, ipv6 }]) => `Node ${id} gets ${[ipv4, ipv6].filter(Boolean).join(' and ')}`,
        ),
      ],
    }),
    read: async ({ addresses }) => ({
      configuration: (await files.read(configurationPath)) ?? '',
      addresses: readAddresses(files.real(databasePath), Object.keys(addresses)),
    }),
    refuse: ({ addresses }, now) => {
      const gone = Object.keys(addresses).find((id) => now?.addresses[id] === undefined)
      if (gone !== undefined) throw AddressFailed(`The control server has no node ${gone} any more`)
    },
    wanted: ({ configuration, addresses }, was) => ({
      configuration,
      addresses: Object.fromEntries(
        Object.entries(was?.addresses ?? {}).map(([id, former]) => [id, { ...former, ...addresses[id] }]),
      ),
    }),
    isInEffect: () => api.isWell(),
    write: async (_args, state) => {
      if (state === undefined) return
      await services.act(service, 'stop')
      await files.write(configurationPath, state.configuration)
      writeAddresses(files.real(databasePath), state.addresses)
      await services.act(service, 'start')
      await assertServing(api, { startMs })
    },
  })
}

/** Waits until the control server answers; throws NotServing. */
export async function assertServing(
  api: HeadscaleApi,
  { startMs, signal }: { readonly startMs: number; readonly signal?: AbortSignal },
): Promise<void> {
  const polling = { limitMs: startMs, everyMs: 100, signal }
  if (!(await poll(async () => (await api.isWell()) || undefined, polling)))
    throw NotServing(`The control server did not answer within ${startMs / 1000} s: read its log`)
}

function readAddresses(path: string, ids: readonly string[]): Readonly<Record<string, NodeAddresses>> {
  if (ids.length === 0) return {}
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    const find = database.prepare('SELECT ipv4, ipv6 FROM nodes WHERE id = ?')
    return Object.fromEntries(
      ids.flatMap((id) => {
        const row = find.get(Number(id))
        return row === undefined ? [] : [[id, { ipv4: textIn(row['ipv4']), ipv6: textIn(row['ipv6']) }]]
      }),
    )
  } finally {
    database.close()
  }
}

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** All or none; an address that another node has is refused. */
function writeAddresses(path: string, addresses: Readonly<Record<string, NodeAddresses>>): void {
  if (Object.keys(addresses).length === 0) return
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA busy_timeout = 5000')
    database.exec('BEGIN IMMEDIATE')
    const update = database.prepare('UPDATE nodes SET ipv4 = ?, ipv6 = ? WHERE id = ?')
    for (const [id, { ipv4, ipv6 }] of Object.entries(addresses))
      if (Number(update.run(ipv4, ipv6, Number(id)).changes) !== 1)
        throw AddressFailed(`The control server has no node ${id} any more`)
    const taken = database
      .prepare(
        `SELECT one.id FROM nodes one JOIN nodes other
         ON one.id < other.id AND (one.ipv4 = other.ipv4 OR one.ipv6 = other.ipv6)`,
      )
      .get()
    if (taken !== undefined) throw AddressFailed('Another node has the address by now')
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}
