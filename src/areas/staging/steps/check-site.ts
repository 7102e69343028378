import type { StepKind } from '../../../core/change.ts'
import { pause } from '../../../core/poll.ts'
import { SiteFails } from '../problems.ts'

interface Visited {
  readonly domain: string
  readonly isTls: boolean
}

export interface CheckArgs extends Visited {
  /** The status before anything was replaced; null if there was no answer. */
  readonly before: string | null
}

/** Visits a website through the web server of this host; returns its status, with what else it must not be, or undefined without an answer. */
export type VisitSite = (site: Visited) => Promise<string | undefined>

/** For as long as PHP may still use what it has read of the former files (opcache.revalidate_freq). */
const settlesMs = 2500
const attempts = 5
const everyMs = 1000

/** The step that fails unless a website answers as well as before; the steps before it are then undone. */
export function checkSite(visit: VisitSite, wait = pause): StepKind<CheckArgs, null, null> {
  return {
    name: 'staging.check-site',
    plan: ({ domain }) => ({
      title: `Check that ${domain} answers; otherwise all of it is put back`,
    }),
    observe: async () => null,
    act: async (args, { signal, progress }) => {
      progress(null, `Checking ${args.domain}`)
      await wait(settlesMs, signal)
      let status: string | undefined
      for (let attempt = 0; attempt < attempts && !signal.aborted; attempt++) {
        if (attempt > 0) await wait(everyMs, signal)
        status = await visit(args)
        if (isRight(status, args)) return null
      }
      throw SiteFails(
        `${args.domain} answered ${args.before ?? 'nothing'} before and ${status ?? 'nothing'} now`,
      )
    },
    undo: async () => {},
    check: async (args) => (isRight(await visit(args), args) ? 'wanted' : 'before'),
    notUndone: 'it changes nothing',
  }
}

const isRight = (status: string | undefined, { before }: CheckArgs): boolean =>
  (status !== undefined && Number(status) < 400) || (status ?? null) === before
