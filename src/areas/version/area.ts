import { area } from '../../core/area.ts'
import { openUnlessWrong } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import type { Context } from './context.ts'
import * as endpoints from './endpoints.ts'

const guard = openUnlessWrong(
  'Peers ask it whether they reach a panel; the version is told to a valid credential only',
)

export const version = area({
  name: 'core',
  title: 'Version',
  base: '',
  guard,
  errors: 'coded',
  endpoints,
  open: ({ settings }: Deps): Context => ({ version: settings.version }),
})
