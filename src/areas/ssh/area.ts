import { area } from '../../core/area.ts'
import { signedIn } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { accountEdits, belongings, lastingAccess, users } from '../users/index.ts'
import { accessAfter } from './access.ts'
import { sshOfDeleted } from './belongings.ts'
import { type Context, openSsh } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createSshKeys } from './migrations/202611230700-ssh-keys.ts'
import { createSshAccess } from './migrations/202611230701-ssh-access.ts'
import * as model from './model.ts'

export const ssh = area({
  name: 'ssh',
  title: 'SSH access',
  base: '/ssh',
  bases: ['/users'],
  guard: signedIn,
  errors: 'coded',
  endpoints,
  schemas: model,
  needs: ['openssh'],
  migrations: [createSshKeys, createSshAccess],
  uses: [users],
  contributes: ({ ssh }: Context) => [
    contribution(accountEdits, (edit) => accessAfter(ssh, edit)),
    contribution(lastingAccess, async ({ id }) => ({
      noun: 'SSH key',
      count: (await ssh.queries.addedAt(id)).size,
    })),
    contribution(belongings, (deletion) => sshOfDeleted(ssh, deletion)),
  ],
  open: (deps: Deps): Context => ({ ssh: openSsh(deps) }),
})
