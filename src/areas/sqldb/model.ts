import Type, { type Static } from 'typebox'
import { OneOf, Text } from '../../core/schemas.ts'

const Nullable = (description: string) => Type.Union([Text(500), Type.Null()], { description })

export const Engine = OneOf(['sqlfork', 'sqlclassic'], {
  default: 'sqlfork',
  description: 'sqlfork is MariaDB, sqlclassic MySQL; any other value counts as sqlfork',
})
export type Engine = Static<typeof Engine>

export const EngineChoice = Type.Object({ type: Engine })

export const Installed = Type.Object({
  success: Type.Literal(true),
  message: Text(500),
  type: Engine,
})

export const SqldbStatus = Type.Object({
  installed: Type.Boolean({ description: 'Whether the server is installed' }),
  running: Type.Boolean({ description: 'Whether its service runs' }),
  version: Nullable('Version of the server'),
  reason: Nullable('Why it cannot be used'),
})
export type SqldbStatus = Static<typeof SqldbStatus>

const SqlProcess = Type.Object({
  id: Type.Integer({ minimum: 0, description: 'The number by which it is ended' }),
  user: Text(500, { description: 'Account; `system user` for a thread of the server' }),
  host: Text(500, { description: 'Where the client connects from, with its port' }),
  db: Nullable('Its default database'),
  command: Text(500, { description: 'Such as Query, or Sleep between two statements' }),
  time: Type.Integer({ minimum: 0, description: 'Seconds since it entered its state' }),
  state: Nullable('What the server does for it'),
  info: Type.Union([Text(2000), Type.Null()], {
    description: 'The statement that it runs, its first 2,000 characters on one line',
  }),
  blocked_by: Type.Array(Type.Integer({ minimum: 0 }), {
    maxItems: 5000,
    description: 'Connections whose locks it waits for',
  }),
})

export const SqlProcesses = Type.Object({
  processes: Type.Array(SqlProcess, { maxItems: 5000, description: 'The longest in their state first' }),
})
export type SqlProcesses = Static<typeof SqlProcesses>

export const ProcessPath = Type.Object({
  id: Text(100, { description: 'The number of a connection' }),
})
export const Killed = Type.Object({ killed: Type.Literal(true) })
export const KilledCount = Type.Object({
  killed: Type.Integer({ minimum: 0, description: 'How many connections were ended' }),
})
