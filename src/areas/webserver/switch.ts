import Type from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { type WebServers, work } from './context.ts'
import { webServerLocks } from './locks.ts'
import { Overwrite, WebServerSwitch, WebServerSwitched } from './model.ts'
import { AlreadyServing, NotSwitchable } from './problems.ts'
import { servedSites } from './served-sites.ts'
import { assertReady, obstaclesOf } from './servers.ts'
import { webServer } from './store.ts'
import { titles } from './titles.ts'

/** Has the other web server serve all websites, or none of them. */
export const switching = work({
  kind: 'webserver.switch',
  input: Type.Object({ ...WebServerSwitch.properties, ...Overwrite.properties }),
  reply: WebServerSwitched,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ input, webserver }) => switchTo(webserver, input),
})

type Switching = WebServerSwitch & { readonly overwrite: boolean }

async function switchTo(
  on: WebServers,
  { server: to, overwrite }: Switching,
): Promise<Change<WebServerSwitched>> {
  const row = await on.queries.chosen()
  const from = row.active
  if (from === to) throw AlreadyServing(`server: ${titles[to]} serves the websites already`)
  const next = on.servers[to]
  await assertReady(on, to)
  const obstacles = await obstaclesOf(on, from, to)
  if (obstacles.length > 0) throw NotSwitchable(`server: ${shown(obstacles)}`)
  const served = await Promise.all(on.partsOf(servedSites).map((part) => part()))
  const files = served.flatMap((each) => each.files(next))
  const kept = new Set(files.map(({ domain }) => domain))
  const former = (await next.siteNames()).filter((domain) => !kept.has(domain))
  const sites = [...files, ...former.map((domain) => ({ domain, content: null }))]
  const visits = served.flatMap((each) => each.visits)
  return change({
    summary: `Serve the websites with ${titles[to]} instead of ${titles[from]}`,
    locks: [...webServerLocks, ...served.flatMap(({ locks }) => locks)],
    steps: [
      ...(sites.length === 0 ? [] : [step(next.steps.writeSites, { sites, overwrite })]),
      step(on.switchServer, { from, to, visits }),
    ],
    rows: [
      row.revision === 0
        ? webServer.insert(webServer.row({ id: 1, active: to }))
        : webServer.update(row, { active: to }),
    ],
    reply: { active: to, websites: files.length },
  })
}

const mostShown = 20

function shown(obstacles: Awaited<ReturnType<typeof obstaclesOf>>): string {
  const named = obstacles.slice(0, mostShown).map(({ domain, reason }) => `${domain}: ${reason}`)
  const more = obstacles.length - named.length
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}
