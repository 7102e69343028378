import { failures } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { CrontabFailed } from '../../../tools/openclaw/index.ts'
import { endpoint } from '../context.ts'
import * as crontab from '../crontab.ts'
import { CronJobs, CrontabDraft } from '../crontab-model.ts'
import { notSetUp, ofThisHost } from '../failures.ts'
import { CrontabRefused } from '../problems.ts'

export const readAssistantCrontab = endpoint({
  method: 'GET',
  path: '/crontab',
  summary: 'List the jobs of the crontab of the account of the assistant',
  effect: 'reads',
  reply: data(CronJobs),
  throws: { crontab_failed: CrontabFailed },
  run: ({ ai }) => crontab.readCrontab(ai),
})

export const replaceAssistantCrontab = endpoint({
  method: 'PUT',
  path: '/crontab',
  summary: 'Replace the crontab of the account of the assistant',
  effect: 'changes',
  changesAccess: true,
  category: ofThisHost,
  body: CrontabDraft,
  reply: succeeded,
  throws: failures(notSetUp, { bad_request: CrontabRefused, crontab_failed: CrontabFailed }),
  run: ({ ai, body }) => crontab.replaceCrontab(ai, body.jobs),
})
