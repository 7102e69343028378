import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Host } from '../../host/index.ts'
import { programDirectory, socketPath } from './layout.ts'
import { ClientFailed } from './problems.ts'
import { architectureHere } from './program.ts'

/** The client of this host. */
export interface Client {
  /** Runs a command of the client; throws ClientFailed with its message, in which keys are covered. */
  run(args: readonly string[], timeoutMs?: number): Promise<string>
}

const mostMessage = 2000

/** Opens the client of this host. */
export const openClient = ({ run, files }: Pick<Host, 'run' | 'files'>): Client => ({
  run: async (args, timeoutMs = 20_000) => {
    const path = `${programDirectory(architectureHere())}/tailscale`
    if ((await files.facts(path)) === undefined) throw ClientFailed('The mesh client is not installed')
    const program = files.real(path)
    const { code, stdout, stderr } = await run([program, `--socket=${files.real(socketPath)}`, ...args], {
      timeoutMs,
      maxBytes: 4 * 1024 * 1024,
    })
    if (code === 0) return stdout
    const message = stderr.trim() || stdout.trim() || `exit status ${code}`
    throw ClientFailed(`tailscale ${args[0]}: ${withoutKeys(message).slice(0, mostMessage)}`)
  },
})

/** Messages of the client may repeat the command with its key. */
const withoutKeys = (text: string): string => text.replaceAll(/(?:hskey|tskey)-[\w-]+/g, '••••••••')

const Status = Type.Object({
  BackendState: Type.String({ maxLength: 100 }),
  Self: Type.Optional(
    Type.Union([
      Type.Object({
        TailscaleIPs: Type.Optional(Type.Union([Type.Array(Type.String({ maxLength: 50 })), Type.Null()])),
        Online: Type.Optional(Type.Boolean()),
      }),
      Type.Null(),
    ]),
  ),
})

/** The node of this host. */
interface LocalNode {
  /** `Running` once it has joined. */
  readonly state: string
  readonly addresses: readonly string[]
}

/** Reads the node of this host; throws ClientFailed if its service does not answer. */
export async function readLocalNode(client: Client): Promise<LocalNode> {
  const { BackendState: state, Self: self } = parsed(Status, await client.run(['status', '--json']))
  return { state, addresses: self?.TailscaleIPs ?? [] }
}

const Preferences = Type.Object({
  AdvertiseRoutes: Type.Optional(Type.Union([Type.Array(Type.String({ maxLength: 50 })), Type.Null()])),
})

/** Reads the networks that the node of this host offers. */
export async function readAdvertised(client: Client): Promise<readonly string[]> {
  return (parsed(Preferences, await client.run(['debug', 'prefs'])).AdvertiseRoutes ?? []).toSorted()
}

function parsed<Schema extends typeof Status | typeof Preferences>(
  schema: Schema,
  text: string,
): Static<Schema> {
  try {
    return Value.Parse(schema, JSON.parse(text))
  } catch {
    throw ClientFailed('The mesh client answered something that cannot be read')
  }
}
