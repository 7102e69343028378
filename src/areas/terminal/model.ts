import Type, { type Static } from 'typebox'
import { Id, Optional, Secret } from '../../core/schemas.ts'

export const TerminalPath = Type.Object({ uid: Id })

export const TerminalQuery = Type.Object({
  token: Secret({ maxLength: 2000, description: 'Socket token for the purpose `terminal`, used once' }),
  username: Optional(
    Type.String({
      maxLength: 32,
      pattern: '^[A-Za-z_][A-Za-z0-9_-]*$',
      description: 'Any account of the host, for superusers; default: that of the user',
      expects: 'the name of a Linux account',
    }),
  ),
  resume: Optional(
    Type.String({
      maxLength: 40,
      pattern: '^[A-Za-z0-9_-]*$',
      description:
        'The `terminal` of the message `opened`: shows that terminal again, with its last output; a new one is opened if it has ended',
      expects: 'the id of a terminal',
    }),
  ),
})
export type TerminalQuery = Static<typeof TerminalQuery>
