import type { Asking } from './asking.ts'
import { replyLimits } from './asking.ts'
import type { Call } from './confined/call.ts'
import { trash } from './confined/paths.ts'
import { problemOf } from './failures.ts'
import { nameFields } from './paths.ts'
import { replies } from './replies.ts'
import type { TrashItem } from './shapes.ts'

/** The trash of a hosting user. */
export class OwnerTrash {
  readonly #asking: Asking

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** Lists the trash, newest first. */
  async list(
    options: { readonly page?: number; readonly perPage?: number } = {},
  ): Promise<{ readonly items: TrashItem[]; readonly total: number }> {
    const { page = 1, perPage = 50 } = options
    const found = await this.#asking.ask({
      request: { op: 'trash', offset: (page - 1) * perPage, limit: perPage },
      reply: replies.trash,
      about: 'the trash',
      limit: replyLimits.list,
    })
    const items = found.entries.slice(0, perPage).map(({ id, path, type, size, deletedMs }) => {
      const { name, ...bytes } = nameFields(path)
      return {
        id,
        path: name,
        ...('name_b64' in bytes ? { path_b64: bytes.name_b64 } : {}),
        type,
        size_bytes: size,
        deleted_at: new Date(deletedMs).toISOString(),
      }
    })
    return { items, total: found.total }
  }

  /** Returns the figure of `du -sb` for the whole trash: about the space that emptying it frees. */
  async size(options: { readonly signal?: AbortSignal } = {}): Promise<{ readonly bytes: number }> {
    if ((await this.list({ perPage: 1 })).total === 0) return { bytes: 0 }
    const request: Call = { op: 'dirsize', path: trash }
    return this.#asking.ask({
      request,
      reply: replies.size,
      about: 'the trash',
      signal: options.signal,
      onNote: () => {},
    })
  }

  /** Restores entries to their original paths, in order up to the first failure. */
  async restore(
    ids: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<{ readonly changed: number }> {
    return this.#asking.ask({
      request: { op: 'restore', ids: ids.map(trashId) },
      reply: replies.changed,
      about: trashed,
      signal: options.signal,
      onNote: () => {},
    })
  }

  /** Removes entries of the trash for good, all of them if none is named. */
  async empty(
    ids?: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<{ readonly changed: number }> {
    const request: Call = { op: 'empty', ...(ids === undefined ? {} : { ids: ids.map(trashId) }) }
    return this.#asking.ask({
      request,
      reply: replies.changed,
      about: trashed,
      signal: options.signal,
      onNote: () => {},
    })
  }
}

// Failures name an entry by its id.
const trashed = { field: 'ids', path: 'the trash' }

function trashId(id: string): string {
  if (!/^[a-z0-9-]{1,60}$/.test(id))
    throw problemOf({ code: 'BADPATH', why: 'not an id in the trash' }, { field: trashed.field, path: id })
  return id
}
