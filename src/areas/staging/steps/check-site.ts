import type { StepKind } from '../../../core/change.ts'
import { pause } from '../../../core/poll.ts'
import { SiteFails } from '../problems.ts'

export interface CheckArgs {
  readonly domain: string
  readonly isTls: boolean
}

/** Visits a website through the web server of this host; returns its status, or undefined without an answer. */
export type VisitSite = (args: CheckArgs) => Promise<string | undefined>

interface Before {
  readonly status: string | null
}

/** For as long as PHP may still use what it has read of the former files (opcache.revalidate_freq). */
const settlesMs = 2500
const attempts = 5
const everyMs = 1000

/** The step that fails unless a website answers as well as before; the steps before it are then undone. */
export function checkSite(visit: VisitSite, wait = pause): StepKind<CheckArgs, Before, null> {
  return {
    name: 'staging.check-site',
    plan: ({ domain }) => ({
      title: `Check that ${domain} answers; otherwise all of it is put back`,
    }),
    observe: async (args) => ({ status: (await visit(args)) ?? null }),
    act: async (args, { before, signal, progress }) => {
      progress(null, `Checking ${args.domain}`)
      await wait(settlesMs, signal)
      let status: string | undefined
      for (let attempt = 0; attempt < attempts && !signal.aborted; attempt++) {
        if (attempt > 0) await wait(everyMs, signal)
        status = await visit(args)
        if (isRight(status, before)) return null
      }
      throw SiteFails(
        `${args.domain} answered ${before.status ?? 'nothing'} before and ${status ?? 'nothing'} now: it was put back as it was`,
      )
    },
    undo: async () => {},
    check: async (args, before) => (isRight(await visit(args), before) ? 'wanted' : 'before'),
    notUndone: 'it changes nothing',
  }
}

const isRight = (status: string | undefined, before: Before): boolean =>
  (status !== undefined && Number(status) < 400) || (status ?? null) === before.status
