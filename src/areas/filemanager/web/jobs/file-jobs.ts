import { jobs } from '../../../jobs/web/api.ts'
import { run } from '../../../../web/client.ts'
import { followJob } from '../../../../web/kit/job-feed.ts'
import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { textOf } from '../../../../web/wire.ts'
import { filemanager } from '../api.ts'
import type { Whose } from '../queries.ts'
import { Tracked } from '../tracked.ts'
import { Semaphore } from '../../../../core/semaphore.ts'
import { doneText, type JobVerb, type Result } from './job-text.ts'

/** A job that compresses, extracts, moves, copies or downloads files. */
export interface FileJob {
  readonly key: number
  readonly jobId: number
  readonly verb: JobVerb
  /** The name of the file that it works on; the first of many. */
  readonly name: string
  readonly count: number
  readonly percent: number | null
  readonly text: string
  readonly state: 'working' | 'failed'
  /** Set after a delay, so that short jobs do not flash. */
  readonly isShown: boolean
}

/** The details of a job that was started. */
export interface Begun extends Pick<FileJob, 'jobId' | 'verb' | 'name' | 'count'> {
  /** The success message, if the page that started the job has a better one. */
  readonly done?: string
}

const momentMs = 600
const mostFollowed = 3 // a browser allows six connections per host, and each stream takes one

/** The file jobs that this tab follows. They continue if the tab is closed. */
export class FileJobs {
  readonly #rows = new Tracked<FileJob>()
  readonly #semaphore = new Semaphore(mostFollowed)
  readonly subscribe = this.#rows.subscribe
  readonly all = this.#rows.all

  /** Follows a job to its end. Only failed jobs stay in the list. */
  async follow({ done, ...begun }: Begun, showAfterMs = momentMs): Promise<void> {
    if (this.all().some(({ jobId }) => jobId === begun.jobId)) return
    const key = this.#rows.newKey()
    this.#rows.add({
      ...begun,
      key,
      percent: null,
      text: 'Waiting …',
      state: 'working',
      isShown: showAfterMs === 0,
    })
    const show = setTimeout(() => this.#rows.change(key, { isShown: true }), showAfterMs)
    try {
      const result = await this.#semaphore.run(() => this.#ended(key, begun.jobId))
      this.dismiss(key)
      notify(done ?? doneText(begun, result))
    } catch (error) {
      if (error instanceof Cancelled) this.dismiss(key)
      else this.#rows.change(key, { state: 'failed', text: textOf(error), isShown: true })
    } finally {
      clearTimeout(show)
      await readAgain('files', 'trash', 'history', 'vcs')
    }
  }

  /** GET /filemanager/jobs: follows the active jobs again, for example after a page reload. */
  async find(whose: Whose, signal: AbortSignal): Promise<void> {
    const { items } = await run(filemanager.listActiveJobs({ query: whose }), signal)
    for (const { job_id: jobId, verb, name, count } of items)
      void this.follow({ jobId, verb, name, count }, 0)
  }

  /** Asks the panel to stop a job; its row disappears when it has ended. */
  async cancel({ key, jobId }: FileJob): Promise<void> {
    this.#rows.change(key, { text: 'Stopping …' })
    await run(jobs.stopJob({ params: { id: jobId } })).catch((error: unknown) => notify(textOf(error), true))
  }

  dismiss(key: number): void {
    this.#rows.keep((row) => row.key !== key)
  }

  /** Removes failed jobs from the list. */
  tidy(): void {
    this.#rows.keep(({ state }) => state === 'working')
  }

  /** Returns the result of a job; throws an error with the tool's message. */
  async #ended(key: number, jobId: number): Promise<Result> {
    const { state, message, error } = await followJob(jobId, ({ percent, message: text, isLost }) =>
      this.#rows.change(key, { percent, text: isLost ? 'the connection was lost; reconnecting …' : text }),
    )
    if (error !== undefined) throw error
    if (state === 'cancelled') throw new Cancelled()
    if (state !== 'succeeded')
      throw new Error(message.replace(fieldFirst, '') || `The job was ${state ?? 'lost'}`)
    return (await run(jobs.getJob({ params: { id: jobId } }))).result as Result
  }
}

const fieldFirst = /^[a-z_]+: / // job messages start with a request field that is not shown here

class Cancelled extends Error {}

/** The jobs of this tab. */
export const fileJobs = new FileJobs()
