import { type Query, request } from '../../../web/client.ts'
import { wordsOf } from '../../../web/wire.ts'
import { shown, wirePath } from './names.ts'
import { nameOf } from './paths.ts'
import type { Item, Whose } from './queries.ts'
import { Tracked } from './tracked.ts'

/** A file on its way to the reader. */
export interface Download {
  readonly key: number
  readonly name: string
  readonly got: number
  /** Unknown for archives, which are made on the way. */
  readonly size: number | undefined
  readonly state: 'coming' | 'done' | 'failed'
  readonly failure?: string
}

/** What takes the bytes: a file of the reader's, or the memory until all is there. */
interface Sink {
  readonly write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  readonly close: () => Promise<void>
  readonly abort: () => Promise<void>
}

type SaveFilePicker = (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>

const straightToDiskBytes = 200 * 1024 * 1024
const addressMs = 60_000

/** Downloads of this tab: with a token, which a plain link cannot carry, and therefore by hand. */
export class Downloads {
  readonly #rows = new Tracked<Download>()
  readonly #endings = new Map<number, AbortController>()
  readonly subscribe = this.#rows.subscribe
  readonly all = this.#rows.all

  /** GET /filemanager/download; a folder comes as an archive. */
  async start(whose: Whose, item: Pick<Item, 'path' | 'type' | 'size_bytes'>, archive: 'zip' | 'tar.gz' = 'zip'): Promise<void> {
    const isFolder = item.type === 'folder'
    const plain = shown(nameOf(item.path)) || 'home'
    const query: Query = { ...whose, ...wirePath(item.path), ...(isFolder && { archive }) }
    await this.fetch({
      path: '/filemanager/download',
      query,
      name: isFolder ? `${plain}.${archive}` : plain,
      size: isFolder ? undefined : item.size_bytes,
    })
  }

  /** Fetches a file, and tells how far it is; resolves also where it failed, which the list says. */
  async fetch({
    path,
    query,
    name,
    size,
  }: {
    readonly path: string
    readonly query: Query
    readonly name: string
    readonly size: number | undefined
  }): Promise<void> {
    const key = this.#rows.newKey()
    const ending = new AbortController()
    this.#endings.set(key, ending)
    this.#rows.add({ key, name, got: 0, size, state: 'coming' })
    try {
      const sink = await openSink(name, size)
      const answer = await request({ method: 'GET', path, query }, ending.signal)
      await pour(answer, sink, (got) => this.#rows.change(key, { got }))
      this.#rows.change(key, { state: 'done' })
    } catch (error) {
      if (ending.signal.aborted || isDismissed(error)) this.drop(key)
      else this.#rows.change(key, { state: 'failed', failure: wordsOf(error) })
    } finally {
      this.#endings.delete(key)
    }
  }

  /** Stops a download, or takes it out of the list where it is over. */
  drop(key: number): void {
    this.#endings.get(key)?.abort()
    this.#rows.keep((each) => each.key !== key)
  }

  /** Takes out what is over. */
  tidy(): void {
    this.#rows.keep(({ state }) => state === 'coming')
  }
}

/** The downloads of this tab. */
export const downloads = new Downloads()

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

/** Large files go straight to the reader's disk where the browser can do that; it asks where to. */
async function openSink(name: string, size: number | undefined): Promise<Sink> {
  const picker: SaveFilePicker | undefined = Reflect.get(globalThis, 'showSaveFilePicker')
  if (picker !== undefined && size !== undefined && size > straightToDiskBytes) {
    const file = await (await picker({ suggestedName: name })).createWritable()
    return { write: (chunk) => file.write(chunk), close: () => file.close(), abort: () => file.abort() }
  }
  const chunks: Uint8Array<ArrayBuffer>[] = []
  return { write: async (chunk) => void chunks.push(chunk), close: async () => keep(new Blob(chunks), name), abort: async () => {} }
}

/** Hands bytes to the browser as a file. */
function keep(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), addressMs)
}

const isDismissed = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'
