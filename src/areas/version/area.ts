import Type from 'typebox'
import { area } from '../../core/area.ts'
import { openUnlessWrong } from '../../core/guard.ts'
import { data } from '../../core/reply.ts'
import { Optional, Text } from '../../core/schemas.ts'
import type { Deps } from '../deps.ts'

interface Context {
  readonly version: string
}

const { endpoint } = area.of<Context>()

const guard = openUnlessWrong(
  'Peers ask it whether they reach a panel; the version is told to a valid credential only',
)

export const getVersion = endpoint({
  method: 'GET',
  path: '/version',
  summary: 'Read the version of the panel; without a credential only that it is there',
  effect: 'reads',
  reply: data(Type.Object({ version: Optional(Text(50)) })),
  run: ({ callerIfAny, version }) => (callerIfAny ? { version } : {}),
})

export const version = area({
  name: 'core',
  title: 'Version',
  base: '',
  guard,
  errors: 'coded',
  endpoints: [getVersion],
  open: ({ settings }: Deps): Context => ({ version: settings.version }),
})
