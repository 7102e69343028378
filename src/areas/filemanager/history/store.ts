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
  /** For people: bytes that are not UTF-8 are replaced. */
  readonly path: string
  /** The path itself, one character for each byte. */
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

/** The last content that the panel itself gave a file. */
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

/** A path of an owner, as its bytes. */
export interface PathKey {
  readonly ownerId: number
  readonly pathBytes: string
}

/** The queries on versions of files. */
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
    /** The contents that some version of an owner has. */
    wanted: async (ownerId: number): Promise<ReadonlySet<string>> => {
      const rows = await db
        .selectFrom('file_versions')
        .select('sha256')
        .distinct()
        .where('owner_id', '=', ownerId)
        .execute()
      return new Set(rows.flatMap(({ sha256 }) => sha256 ?? []))
    },
    /** Folders of websites that have versions though no website has that domain any more. */
    formerSites: async (): Promise<readonly { readonly ownerId: number; readonly folderBytes: string }[]> => {
      const domain = sql<string>`substr(path_bytes, 7, instr(substr(path_bytes, 7), '/') - 1)`
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
    /** Through the store's own door, which remembers the id: none is given twice, also after a restart. */
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
      if (rows.length > 0) await db.replaceInto('file_heads').values(rows).execute()
    },
    /** Lets the history of a file or folder follow it; what the place itself had stays with the place. */
    follow: async (from: PathKey & { readonly path: string }, to: PathKey & { readonly path: string }) => {
      const bytes = sql<string>`${to.pathBytes} || substr(path_bytes, ${from.pathBytes.length + 1})`
      const path = sql<string>`${to.path} || substr(path, ${[...from.path].length + 1})`
      await db.deleteFrom('file_heads').where(at(to)).execute()
      await db.updateTable('file_heads').set({ path_bytes: bytes }).where(at(from)).execute()
      await db.updateTable('file_versions').set({ path_bytes: bytes, path }).where(at(from)).execute()
    },
    /** Forgets versions; all of the owner where no path is given. */
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
    /** How many versions an owner has, and what their contents take on the disk, each counted once; those of a path and below it left out. */
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
    /** The newest first: by id, as a clock that was set back gives new versions older times. */
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
    /** The oldest time among the versions of an owner and what the panel knows of the files themselves. */
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

// What stands at the path or below it: '0' follows '/' in the order of bytes.
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

// What stands neither at the path nor below it.
const notBelow = (key: PathKey) => (eb: Rows) =>
  eb.and([eb('owner_id', '=', key.ownerId), eb.not(at(key)(eb))])
