import Type from 'typebox'
import { local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { notChanged, unanswered } from '../failures.ts'
import { QueryRule, ReadWriteSplit, SqlproxyStats, SqlproxyUserDraft } from '../model.ts'
import { SplitInvalid, UserInvalid } from '../problems.ts'
import * as rules from '../rules.ts'
import * as statistics from '../statistics.ts'
import * as users from '../users.ts'

const category = local('each host has an SQL proxy of its own')

export const setSqlproxyUser = endpoint({
  method: 'POST',
  path: '/users',
  summary: 'Add an account that connects through the proxy, or change it',
  description: 'The name and the password must be those of an account on each server.',
  effect: 'changes',
  category,
  changesAccess: true,
  body: SqlproxyUserDraft,
  reply: succeeded,
  throws: { bad_request: UserInvalid, user_failed: notChanged },
  run: ({ sqlproxy, body }) => users.setUser(sqlproxy, body),
})

export const listQueryRules = endpoint({
  method: 'GET',
  path: '/query-rules',
  summary: 'List the query rules of the proxy in their order, with how often each matched',
  effect: 'reads',
  reply: data(Type.Array(QueryRule)),
  throws: { list_error: unanswered },
  run: ({ sqlproxy }) => rules.listRules(sqlproxy),
})

export const setReadWriteSplit = endpoint({
  method: 'POST',
  path: '/read-write-split',
  summary: 'Send reads to one hostgroup of the proxy and writes to another, or no longer',
  description:
    'Adds three rules, numbered from 1000. Rules with smaller numbers are tried before. Statements within a transaction stay on the server on which it began.',
  effect: 'changes',
  category,
  body: ReadWriteSplit,
  reply: succeeded,
  throws: { bad_request: SplitInvalid, split_failed: notChanged },
  run: ({ sqlproxy, body }) => rules.setSplit(sqlproxy, body),
})

export const readSqlproxyStats = endpoint({
  method: 'GET',
  path: '/stats',
  summary: 'Read the counters of the proxy, of its servers and of statements',
  effect: 'reads',
  reply: data(SqlproxyStats),
  throws: { stats_error: unanswered },
  run: ({ sqlproxy }) => statistics.readStats(sqlproxy),
})

export const resetSqlproxyStats = endpoint({
  method: 'POST',
  path: '/reset-stats',
  summary: 'Set the counters of servers and statements to zero',
  effect: 'changes',
  category,
  reply: succeeded,
  throws: { reset_failed: unanswered },
  run: ({ sqlproxy }) => statistics.resetStats(sqlproxy),
})
