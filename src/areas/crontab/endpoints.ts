import { type Deciding, failures } from '../../core/endpoint.ts'
import { accepted, data } from '../../core/reply.ts'
import { RunFailed } from '../../tools/cron/index.ts'
import { loadWebsite, WebsitePath } from '../websites/index.ts'
import { type Context, endpoint } from './context.ts'
import * as crontabs from './crontab.ts'
import { Crontab, CrontabDraft, LineToRun } from './model.ts'
import { CrontabRefused, LineUnknown, RunsAlready } from './problems.ts'
import { runningLine } from './run-line.ts'

interface OfWebsite {
  readonly params: { readonly id: number }
}

const load = ({ params, caller, crontabs: { websites } }: Pick<Deciding, 'caller'> & Context & OfWebsite) =>
  loadWebsite(websites, params.id, caller)

const ofWebsite = endpoint.with({ base: '/websites', params: WebsitePath, target: load })

export const getCrontab = ofWebsite({
  method: 'GET',
  path: '/{id}/crontab',
  summary: 'Read the crontab of a website, the next runs of its jobs, and the last runs with their output',
  effect: 'reads',
  reply: data(Crontab),
  run: ({ target, now, crontabs: on }) => crontabs.readCrontab(on, target, now),
})

export const replaceCrontab = ofWebsite({
  method: 'PUT',
  path: '/{id}/crontab',
  summary: 'Replace the crontab of a website, which runs under its owner',
  effect: 'changes',
  changesAccess: true,
  category: 'crontab',
  body: CrontabDraft,
  reply: data(Crontab),
  throws: { bad_request: CrontabRefused },
  run: ({ target, body, now, crontabs: on }) => crontabs.replaceCrontab(on, target, body, now),
})

export const runCrontabLine = ofWebsite({
  method: 'POST',
  path: '/{id}/crontab/run',
  summary: 'Run a line of the crontab of a website at once',
  effect: 'changes',
  category: 'crontab',
  body: LineToRun,
  reply: accepted(runningLine),
  throws: failures({ bad_request: LineUnknown, conflict: RunsAlready, run_failed: RunFailed }),
  run: ({ target, body }) => ({ website_id: target.id, ...body }),
})
