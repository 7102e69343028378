import { notify } from '../../../../web/kit/notices.tsx'
import { readAgain } from '../../../../web/queries.ts'
import { textOf } from '../../../../web/wire.ts'
import { calls, carryOut } from '../calls.ts'
import { askOnce, type Choice } from '../conflicts.ts'
import { shown } from '../names.ts'
import { joinPath, nameOf, parentOf } from '../paths.ts'
import { spotFor } from '../copy-move.ts'
import { stands, type Whose } from '../queries.ts'
import { Tracked } from '../tracked.ts'
import type { Wanted } from './dropped.ts'
import { cancelUpload, sendFile } from './parts.ts'

export type SendingState = 'waiting' | 'sending' | 'paused' | 'failed' | 'done' | 'skipped'

/** A file in the queue. */
export interface Sending {
  readonly key: number
  readonly whose: Whose
  readonly file: File
  readonly folder: string
  readonly state: SendingState
  readonly sent: number
  readonly failure?: string
  /** The reason for a temporary stall. */
  readonly trouble?: string
}

type Ask = ReturnType<typeof askOnce>

const atOnce = 2

/** The upload queue. It continues while other pages are open; uploads can be stopped and resumed. */
export class UploadQueue {
  readonly #rows = new Tracked<Sending>()
  readonly #running = new Map<number, AbortController>()
  /** Unfinished chunked uploads on the panel, by file key. */
  readonly #opened = new Map<number, number>()
  readonly #asks = new Map<number, Ask>()
  readonly #choices = new Map<number, Choice>()
  readonly #folders = new Map<string, Promise<unknown>>()
  readonly subscribe = this.#rows.subscribe
  readonly sendings = this.#rows.all

  /** Adds files; one answer can settle the name conflicts of all of them. */
  add(whose: Whose, wanted: readonly Wanted[]): void {
    const ask = askOnce()
    const added = wanted.map(({ file, folder }): Sending => ({
      key: this.#rows.newKey(),
      whose,
      file,
      folder,
      state: 'waiting',
      sent: 0,
    }))
    for (const { key } of added) this.#asks.set(key, ask)
    this.#rows.add(...added)
    this.#fill()
  }

  /** Creates the dropped folders that contain no file. */
  async makeFolders(whose: Whose, folders: readonly string[]): Promise<void> {
    for (const folder of folders) await this.#makeFolder(whose, folder)
  }

  pause(key: number): void {
    this.#rows.change(key, { state: 'paused' })
    this.#running.get(key)?.abort()
  }

  /** Resumes a stopped or failed upload. */
  resume(key: number): void {
    this.#rows.change(key, { state: 'waiting', failure: '' })
    this.#fill()
  }

  /** Removes a file from the queue and discards its sent parts. */
  drop(key: number): void {
    this.#rows.keep((each) => each.key !== key)
    this.#running.get(key)?.abort()
    const id = this.#opened.get(key)
    this.#opened.delete(key)
    if (id !== undefined) void cancelUpload(id).catch((error: unknown) => notify(textOf(error), true))
    this.#fill()
  }

  /** Returns the chunked uploads that this tab is sending. */
  readonly isBusyWith = (id: number): boolean => [...this.#opened.values()].includes(id)

  /** Removes finished uploads. */
  tidy(): void {
    this.#rows.keep(({ state }) => state !== 'done' && state !== 'skipped')
  }

  #fill(): void {
    while (this.#running.size < atOnce) {
      const next = this.#rows.all().find(({ key, state }) => state === 'waiting' && !this.#running.has(key))
      if (next === undefined) return
      const ending = new AbortController()
      this.#running.set(next.key, ending)
      this.#rows.change(next.key, { state: 'sending', trouble: '' })
      void this.#send(next, ending.signal).then(
        (state) => this.#end(next.key, { state, sent: next.file.size }),
        (error: unknown) =>
          this.#end(next.key, ending.signal.aborted ? {} : { state: 'failed', failure: textOf(error) }),
      )
    }
  }

  async #send({ key, whose, file, folder }: Sending, signal: AbortSignal): Promise<SendingState> {
    await this.#makeFolder(whose, folder)
    const wanted = joinPath(folder, file.name)
    const there = await stands(whose, wanted)
    const choice =
      there === undefined
        ? 'overwrite'
        : (this.#choices.get(key) ?? (await this.#ask(key, { file, folder, there })))
    const spot = await spotFor(whose, wanted, choice, there !== undefined)
    if (spot === 'skipped') return 'skipped'
    const onSent = (sent: number) => this.#rows.change(key, { sent: Math.min(sent, file.size) })
    const onOpened = (id: number) => void this.#opened.set(key, id)
    const onTrouble = (trouble: string) => this.#rows.change(key, { trouble })
    await sendFile({
      whose,
      file,
      folder: parentOf(spot.path),
      name: nameOf(spot.path),
      overwrite: spot.overwrite,
      onSent,
      onOpened,
      onTrouble,
      signal,
    })
    this.#opened.delete(key)
    return 'done'
  }

  async #ask(
    key: number,
    {
      file,
      folder,
      there,
    }: {
      readonly file: File
      readonly folder: string
      readonly there: NonNullable<Awaited<ReturnType<typeof stands>>>
    },
  ) {
    const comes = { size_bytes: file.size, modified_at: new Date(file.lastModified).toISOString() }
    const ask = this.#asks.get(key) ?? askOnce()
    const choice = await ask({ label: file.name, folder: shown(folder), isFolder: false, there, comes })
    this.#choices.set(key, choice)
    return choice
  }

  /** Creates the folders of a dropped folder once; an existing folder is not an error. */
  #makeFolder(whose: Whose, folder: string): Promise<unknown> {
    const name = JSON.stringify([whose, folder])
    const made = this.#folders.get(name) ?? this.#makeIfAbsent(whose, folder)
    this.#folders.set(name, made)
    return made.finally(() => this.#folders.delete(name))
  }

  async #makeIfAbsent(whose: Whose, folder: string): Promise<void> {
    if (folder === '' || (await stands(whose, folder)) !== undefined) return
    await this.#makeFolder(whose, parentOf(folder))
    await carryOut(calls.mkdir(whose, folder))
  }

  #end(key: number, change: Partial<Sending>): void {
    this.#running.delete(key)
    this.#rows.change(key, change)
    if (change.state === 'done') void readAgain('files', 'uploads')
    this.#fill()
  }
}

/** The upload queue of this tab. */
export const uploads = new UploadQueue()
