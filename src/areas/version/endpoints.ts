import Type from 'typebox'
import { data } from '../../core/reply.ts'
import { Optional, Text } from '../../core/schemas.ts'
import { endpoint } from './context.ts'

export const getVersion = endpoint({
  method: 'GET',
  path: '/version',
  summary: 'Read the version of the panel; without a credential only that it is there',
  effect: 'reads',
  reply: data(Type.Object({ version: Optional(Text(50)) })),
  run: ({ callerIfAny, version }) => (callerIfAny ? { version } : {}),
})
