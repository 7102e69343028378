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
