import { type Change, change, type Step, step } from '../../core/change.ts'
import type { Account } from '../../host/accounts.ts'
import { nextRuns } from '../../tools/cron/index.ts'
import { accountOf, findUserByUsername, loadAccount } from '../users/index.ts'
import { type LoadedWebsite, websiteLocks } from '../websites/index.ts'
import type { Crontabs } from './context.ts'
import type { Crontab } from './model.ts'
import { assertAccepted, type CronJob, jobsIn } from './read-lines.ts'
import { crontabs } from './store.ts'

const shownRuns = 20
const shownOutput = 8192
const shownNext = 5

/** Returns the crontab of a website, the next runs of its jobs, and the last runs with their output. */
export async function readCrontab(on: Crontabs, site: LoadedWebsite, now: Date): Promise<Crontab> {
  return show(on, site, { now, crontab: (await on.queries.find(site.id))?.crontab ?? '' })
}

interface Showing {
  readonly now: Date
  readonly crontab: string
}

async function show(on: Crontabs, site: LoadedWebsite, { now, crontab }: Showing): Promise<Crontab> {
  const timeZone = await on.timeZone()
  const { healthy, reason } = await on.cron.detect()
  const jobs = jobsIn(crontab)
  return {
    crontab,
    time_zone: timeZone,
    reason: healthy ? (site.is_suspended === 1 ? 'The website is suspended' : null) : reason,
    jobs: jobs.map(({ line, schedule, command }) => ({
      line,
      schedule,
      command,
      next_runs: nextRuns(schedule, now, { timeZone, count: shownNext }).map((each) => each.toISOString()),
    })),
    runs: crontab === '' ? [] : await runsOf(on, site, jobs),
  }
}

async function runsOf({ cron, users }: Crontabs, { id, username }: LoadedWebsite, jobs: readonly CronJob[]) {
  const account = await accountOf(users, username)
  if (account === undefined) return []
  const lines = new Map(jobs.map(({ line, command }) => [cron.digestOf(command), line]))
  const found = (await cron.listRuns(id, account)).slice(0, shownRuns)
  return Promise.all(
    found.map(async ({ name, startedAt, endedAt, status, digest, startedBy }) => ({
      line: lines.get(digest) ?? null,
      started_at: startedAt.toISOString(),
      ended_at: endedAt.toISOString(),
      exit_status: status,
      output: (await cron.readOutput(id, account, name)).slice(0, shownOutput),
      started_by: startedBy === 'cron' ? ('schedule' as const) : ('hand' as const),
    })),
  )
}

/** Replaces the crontab of a website. */
export async function replaceCrontab(
  on: Crontabs,
  site: LoadedWebsite,
  { crontab: given }: { readonly crontab: string },
  now: Date,
): Promise<Change<Crontab>> {
  const crontab = given.replaceAll('\r\n', '\n').replace(/\n$/, '')
  const owner = await findUserByUsername(on.users, site.username)
  assertAccepted(crontab, [site.username, ...(owner === undefined ? [] : [owner.email.toLowerCase()])])
  await assertOwner(on, site)
  const former = await on.queries.find(site.id)
  return change({
    summary: `Replace the crontab of ${site.domain}`,
    locks: websiteLocks([site.domain]),
    steps: [writing(on, site, crontab)],
    rows: [
      ...(former === undefined ? [] : [crontabs.delete({ website_id: site.id })]),
      ...(crontab === '' ? [] : [crontabs.insert(crontabs.row({ website_id: site.id, crontab }))]),
    ],
    reply: await show(on, site, { now, crontab }),
  })
}

/** The step that has cron run a crontab; a suspended website has none, and neither one without jobs. */
export function writing({ cron }: Crontabs, site: LoadedWebsite, crontab: string): Step {
  const { id: siteId, domain, username } = site
  const isEmpty = site.is_suspended === 1 || jobsIn(crontab).length === 0
  const content = isEmpty ? null : cron.renderCrontab({ siteId, domain, username, text: crontab })
  return step(cron.steps.writeCrontab, { siteId, content })
}

/** Returns the account under which the jobs of a website run, or fails with 503. */
export const assertOwner = ({ users }: Crontabs, { username }: LoadedWebsite): Promise<Account> =>
  loadAccount(users, username)

/** Returns the crontab of a website as its owner wrote it; empty if it has none. */
export const readCrontabText = async ({ queries }: Crontabs, websiteId: number): Promise<string> =>
  (await queries.find(websiteId))?.crontab ?? ''
