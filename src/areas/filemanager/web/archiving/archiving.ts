import { run } from '../../../../web/client.ts'
import { followJob } from '../../../../web/kit/job-feed.ts'
import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { wordsOf } from '../../../../web/wire.ts'
import { Tracked } from '../tracked.ts'

/** An archive that is being packed or unpacked by a job of the panel. */
export interface Archiving {
  readonly key: number
  readonly jobId: number
  readonly verb: 'pack' | 'unpack'
  readonly name: string
  readonly percent: number | null
  readonly words: string
  readonly state: 'working' | 'failed'
  /** Not before it has taken a moment, so that small ones do not flash. */
  readonly isShown: boolean
}

/** What is done once a job has succeeded; gives the words that tell of it. */
export type Finish<Result> = (result: Result) => string | Promise<string>

const momentMs = 600

/** The archives that this tab had packed or unpacked. The jobs go on without it. */
export class Archivings {
  readonly #rows = new Tracked<Archiving>()
  readonly subscribe = this.#rows.subscribe
  readonly all = this.#rows.all

  /** Follows a job to its end. Only what failed stays in the list. */
  async follow<Result>({ jobId, verb, name }: Pick<Archiving, 'jobId' | 'verb' | 'name'>, finish: Finish<Result>): Promise<void> {
    const key = this.#rows.newKey()
    this.#rows.add({ key, jobId, verb, name, percent: null, words: 'Waiting …', state: 'working', isShown: false })
    const show = setTimeout(() => this.#rows.change(key, { isShown: true }), momentMs)
    try {
      const words = await finish(await this.#ended<Result>(key, jobId))
      this.dismiss(key)
      notify(words)
    } catch (error) {
      if (error instanceof Cancelled) this.dismiss(key)
      else this.#rows.change(key, { state: 'failed', words: wordsOf(error), isShown: true })
    } finally {
      clearTimeout(show)
      await readAgain('files')
    }
  }

  /** Asks the panel to stop; the row goes when the job has ended. */
  async cancel({ key, jobId }: Archiving): Promise<void> {
    this.#rows.change(key, { words: 'Stopping …' })
    await run({ method: 'POST', path: `/jobs/${jobId}/cancel` }).catch((error: unknown) => notify(wordsOf(error), true))
  }

  dismiss(key: number): void {
    this.#rows.keep((row) => row.key !== key)
  }

  /** Takes out what failed. */
  tidy(): void {
    this.#rows.keep(({ state }) => state === 'working')
  }

  /** Gives what the job brought; throws in the words of the tool. */
  async #ended<Result>(key: number, jobId: number): Promise<Result> {
    const { state, message, error } = await followJob(jobId, ({ percent, message: words, isLost }) =>
      this.#rows.change(key, { percent, words: isLost ? 'the connection was lost; reconnecting …' : words }),
    )
    if (error !== undefined) throw error
    if (state === 'cancelled') throw new Cancelled()
    if (state !== 'succeeded') throw new Error(message.replace(fieldFirst, '') || `The job was ${state ?? 'lost'}`)
    return (await run<{ readonly result: Result }>({ method: 'GET', path: `/jobs/${jobId}` })).result
  }
}

const fieldFirst = /^[a-z_]+: / // the words of a job name the field of a request, which nobody sees here

class Cancelled extends Error {}

/** The archives of this tab. */
export const archivings = new Archivings()
