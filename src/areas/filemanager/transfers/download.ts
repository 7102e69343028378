import { Problem } from '../../../core/problem.ts'
import { type Asker, type Fetch, fetchProblems, readUrl } from '../../../host/fetch/index.ts'
import { type Previewing, ownerProblems, type Owner } from '../../../host/owner/index.ts'
import { counted } from '../count-text.ts'
import { uploadLimitBytes } from '../model.ts'
import { childOf, type TextPath } from '../paths.ts'
import { found } from '../steps/files.ts'
import { nameFromUrl, numbered } from './url-name.ts'

/** A file to download into a folder of a home. */
export interface Order {
  readonly fetch: Fetch
  readonly owner: Owner
  /** Name of the hidden file that receives the bytes. */
  readonly name: string
  readonly folder: TextPath
  readonly url: string
  readonly asker: Asker
  readonly signal: AbortSignal
  readonly onProgress?: (endBytes: number, sizeBytes: number | undefined) => void
  /** Reads and stores the validator of the file's version between attempts. */
  readonly version?: {
    read(): Promise<string | undefined>
    keep(validator: string | undefined): Promise<void>
  }
}

export interface Downloaded {
  readonly file: string
  readonly size_bytes: number
}

const mostNumbers = 1000

/** Downloads a file and gives it a free name in the folder. After a failure the received bytes stay for the next attempt; `drop` removes them. */
export async function download(order: Order): Promise<Downloaded> {
  await requireFolder(order.owner, order.folder)
  const size_bytes = await receive(order)
  return { file: await placeFree(order), size_bytes }
}

/** Removes the received bytes of a download. */
export async function drop(order: Pick<Order, 'owner' | 'name' | 'folder'>): Promise<void> {
  await order.owner.uploads.of(order.name, order.folder).cut()
}

/** Returns the name that a download would get now; throws if the destination is not a folder. */
export async function previewFile({
  owner,
  folder,
  url,
}: Pick<Order, 'owner' | 'folder' | 'url'>): Promise<TextPath> {
  await requireFolder(owner, folder)
  const wanted = nameFromUrl(readUrl(url))
  for (let number = 0; number < mostNumbers; number++) {
    const path = childOf(folder, { field: 'url', path: numbered(wanted, number) })
    if ((await found(owner, path)) === undefined) return path
  }
  throw allTaken(wanted)
}

/** Describes a download for its plan; also throws if the folder cannot take a file or the home cannot take bytes. */
export async function previewPlace(
  order: Pick<Order, 'owner' | 'folder' | 'url'>,
): Promise<readonly string[]> {
  const path = await previewFile(order)
  const begun = (one: Previewing) => one.uploads.of('previewed', path)
  await order.owner.preview((one) => begun(one).open(0))
  await order.owner.preview((one) => begun(one).place({ ifAbsent: true }))
  return [
    `Makes ${path.path}, or a file with the next number where that name is taken by then; nothing is replaced`,
    `How large it is only the server tells; at most ${counted(uploadLimitBytes, 'byte')} are received`,
  ]
}

// The trailing slash requires a folder, also behind a link.
async function requireFolder(owner: Owner, folder: TextPath): Promise<void> {
  const found = await owner.stat({
    ...folder,
    path: folder.path === '' ? '' : `${folder.path.replace(/\/+$/, '')}/`,
  })
  if (found.type !== 'folder')
    throw ownerProblems.NotAFolder(`${folder.field}: ${folder.path} is not a folder`)
}

async function receive({
  fetch,
  owner,
  name,
  folder,
  url,
  asker,
  signal,
  onProgress,
  version,
}: Order): Promise<number> {
  const parts = owner.uploads.of(name, folder)
  const [offset, validator] = [await parts.size(), await version?.read()]
  const from = offset > 0 && validator !== undefined ? { offset, validator } : undefined
  const wanted = {
    url,
    asker,
    signal,
    maxBytes: uploadLimitBytes,
    ...(from && { from }),
    ...(onProgress && { onProgress }),
  }
  const fetched = await fetch.open(wanted)
  if (offset > 0 && fetched.offset === 0) await parts.cut()
  await version?.keep(fetched.validator)
  const { outcome, size } = await parts.append(fetched.stream, {
    offset: fetched.offset,
    maxBytes: uploadLimitBytes - fetched.offset,
    signal,
  })
  if (outcome !== 'appended') throw fetchProblems.FetchFailed('url: the part received earlier has changed')
  return size
}

// A taken name gets a number, as in browsers; existing files are never replaced.
async function placeFree({ owner, name, folder, url, signal }: Order): Promise<string> {
  const wanted = nameFromUrl(readUrl(url))
  for (let number = 0; number < mostNumbers; number++) {
    const path = childOf(folder, { field: 'url', path: numbered(wanted, number) })
    try {
      await owner.uploads.of(name, path).place({ ifAbsent: true, signal })
      return path.path
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
  throw allTaken(wanted)
}

function allTaken(wanted: string): Error {
  return ownerProblems.AlreadyThere(`url: ${mostNumbers} files named ${wanted} already exist`)
}

function isTaken(error: unknown): boolean {
  return (
    error instanceof Problem &&
    (error.kind === ownerProblems.AlreadyThere ||
      error.kind === ownerProblems.IsAFolder ||
      error.kind === ownerProblems.NotAFile)
  )
}
