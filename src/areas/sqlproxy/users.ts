import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { isMasked } from '../../core/secret.ts'
import { groupOf, keyOf } from '../../tools/proxysql/index.ts'
import type { Sqlproxy } from './context.ts'
import { proxyLock } from './locks.ts'
import type { SqlproxyUserDraft } from './model.ts'
import { UserInvalid } from './problems.ts'

/** Adds an account that connects through the proxy, or changes it. */
export async function setUser(
  { tool }: Sqlproxy,
  { username, password, default_hostgroup, max_connections, active }: SqlproxyUserDraft,
): Promise<Change<{ success: true }>> {
  const key = keyOf(groupOf('users'), { username, backend: '1' })
  const former = (await tool.readMemory('users'))[key]
  const isKept = password === undefined || isMasked(password)
  if (isKept && former === undefined)
    throw UserInvalid(`password: the proxy has no user ${username} yet: set one`)
  const row = {
    ...former,
    ...(isKept ? {} : { password }),
    ...{ username, backend: '1', active: active ? '1' : '0' },
    ...{ default_hostgroup: String(default_hostgroup), max_connections: String(max_connections) },
  }
  return change({
    summary: `${former ? 'Change' : 'Add'} the user ${username} of the SQL proxy`,
    locks: [proxyLock],
    steps: [step(tool.steps.setRows, { group: 'users' as const, put: [row] })],
    reply: success,
  })
}
