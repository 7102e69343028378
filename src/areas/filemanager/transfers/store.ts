import type { ListQuery, Page } from '../../../core/reply.ts'
import { readPage } from '../../../store/page.ts'
import type { Store } from '../../../store/store.ts'

export interface UploadRow {
  readonly id: number
  /** The panel user who opened the upload; only this user may continue it. */
  readonly user_id: number
  readonly username: string
  /** Name of the hidden file that receives the parts. */
  readonly name: string
  /** JSON, because a path may contain bytes that are not text. */
  readonly path: string
  readonly size_bytes: number
  readonly sha256: string | null
  readonly if_match: string | null
  readonly overwrite: number
  readonly state: 'open' | 'done'
  /** Number of bytes in parts that were received completely, with their checksum verified if they have one. */
  readonly firm_bytes: number
  /** Etag of the parts file just before it is renamed to its destination. */
  readonly sealed_etag: string | null
  /** JSON of the write result, once the upload is done. */
  readonly file: string | null
  readonly created_at: string
  readonly expires_at: string
}

/** A download run by a job. */
export interface DownloadRow {
  readonly job_id: number
  /** The validator that identifies the version of the partly received file. */
  readonly validator: string
}

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly file_uploads: UploadRow
    readonly file_downloads: DownloadRow
  }
}

/** Returns the queries on uploads in parts. */
export function uploadQueries({ db }: Store) {
  const update = async (id: number, set: Partial<UploadRow>) => {
    await db.updateTable('file_uploads').set(set).where('id', '=', id).execute()
  }
  return {
    byId: (id: number): Promise<UploadRow | undefined> =>
      db.selectFrom('file_uploads').selectAll().where('id', '=', id).executeTakeFirst(),
    page: (query: ListQuery, userId: number): Promise<Page<UploadRow>> =>
      readPage(
        db.selectFrom('file_uploads').selectAll().where('user_id', '=', userId).where('state', '=', 'open'),
        query,
        { search: [] },
      ),
    countOpen: async (username: string): Promise<number> => {
      const { count } = await db
        .selectFrom('file_uploads')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('username', '=', username)
        .where('state', '=', 'open')
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    expired: (now: Date): Promise<readonly UploadRow[]> =>
      db
        .selectFrom('file_uploads')
        .selectAll()
        .where('expires_at', '<', now.toISOString())
        .limit(1000)
        .execute(),
    extend: (id: number, expiresAt: Date) => update(id, { expires_at: expiresAt.toISOString() }),
    firm: (id: number, firmBytes: number) => update(id, { firm_bytes: firmBytes }),
    seal: (id: number, etag: string) => update(id, { sealed_etag: etag }),
    finish: (id: number, file: object) => update(id, { state: 'done', file: JSON.stringify(file) }),
    remove: async (id: number) => {
      await db.deleteFrom('file_uploads').where('id', '=', id).execute()
    },
  }
}

export type UploadQueries = ReturnType<typeof uploadQueries>

/** Returns the queries on downloads run by jobs. */
export function downloadQueries({ db }: Store) {
  return {
    validatorOf: async (jobId: number): Promise<string | undefined> =>
      (
        await db
          .selectFrom('file_downloads')
          .select('validator')
          .where('job_id', '=', jobId)
          .executeTakeFirst()
      )?.validator,
    keepValidator: async (jobId: number, validator: string | undefined): Promise<void> => {
      await db.deleteFrom('file_downloads').where('job_id', '=', jobId).execute()
      if (validator !== undefined)
        await db.insertInto('file_downloads').values({ job_id: jobId, validator }).execute()
    },
  }
}

export type DownloadQueries = ReturnType<typeof downloadQueries>
