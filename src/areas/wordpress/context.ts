import { area } from '../../core/area.ts'
import { pause } from '../../core/poll.ts'
import { fetchSitePage } from '../../tools/site-client.ts'
import { type Applications, applications } from '../applications/index.ts'
import type { Deps } from '../deps.ts'
import { type Backups, openRewind, sitebackups } from '../sitebackups/index.ts'
import { type Homes, openHomes, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { deliver } from './packages.ts'
import { type AskWordPress, openWordPress } from './run-script.ts'
import { faultOf, type FindFault } from './site-check.ts'
import { alterItems } from './steps/alter.ts'
import { setItemState } from './steps/set-state.ts'
import { lintPhp, setFileEditing } from './steps/set-file-editing.ts'
import { writeSignIn } from './steps/write-sign-in.ts'

/** The WordPress of websites, as the verbs of the area reach them. */
export interface WordPresses {
  readonly applications: Pick<Applications, 'queries'>
  readonly websites: Websites
  readonly backups: Backups
  readonly ask: AskWordPress
  /** Why a website fails; undefined if it answers. */
  readonly faultOf: FindFault
  readonly fetchPage: typeof fetchSitePage
  readonly ownerOf: Homes['ownerOf']
  readonly homeOf: Homes['homeOf']
  readonly steps: ReturnType<typeof stepsOf>
}

/** PHP looks at changed files every two seconds (opcache.revalidate_freq). */
const settleMs = 3000

/** Binds the area to the websites, their backups and the owners. */
export function openWordPresses({ host, tools, use }: Deps): WordPresses {
  const { ownerOf, homeOf } = openHomes(host, use(users).users)
  const ask = openWordPress({
    files: host.files,
    ownerOf,
    homeOf,
    socketOf: async () => (await tools.mariadb.readEndpoint()).socketPath,
  })
  const backups = use(sitebackups).backups
  const parts = {
    ...{ ask, ownerOf, homeOf, rewind: openRewind(backups) },
    deliver: deliver(host.fetch),
    lint: lintPhp,
    faultOf: faultOf(fetchSitePage),
    settle: (signal: AbortSignal) => pause(settleMs, signal),
  }
  return {
    applications: use(applications).applications,
    websites: use(websites).websites,
    backups,
    ask,
    faultOf: parts.faultOf,
    fetchPage: fetchSitePage,
    ownerOf,
    homeOf,
    steps: stepsOf(parts),
  }
}

type StepParts = Parameters<typeof alterItems>[0] &
  Parameters<typeof setItemState>[0] &
  Parameters<typeof setFileEditing>[0] &
  Parameters<typeof writeSignIn>[0]

const stepsOf = (parts: StepParts) => ({
  alter: alterItems(parts),
  setState: setItemState(parts),
  setFileEditing: setFileEditing(parts),
  writeSignIn: writeSignIn(parts),
})

export interface Context {
  readonly wordpress: WordPresses
}

export const { endpoint, work } = area.of<Context>()
