import type { BsonValue } from './wire/bson.ts'
import type { DocumentConnection } from './wire/client.ts'

/** Figures of a running server. */
interface Statistics {
  readonly uptimeSeconds: number
  readonly connections: number
  readonly memoryMb: number
  readonly dataBytes: number
}

/** Reads figures of the running server. */
export async function readStatistics(connection: DocumentConnection): Promise<Statistics> {
  const status = await connection.run('admin', { serverStatus: 1 })
  const { totalSize } = await connection.run('admin', { listDatabases: 1 })
  return {
    uptimeSeconds: countOf(status['uptime']),
    connections: countOf(fieldOf(status['connections'], 'current')),
    memoryMb: countOf(fieldOf(status['mem'], 'resident')),
    dataBytes: countOf(totalSize),
  }
}

const fieldOf = (value: BsonValue | undefined, name: string): BsonValue | undefined =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const countOf = (value: BsonValue | undefined): number =>
  typeof value === 'number' && value >= 0 ? Math.floor(value) : 0
