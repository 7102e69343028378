import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { auth } from '../auth/index.ts'
import type { Deps } from '../deps.ts'
import { users } from '../users/index.ts'
import { type Context, openTerminal } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const terminal = area({
  name: 'terminal',
  title: 'Terminal',
  base: '/terminal',
  bases: ['/users'],
  guard: permission('terminal_access'),
  errors: 'coded',
  endpoints,
  schemas: model,
  entries: { terminal_closed: 'Close a terminal' },
  uses: [users, auth],
  menu: { group: '', path: '/terminal', order: 10 },
  background: ({ terminal }: Context) => terminal.open.watch(),
  open: (deps: Deps): Context => ({ terminal: openTerminal(deps) }),
})
