import Type from 'typebox'
import { at, local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { connectProblems } from '../../../host/connect/index.ts'
import { NotApplied } from '../../../tools/proxysql/index.ts'
import * as backends from '../backends.ts'
import { endpoint } from '../context.ts'
import { notChanged, unanswered } from '../failures.ts'
import {
  BackendDraft,
  BackendEdit,
  BackendKey,
  BackendLimit,
  BackendReset,
  MonitorState,
  MonitorUser,
  SqlproxyBackend,
} from '../model.ts'
import * as monitor from '../monitor.ts'
import { BackendInvalid, BackendTaken, BackendUnknown, MonitorInvalid } from '../problems.ts'

const category = local('each host has an SQL proxy of its own')
const { NotAnswering, ReplyTooLarge, SqlRefused } = connectProblems

export const listSqlBackends = endpoint({
  method: 'GET',
  path: '/backends',
  summary: 'List the SQL servers of the proxy with their live state',
  effect: 'reads',
  reply: data(Type.Array(SqlproxyBackend)),
  throws: { list_error: unanswered },
  run: ({ sqlproxy }) => backends.listBackends(sqlproxy),
})

export const addSqlBackend = endpoint({
  method: 'POST',
  path: '/backends',
  summary: 'Add an SQL server to a hostgroup of the proxy',
  description:
    'If it is the MariaDB of this host, the account by which the proxy checks it is created there; on other hosts, create it by hand.',
  effect: 'changes',
  category,
  body: BackendDraft,
  reply: data(MonitorState),
  throws: {
    bad_request: [BackendInvalid, BackendTaken],
    add_failed: at(500, NotApplied, NotAnswering, ReplyTooLarge, SqlRefused),
  },
  run: ({ sqlproxy, body }) => backends.addBackend(sqlproxy, body),
})

export const updateSqlBackend = endpoint({
  method: 'PUT',
  path: '/backends',
  summary: 'Change an SQL server of the proxy',
  description:
    'Fields that are absent stay, except `max_connections`, which becomes 100. Another `hostgroup_id` moves the server; one that is in several hostgroups is changed in that one.',
  effect: 'changes',
  category,
  body: BackendEdit,
  reply: succeeded,
  throws: { bad_request: BackendUnknown, update_failed: notChanged },
  run: ({ sqlproxy, body }) => backends.updateBackend(sqlproxy, body),
})

export const removeSqlBackend = endpoint({
  method: 'DELETE',
  path: '/backends',
  summary: 'Remove an SQL server from all hostgroups of the proxy',
  effect: 'destroys',
  category,
  body: BackendKey,
  reply: succeeded,
  throws: { bad_request: BackendUnknown, remove_failed: notChanged },
  run: ({ sqlproxy, body }) => backends.removeBackend(sqlproxy, body),
})

export const limitSqlBackend = endpoint({
  method: 'POST',
  path: '/backends/max-connections',
  summary: 'Set how many connections the proxy opens to an SQL server',
  effect: 'changes',
  category,
  body: BackendLimit,
  reply: succeeded,
  throws: { bad_request: BackendUnknown, update_failed: notChanged },
  run: ({ sqlproxy, body }) => backends.limitBackend(sqlproxy, body),
})

export const resetSqlBackend = endpoint({
  method: 'POST',
  path: '/backends/reset',
  summary: 'Write the row of an SQL server of the proxy again, with these values alone',
  description: 'The server is then online, in one hostgroup, and without a comment.',
  effect: 'changes',
  category,
  body: BackendReset,
  reply: succeeded,
  throws: { bad_request: BackendUnknown, reset_failed: notChanged },
  run: ({ sqlproxy, body }) => backends.resetBackend(sqlproxy, body),
})

export const setMonitorUser = endpoint({
  method: 'POST',
  path: '/monitor-user',
  summary: 'Set the account by which the proxy checks the SQL servers',
  description:
    'If the MariaDB of this host is one of the servers, the account is created there without any rights. An account of that name that is there already stays as it is.',
  effect: 'changes',
  category,
  changesAccess: true,
  body: MonitorUser,
  reply: data(MonitorState),
  throws: { bad_request: MonitorInvalid, monitor_failed: notChanged },
  run: ({ sqlproxy, body }) => monitor.setMonitorUser(sqlproxy, body),
})
