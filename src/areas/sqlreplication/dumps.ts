import type { Bytes } from '../../core/reply.ts'
import { heartbeatDatabase } from '../../tools/mariadb/index.ts'
import type { SqlReplication } from './context.ts'
import { DatabaseUnknown, NotPrimary } from './problems.ts'

/** Reads how far this server is. */
export async function readPosition({ tool }: SqlReplication) {
  const { isLogging, serverId, gtid, file, position } = await tool.readPosition()
  if (!isLogging) throw NotPrimary()
  return { server_id: serverId, gtid, file, position }
}

/** Lists the databases of this server but for its own. */
export const listDatabases = async ({ tool }: SqlReplication) => ({
  databases: (await tool.listDatabaseSizes()).map(({ name }) => name).toSorted(),
})

/** Lists the databases of this server with their sizes. */
export async function listSizes({ tool }: SqlReplication) {
  const databases = (await tool.listDatabaseSizes()).map(({ name, sizeBytes }) => ({
    name,
    size_bytes: sizeBytes,
  }))
  return { databases, total_bytes: databases.reduce((sum, { size_bytes }) => sum + size_bytes, 0) }
}

/** Dumps databases with the position that belongs to them; all of them by default, with the heartbeats. */
export async function openDump(
  on: SqlReplication,
  wanted: readonly string[] | undefined,
  { field, signal }: { readonly field: string; readonly signal: AbortSignal },
): Promise<Bytes> {
  const own = wanted === undefined && (await on.tool.hasHeartbeatTable()) ? [heartbeatDatabase] : []
  const { gtid } = await readPosition(on)
  const { databases: present } = await listDatabases(on)
  const missing = wanted?.find((name) => !present.includes(name))
  if (missing !== undefined) throw DatabaseUnknown(`${field}: there is no database ${missing}`)
  const stream = on.tool.dumpServer({ databases: wanted ?? [...present, ...own], gtid }, signal)
  return { stream, mediaType: 'application/gzip', fileName: 'databases.sql.gz' }
}

/** Lists the accounts of this server with their hashes and rights. */
export const listAccounts = async ({ tool }: SqlReplication) => ({
  accounts: (await tool.listAccounts()).map(({ username, host, authentication, grants }) => ({
    username,
    host,
    authentication: authentication.map((method) => ({ ...method })),
    grants: [...grants],
  })),
})
