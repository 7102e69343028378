import { area } from '../../core/area.ts'
import type { Terminals as Shells } from '../../host/terminal/index.ts'
import { auth } from '../auth/index.ts'
import type { Deps } from '../deps.ts'
import { users, type Users } from '../users/index.ts'
import { Terminals } from './terminals.ts'

/** The terminals, as the verbs of the area reach them. */
export interface Terminal {
  readonly users: Users
  readonly shells: Shells
  readonly open: Terminals
}

/** Binds the area to the host, the users and their credentials. */
export function openTerminal({ use, host, store, log }: Deps): Terminal {
  const { hold } = use(auth).auth.credentials
  const open = new Terminals({ shells: host.terminals, hold, store, log })
  return { users: use(users).users, shells: host.terminals, open }
}

export interface Context {
  readonly terminal: Terminal
}

export const { endpoint } = area.of<Context>()
