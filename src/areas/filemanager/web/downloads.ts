import type { Call } from '../../../web/call.ts'
import { request } from '../../../web/client.ts'
import { textOf } from '../../../web/wire.ts'
import { Semaphore } from '../../../core/semaphore.ts'
import { filemanager } from './api.ts'
import { leadOf, targetOf, textOfNowhere } from './links.ts'
import { shown, wirePath } from './names.ts'
import { nameOf } from './paths.ts'
import { type Item, sizeBehind, statOf, type Whose } from './queries.ts'
import { isLarge, memorySink, type Sink, type Target, targetsFor } from './targets.ts'
import { Tracked } from './tracked.ts'

/** A download in the list. */
export interface Download {
  readonly key: number
  readonly name: string
  readonly got: number
  /** Unknown for archives, which are created while they are downloaded. */
  readonly size: number | undefined
  readonly state: 'waiting' | 'coming' | 'done' | 'failed'
  readonly failure?: string
  /** A large download that must be kept in memory because the browser cannot write to disk. */
  readonly isHeld?: boolean
}

/** A requested download and its file name. */
interface Order {
  readonly call: Call
  readonly name: string
  readonly size: number | undefined
}

type Wanted = Pick<Item, 'path' | 'type' | 'size_bytes' | 'link_target'>

const mostAtOnce = 2 // a browser allows six connections per host, and uploads and jobs need some

/** The downloads of this tab, made with `fetch` because a plain link cannot send the token. */
export class Downloads {
  readonly #rows = new Tracked<Download>()
  readonly #semaphore = new Semaphore(mostAtOnce)
  readonly #orders = new Map<number, Order>()
  readonly #endings = new Map<number, AbortController>()
  readonly subscribe = this.#rows.subscribe
  readonly all = this.#rows.all

  /** GET /filemanager/download for each; a folder is sent as an archive. */
  async start(whose: Whose, items: readonly Wanted[], archive: 'zip' | 'tar.gz' = 'zip'): Promise<void> {
    // a browser shows a save dialog only shortly after a click
    const isAtOnce = items.every(({ type }) => type !== 'link')
    const orders = isAtOnce
      ? items.map((item) => orderOf(whose, item, archive))
      : await Promise.all(
          items.map(async (item) => orderOf(whose, await followed(whose, item), archive, item.path)),
        )
    await this.#take(orders.map((order) => this.#note(order)))
  }

  /** Downloads one file and reports progress; resolves even on failure, which the list shows. */
  fetch(order: Order): Promise<void> {
    return this.#take([this.#note(order)])
  }

  /** Retries a failed download. */
  again(key: number): Promise<void> {
    this.#rows.change(key, { state: 'waiting', got: 0, failure: '' })
    return this.#take([key])
  }

  /** Stops a download, or removes a finished one from the list. */
  drop(key: number): void {
    this.#endings.get(key)?.abort()
    this.#forget([key])
  }

  /** Removes finished downloads. */
  tidy(): void {
    this.#forget(
      this.all()
        .filter(({ state }) => state === 'done' || state === 'failed')
        .map(({ key }) => key),
    )
  }

  #note(order: Order): number {
    const key = this.#rows.newKey()
    this.#orders.set(key, order)
    this.#rows.add({ key, name: order.name, got: 0, size: order.size, state: 'waiting' })
    return key
  }

  #forget(keys: readonly number[]): void {
    for (const key of keys) this.#orders.delete(key)
    this.#rows.keep(({ key }) => !keys.includes(key))
  }

  /** Asks for the destinations and starts the downloads. */
  async #take(keys: readonly number[]): Promise<void> {
    try {
      const targets = await targetsFor(keys.flatMap((key) => this.#orders.get(key) ?? []))
      await Promise.all(keys.map((key, index) => this.#semaphore.run(() => this.#bring(key, targets[index]))))
    } catch (error) {
      if (isDismissed(error)) this.#forget(keys)
      else for (const key of keys) this.#rows.change(key, { state: 'failed', failure: textOf(error) })
    }
  }

  async #bring(key: number, target: Target): Promise<void> {
    const order = this.#orders.get(key)
    if (order === undefined) return // removed while it was queued
    const ending = new AbortController()
    this.#endings.set(key, ending)
    this.#rows.change(key, { state: 'coming', isHeld: target === undefined && isLarge(order) })
    try {
      const answer = await request(order.call, ending.signal)
      await pour(answer, await (target?.() ?? memorySink(order.name)), (got) =>
        this.#rows.change(key, { got }),
      )
      this.#rows.change(key, { state: 'done' })
    } catch (error) {
      if (ending.signal.aborted) this.#forget([key])
      else this.#rows.change(key, { state: 'failed', failure: textOf(error) })
    } finally {
      this.#endings.delete(key)
    }
  }
}

/** The downloads of this tab. */
export const downloads = new Downloads()

function orderOf(
  whose: Whose,
  { path, type, size_bytes: size }: Wanted,
  archive: 'zip' | 'tar.gz',
  named = path,
): Order {
  const isFolder = type === 'folder'
  const plain = shown(nameOf(named)) || 'home'
  const query = { ...whose, ...wirePath(path), ...(isFolder && { archive }) }
  return {
    call: filemanager.download({ query }),
    name: isFolder ? `${plain}.${archive}` : plain,
    size: isFolder ? undefined : size,
  }
}

/**
 * Returns the target of a link as an entry; a folder is packed at its real path, as archives do not follow
 * links.
 */
async function followed(whose: Whose, item: Wanted): Promise<Wanted> {
  if (item.type !== 'link') return item
  const lead = await leadOf(whose, item.path)
  if (lead === 'nowhere') throw new Error(textOfNowhere(item))
  if (lead === 'file') return { ...item, type: 'file', size_bytes: await sizeBehind(whose, item.path) }
  const path = targetOf(item)
  if (path === undefined || (await statOf(whose, path)).type !== 'folder')
    throw new Error(
      `${shown(item.path)} is a link to ${shown(item.link_target ?? '')}: open it, and download from there.`,
    )
  return { path, type: 'folder', size_bytes: 0 }
}

async function pour(answer: Response, sink: Sink, onGot: (bytes: number) => void): Promise<void> {
  const reader = answer.body?.getReader()
  let got = 0
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      await sink.write(part.value)
      onGot((got += part.value.length))
    }
    await sink.close()
  } catch (error) {
    await sink.abort()
    throw error
  }
}

const isDismissed = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
