import { type ExpressionBuilder, sql } from 'kysely'
import type { ListQuery, Page } from '../../../core/reply.ts'
import { readPage } from '../../../store/page.ts'
import { insertRow } from '../../../store/rows.ts'
import type { Store } from '../../../store/store.ts'
import type { Tables } from '../../../store/tables.ts'

export type Through = 'write' | 'upload' | 'restore' | 'move' | 'copy' | 'extract'

export interface VersionRow {
  readonly id: number
  /** The panel user whose Linux account the file belongs to. */
  readonly owner_id: number
  /** For display: bytes that are not UTF-8 are replaced. */
  readonly path: string
  /** The exact path, with one character per byte. */
  readonly path_bytes: string
  readonly sha256: string | null
  readonly size_bytes: number
  readonly stored_bytes: number
  readonly mode: number
  readonly not_kept: 'too_large' | 'unreadable' | 'no_room' | null
  readonly written_at: string
  readonly written_by: number | null
  readonly written_through: Through | null
  readonly replaced_at: string
  readonly replaced_by: number | null
  readonly replaced_through: Through
}

/** The last content that the panel wrote to a file. */
export interface HeadRow {
  readonly owner_id: number
  readonly path_bytes: string
  readonly etag: string
  readonly written_at: string
  readonly written_by: number | null
  readonly written_through: Through
}

declare module '../../../store/tables.ts' {
  interface Tables {
    readonly file_versions: VersionRow
    readonly file_heads: HeadRow
  }
}

/** An owner's path in bytes. */
export interface PathKey {
  readonly ownerId: number
  readonly pathBytes: string
}

/** Returns the queries on versions of files. */
export function versionQueries(store: Store) {
  const { db } = store
  return { ...reading(db), ...writing(store), ...weighing(db), ...trimming(db) }
}

export type VersionQueries = ReturnType<typeof versionQueries>

// oxlint-disable-next-line max-lines-per-function -- a table of short queries
function reading(db: Store['db']) {
  return {
    page: (query: ListQuery, ownerId: number, pathBytes?: string): Promise<Page<VersionRow>> => {
      const rows = db.selectFrom('file_versions').selectAll().where('owner_id', '=', ownerId)
      return readPage(pathBytes === undefined ? rows : rows.where('path_bytes', '=', pathBytes), query, {
        search: ['path'],
      })
    },
    byId: (ownerId: number, id: number): Promise<VersionRow | undefined> =>
      db
        .selectFrom('file_versions')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('id', '=', id)
        .executeTakeFirst(),
    head: ({ ownerId, pathBytes }: PathKey): Promise<HeadRow | undefined> =>
      db
        .selectFrom('file_heads')
        .selectAll()
        .where('owner_id', '=', ownerId)
        .where('path_bytes', '=', pathBytes)
        .executeTakeFirst(),
    owners: async (): Promise<readonly number[]> =>
      (await db.selectFrom('file_versions').select('owner_id').distinct().execute()).map(
        ({ owner_id }) => owner_id,
      ),
    /** Returns the hashes of all contents that an owner's versions use. */
    wanted: async (ownerId: number): Promise<ReadonlySet<string>> => {
      const rows = await db
        .selectFrom('file_versions')
        .select('sha256')
        .distinct()
        .where('owner_id', '=', ownerId)
        .execute()
      return new Set(rows.flatMap(({ sha256 }) => sha256 ?? []))
    },
    /** Lists folders of websites that have versions but whose domain no longer has a website. */
    formerSites: async (): Promise<readonly { readonly ownerId: number; readonly folderBytes: string }[]> => {
      // empty for a file that is directly in the folder; PostgreSQL takes no negative length
      const domain = sql<string>`case when instr(substr(path_bytes, 7), '/') > 0
        then substr(path_bytes, 7, instr(substr(path_bytes, 7), '/') - 1) else '' end`
      const rows = await db
        .selectFrom('file_versions')
        .select(['owner_id', domain.as('domain')])
        .distinct()
        .where('path_bytes', '>=', 'sites/')
        .where('path_bytes', '<', 'sites0')
        .where(domain, 'not in', db.selectFrom('websites').select('domain'))
        .execute()
      return rows
        .filter((row) => row.domain !== '')
        .map((row) => ({ ownerId: row.owner_id, folderBytes: `sites/${row.domain}` }))
    },
  }
}

