import { change, step } from '../../core/change.ts'
import { lock } from '../../core/lock.ts'
import { from } from '../../core/returned.ts'
import { loadAnyWebsite, loadWebsite } from '../websites/index.ts'
import { work } from './context.ts'
import { assertOwner } from './crontab.ts'
import { LineRun, RunInput } from './model.ts'
import { LineUnknown, RunsAlready } from './problems.ts'
import { jobsIn } from './read-lines.ts'

const crontabLock = lock('crontab', ' ')

/** Runs a line of a crontab at once, under the owner of the website. */
export const runningLine = work({
  kind: 'crontab.run',
  input: RunInput,
  reply: LineRun,
  lane: 'files',
  timeoutMs: 3_660_000,
  attempts: 1,
  resumes: false,
  single: RunsAlready,
  decide: async ({ input, caller, now, crontabs }) => {
    const site =
      caller === null
        ? await loadAnyWebsite(crontabs.websites, input.website_id)
        : await loadWebsite(crontabs.websites, input.website_id, caller)
    const { crontab = '' } = (await crontabs.queries.find(site.id)) ?? {}
    const job = jobsIn(crontab).find(({ line }) => line === input.line)
    if (job === undefined) throw LineUnknown(`line: line ${input.line} of the crontab is not a job`)
    const { uid, gid, home } = await assertOwner(crontabs, site)
    const running = step(crontabs.cron.steps.runLine, {
      siteId: site.id,
      command: job.command,
      account: { uid, gid, home, username: site.username },
      variables: job.variables,
      token: `hand.${now.getTime().toString(36)}`,
    })
    return change({
      summary: `Run line ${input.line} of the crontab of ${site.domain}`,
      locks: [crontabLock(String(site.id))],
      steps: [running],
      reply: { exit_status: from(running, 'exit_status'), output: from(running, 'output') },
    })
  },
})
