import { sql, type SqlConnection } from '../../host/apply/steps.ts'

/** Where programs of this host reach the server. */
export interface ServerEndpoint {
  /** Null if the server takes no connections over TCP. */
  readonly port: number | null
  readonly socketPath: string
  /** The address that it listens on; null for all. */
  readonly bindAddress: string | null
}

/** Reads from the running server where it is reached. */
export async function readEndpoint(connection: SqlConnection): Promise<ServerEndpoint> {
  const [row] = await connection.run(
    sql`select @@skip_networking is_local, @@port port, @@socket socket, @@bind_address address`,
  )
  const address = row?.['address']
  return {
    port: Number(row?.['is_local']) === 1 ? null : Number(row?.['port']),
    socketPath: String(row?.['socket']),
    bindAddress: address === null || address === undefined ? null : String(address),
  }
}