function writing(store: Store) {
  const { db } = store
  return {
    /** Inserts through the store, which remembers the ids: none is reused, even after a restart. */
    insert: (rows: readonly VersionRow[]) =>
      store.transaction((tx) =>
        store.write(
          tx,
          rows.map((row) => insertRow('file_versions', { ...row })),
        ),
      ),
    remove: async (ids: readonly number[]) => {
      await db.deleteFrom('file_versions').where('id', 'in', ids).execute()
    },
    setHeads: async (rows: readonly HeadRow[]) => {
      if (rows.length === 0) return
      const last = new Map(rows.map((row) => [`${row.owner_id} ${row.path_bytes}`, row]))
      // without a conflict to react to, as PostgreSQL has no unique index of long paths
      await store.transaction(async (tx) => {
        for (const [owner, heads] of Map.groupBy(last.values(), ({ owner_id }) => owner_id)) {
          const paths = heads.map(({ path_bytes }) => path_bytes)
          await tx
            .deleteFrom('file_heads')
            .where('owner_id', '=', owner)
            .where('path_bytes', 'in', paths)
            .execute()
        }
        await tx
          .insertInto('file_heads')
          .values([...last.values()])
          .execute()
      })
    },
    /** Moves the history of a file or folder to its new path; versions already at the new path stay there. */
    follow: async (from: PathKey & { readonly path: string }, to: PathKey & { readonly path: string }) => {
      const bytes = sql<string>`${to.pathBytes} || substr(path_bytes, ${from.pathBytes.length + 1})`
      const path = sql<string>`${to.path} || substr(path, ${[...from.path].length + 1})`
      await db.deleteFrom('file_heads').where(at(to)).execute()
      await db.updateTable('file_heads').set({ path_bytes: bytes }).where(at(from)).execute()
      await db.updateTable('file_versions').set({ path_bytes: bytes, path }).where(at(from)).execute()
    },
    /** Deletes versions; all of the owner's if no path is given. */
    clear: async (ownerId: number, pathBytes: string | undefined): Promise<number> => {
      const where = pathBytes === undefined ? of(ownerId) : at({ ownerId, pathBytes })
      const { numDeletedRows } = await db.deleteFrom('file_versions').where(where).executeTakeFirstOrThrow()
      await db.deleteFrom('file_heads').where(where).execute()
      return Number(numDeletedRows)
    },
  }
}

function weighing(db: Store['db']) {
  return {
    /** Counts an owner's versions and the disk space of their contents, each once; leaves out those of `pathBytes` and below. */
    weight: async (
      ownerId: number,
      except?: string,
    ): Promise<{ readonly versions: number; readonly storedBytes: number }> => {
      const counted = except === undefined ? of(ownerId) : notBelow({ ownerId, pathBytes: except })
      const { versions } = await db
        .selectFrom('file_versions')
        .select(({ fn }) => fn.countAll<number>().as('versions'))
        .where(counted)
        .executeTakeFirstOrThrow()
      const contents = db
        .selectFrom('file_versions')
        .select(['sha256', sql<number>`max(stored_bytes)`.as('bytes')])
        .where(counted)
        .groupBy('sha256')
      const { total } = await db
        .selectFrom(contents.as('contents'))
        .select(sql<number | null>`sum(bytes)`.as('total'))
        .executeTakeFirstOrThrow()
      return { versions: Number(versions), storedBytes: Number(total ?? 0) }
    },
  }
}

function trimming(db: Store['db']) {
  return {
    /** Lists the newest first, by id, because a clock set back gives new versions older times. */
    sizes: (ownerId: number) =>
      db
        .selectFrom('file_versions')
        .select(['id', 'sha256', 'stored_bytes'])
        .where('owner_id', '=', ownerId)
        .orderBy('id', 'desc')
        .execute(),
    removeUpTo: async (ownerId: number, id: number) => {
      await db.deleteFrom('file_versions').where('owner_id', '=', ownerId).where('id', '<=', id).execute()
    },
    /** Returns the oldest time among an owner's versions and heads. */
    oldest: async (ownerId: number): Promise<string | undefined> => {
      const version = await db
        .selectFrom('file_versions')
        .select(({ fn }) => fn.min('replaced_at').as('at'))
        .where('owner_id', '=', ownerId)
        .executeTakeFirst()
      const head = await db
        .selectFrom('file_heads')
        .select(({ fn }) => fn.min('written_at').as('at'))
        .where('owner_id', '=', ownerId)
        .executeTakeFirst()
      return [version?.at, head?.at].filter((at) => typeof at === 'string').toSorted()[0]
    },
    removeOlder: async (ownerId: number, before: string) => {
      await db
        .deleteFrom('file_versions')
        .where('owner_id', '=', ownerId)
        .where('replaced_at', '<', before)
        .execute()
      await db
        .deleteFrom('file_heads')
        .where('owner_id', '=', ownerId)
        .where('written_at', '<', before)
        .execute()
    },
  }
}

type Rows = ExpressionBuilder<Tables, 'file_versions' | 'file_heads'>

const of = (ownerId: number) => (eb: Rows) => eb('owner_id', '=', ownerId)

// Matches the path and everything below it: '0' follows '/' in byte order.
const at =
  ({ ownerId, pathBytes }: PathKey) =>
  (eb: Rows) =>
    eb.and([
      eb('owner_id', '=', ownerId),
      eb.or([
        eb('path_bytes', '=', pathBytes),
        eb.and([eb('path_bytes', '>', `${pathBytes}/`), eb('path_bytes', '<', `${pathBytes}0`)]),
      ]),
    ])

// Matches everything except the path and the paths below it.
const notBelow = (key: PathKey) => (eb: Rows) =>
  eb.and([eb('owner_id', '=', key.ownerId), eb.not(at(key)(eb))])
