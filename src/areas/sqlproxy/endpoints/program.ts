import { at, local } from '../../../core/endpoint.ts'
import { awaited, data, succeeded } from '../../../core/reply.ts'
import { connectProblems } from '../../../host/connect/index.ts'
import { DiskFull } from '../../../host/files.ts'
import { InstallFailed, RemoveFailed } from '../../../host/packages.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { NotApplied, NotServing } from '../../../tools/proxysql/index.ts'
import { serviceEndpoints } from '../../lifecycle.ts'
import { type Context, endpoint } from '../context.ts'
import { notChanged } from '../failures.ts'
import { draftInstallation, installing, removing, setAdminPassword as set } from '../install.ts'
import { proxyLock } from '../locks.ts'
import { AdminPassword, SqlproxyStatus } from '../model.ts'
import { AlreadyInstalled, NotSetUp, PasswordInvalid } from '../problems.ts'
import * as status from '../status.ts'

const { NotAnswering, ReplyTooLarge, SqlRefused } = connectProblems
const throws = { service_failed: ServiceFailed }
const category = local('each host has an SQL proxy of its own')

export const installSqlproxy = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install ProxySQL, start it, and give its admin interface new passwords',
  description:
    'The package must be in the package lists of the host, such as from the repository of ProxySQL. The admin interface listens on port 6032 of all addresses; the firewall of the panel admits nobody to it without a rule. The password of `remote-admin` is shown once, and that of the local account is written to a file that only root can read.',
  effect: 'changes',
  category,
  reply: awaited(installing, { status: 200, shape: 'data' }),
  throws: {
    already_installed: AlreadyInstalled,
    install_failed: at(
      500,
      ...[InstallFailed, ServiceFailed, NotServing, NotApplied],
      ...[NotAnswering, ReplyTooLarge, SqlRefused, DiskFull],
    ),
  },
  run: () => draftInstallation(),
})

export const removeSqlproxy = endpoint({
  method: 'POST',
  path: '/remove',
  summary: 'Stop ProxySQL and remove its package; its configuration stays',
  effect: 'destroys',
  category,
  reply: awaited(removing, { status: 200, shape: 'data' }),
  throws: { remove_failed: at(500, RemoveFailed, ServiceFailed) },
  run: () => ({}),
})

export const setAdminPassword = endpoint({
  method: 'POST',
  path: '/admin-password',
  summary: 'Set the password by which other hosts reach the admin interface of ProxySQL',
  description: 'The account is `remote-admin`. The admin interface listens on port 6032 of all addresses.',
  effect: 'changes',
  category,
  changesAccess: true,
  body: AdminPassword,
  reply: succeeded,
  throws: { bad_request: [PasswordInvalid, NotSetUp], change_failed: notChanged },
  run: ({ sqlproxy, body }) => set(sqlproxy, body),
})

export const {
  readStatus: readSqlproxyStatus,
  start: startSqlproxy,
  stop: stopSqlproxy,
  restart: restartSqlproxy,
} = serviceEndpoints(endpoint, {
  role: 'the SQL proxy',
  on: ({ sqlproxy }: Context) => sqlproxy,
  locks: [proxyLock],
  status: {
    summary: 'Read whether the SQL proxy runs, and the users that connect through it',
    reply: data(SqlproxyStatus),
    run: ({ sqlproxy }) => status.readStatus(sqlproxy),
  },
  switches: {
    start: { summary: 'Start the SQL proxy', throws },
    stop: { summary: 'Stop the SQL proxy', throws },
    restart: { summary: 'Restart the SQL proxy', throws },
  },
})
