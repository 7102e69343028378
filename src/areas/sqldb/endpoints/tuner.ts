import { failures, local } from '../../../core/endpoint.ts'
import { accepted, data, succeeded } from '../../../core/reply.ts'
import { installing } from '../../programs/index.ts'
import { endpoint } from '../context.ts'
import { notLoaded } from '../failures.ts'
import { AdviceChoice, Tuner, TunerQuery } from '../model.ts'
import { NoSuchAdvice } from '../problems.ts'
import * as tuner from '../tuner.ts'

const ofThisHost = local('each host has an SQL server of its own')

export const readTuner = endpoint({
  method: 'GET',
  path: '/tuner',
  summary: 'Read which values of settings would suit the load better, and why',
  description:
    'With `mysqltuner=true` mysqltuner is run as a second source, which takes some seconds. Figures of a server that was started less than a day ago say little.',
  effect: 'reads',
  query: TunerQuery,
  reply: data(Tuner),
  timeoutMs: 120_000,
  throws: {
    config_failed: notLoaded.config_failed,
    sql_error: notLoaded.sql_error,
  },
  run: ({ query, sqldb }) => tuner.readTuner(sqldb, query.mysqltuner),
})

export const applyAdvice = endpoint({
  method: 'POST',
  path: '/tuner/apply',
  summary: 'Set the advised values of settings',
  effect: 'changes',
  category: ofThisHost,
  body: AdviceChoice,
  reply: succeeded,
  timeoutMs: 300_000,
  throws: failures(notLoaded, { bad_request: NoSuchAdvice }),
  run: ({ body, sqldb }) => tuner.applyAdvice(sqldb, body.names),
})

export const installTuner = endpoint({
  method: 'POST',
  path: '/tuner/install',
  summary: 'Install mysqltuner, a second source of advice, with the package manager of the host',
  effect: 'changes',
  category: local('programs are installed on each host'),
  reply: accepted(installing),
  run: () => ({ name: 'mysqltuner' }),
})
