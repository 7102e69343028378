import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { type SshQueries, sshQueries } from './store.ts'

/** What SSH admits for the Linux accounts of panel users, as the verbs of the area reach it. */
export interface Ssh {
  readonly users: Users
  readonly openssh: Tools['openssh']
  readonly queries: SshQueries
}

/** Binds the area to the store, the users and sshd. */
export function openSsh({ use, tools, store }: Deps): Ssh {
  return {
    users: use(users).users,
    openssh: tools.openssh,
    queries: sshQueries(store),
  }
}

export interface Context {
  readonly ssh: Ssh
}

export const { endpoint } = area.of<Context>()
