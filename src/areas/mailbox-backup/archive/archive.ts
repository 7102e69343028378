import { sqliteDiskProblem } from '../../../store/disk-failures.ts'
import { openSqlite } from '../../../store/sqlite.ts'
import { ArchiveFailed } from '../problems.ts'
import {
  type AttachmentRow,
  attachmentRows,
  checkRows,
  contentRows,
  countRows,
  type FolderRow,
  folderRows,
  idRows,
  type MessageRow,
  messageRows,
  numberRows,
} from './rows.ts'
import { leftOutOf } from './left-out.ts'
import { schema } from './schema.ts'

type Value = string | number | null

/** Where a content is: on this host, or an object on S3. */
export interface Content {
  readonly hash: string
  /** Empty on this host. */
  readonly key: string
}

/** Opens the database of a mailbox, which is made where it does not exist; throws ArchiveFailed. */
export function openArchive(path: string) {
  const database = attempt(() => opened(path))
  const all = (text: string, ...values: readonly Value[]) =>
    attempt(() => database.prepare(text).all(...values))
  const run = (text: string, ...values: readonly Value[]) =>
    attempt(() => database.prepare(text).run(...values))
  const count = (text: string, ...values: readonly Value[]) => numberRows(all(text, ...values))[0]?.value ?? 0
  const together = (work: () => void) => {
    attempt(() => database.exec('begin immediate'))
    try {
      work()
      attempt(() => database.exec('commit'))
    } catch (error) {
      // SQLite itself has rolled back after some failures
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }
  return {
    close: () => database.close(),
    ...foldersOf({ all, run, together }),
    ...messagesOf({ all, run, together }),
    ...searchesOf({ all, count }),
    ...wholesOf({ all }),
    ...leftOutOf({ all, run }),
    /** Bytes of everything that is stored, each content once. */
    sizeBytes: (): number =>
      count(
        'select coalesce(sum(size), 0) as value from (select distinct mime_hash, mime_bytes as size from messages)',
      ) +
      count(
        "select coalesce(sum(size), 0) as value from (select distinct hash, size from attachments where hash <> '')",
      ),
  }
}
export type Archive = ReturnType<typeof openArchive>

function opened(path: string) {
  const database = openSqlite(path)
  try {
    database.exec(schema)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Names a failure of SQLite: a damaged database is that of one mailbox alone. */
function attempt<Result>(access: () => Result): Result {
  try {
    return access()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) throw error
    throw sqliteDiskProblem(error) ?? ArchiveFailed(`the database of the mailbox fails: ${error.message}`)
  }
}

interface Statements {
  readonly all: (text: string, ...values: readonly Value[]) => unknown
  readonly run: (text: string, ...values: readonly Value[]) => unknown
  readonly together: (work: () => void) => void
}

const foldersOf = ({ all, run, together }: Statements) => ({
  folder: (id: string): FolderRow | undefined => folderRows(all('select * from folders where id = ?', id))[0],
  /** Stores the name of a folder; one that is new begins with a full round. */
  nameFolder: (id: string, path: string): void =>
    together(() => {
      run(
        `insert into folders (id, path, cursor, round, is_full) values (?, ?, null, 1, 1)
         on conflict (id) do update set path = excluded.path`,
        ...[id, path],
      )
      run('update messages set folder = ? where folder_id = ? and folder <> ?', path, id, path)
    }),
  /** Remembers where the changes of a folder go on. */
  keepCursor: (id: string, cursor: string): void =>
    void run('update folders set cursor = ? where id = ?', cursor, id),
  /** Has the folder read from its beginning: what is not found again was deleted. */
  beginFullRound: (id: string): void =>
    void run('update folders set cursor = null, is_full = 1, round = round + 1 where id = ?', id),
  /** Ends a round: after a full one, messages of the folder that were not seen in it are deleted ones. */
  endRound: ({ id, round, is_full }: FolderRow, cursor: string, now: string): void =>
    together(() => {
      if (is_full === 1)
        run(
          `update messages set status = 'deleted', deleted_at = ?
           where folder_id = ? and round < ? and status = 'present'`,
          ...[now, id, round],
        )
      run('update folders set cursor = ?, is_full = 0 where id = ?', cursor, id)
    }),
  /** Removes the folders that the mailbox no longer has; their messages are deleted ones. */
  dropFoldersBut: (ids: readonly string[], now: string): void =>
    together(() => {
      const kept = JSON.stringify(ids)
      run(
        `update messages set status = 'deleted', deleted_at = ?
         where status = 'present' and folder_id not in (select value from json_each(?))`,
        ...[now, kept],
      )
      run('delete from folders where id not in (select value from json_each(?))', kept)
    }),
})

const messageColumns = [
  ...['id', 'graph_id', 'folder_id', 'folder', 'subject', 'from_email', 'from_name', 'to_emails', 'date'],
  ...['has_attachments', 'importance', 'is_read', 'status', 'deleted_at', 'fingerprint', 'mime_hash'],
  ...['mime_key', 'mime_bytes', 'round'],
] as const

const messagesOf = ({ all, run, together }: Statements) => ({
  message: (id: string): MessageRow | undefined =>
    messageRows(all(`select ${messageColumns.join(', ')} from messages where id = ?`, id))[0],
  /** Stores a message; with a list of attachments, these replace the ones that it had. */
  keepMessage: (row: MessageRow, attachments?: readonly AttachmentRow[]): void =>
    together(() => {
      run(
        `insert into messages (${messageColumns.join(', ')}) values (${messageColumns.map(() => '?').join(', ')})
         on conflict (id) do update set ${messageColumns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
        ...messageColumns.map((name) => row[name]),
      )
      if (attachments === undefined) return
      run('delete from attachments where message_id = ?', row.id)
      for (const each of attachments)
        run(
          `insert into attachments (id, message_id, position, filename, size, content_type, hash, s3_key)
           values (?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[each.id, each.message_id, each.position, each.filename, each.size, each.content_type],
          ...[each.hash, each.s3_key],
        )
    }),
  /** Marks a message as deleted if it is still in the folder that it has left: a moved one is in another. */
  markDeleted: (id: string, folderId: string, now: string): void =>
    void run(
      `update messages set status = 'deleted', deleted_at = ? where id = ? and folder_id = ? and status = 'present'`,
      ...[now, id, folderId],
    ),
  attachments: (messageId: string): AttachmentRow[] =>
    attachmentRows(all('select * from attachments where message_id = ? order by position', messageId)),
  attachment: (id: string): AttachmentRow | undefined =>
    attachmentRows(all('select * from attachments where id = ?', id))[0],
  /** Returns the contents that only messages which were deleted before a time refer to. */
  contentsBefore: (time: string): readonly Content[] => contentRows(all(oldContents, time)),
  /** Forgets messages that were deleted before a time. */
  forgetBefore: (time: string): void =>
    void run("delete from messages where status = 'deleted' and deleted_at < ?", time),
})

const oldContents = [
  "with old as (select id from messages where status = 'deleted' and deleted_at < ?)",
  'select mime_hash as hash, mime_key as key from messages where id in (select id from old)',
  "union select hash, s3_key from attachments where hash <> '' and message_id in (select id from old)",
  'except select mime_hash, mime_key from messages where id not in (select id from old)',
  'except select hash, s3_key from attachments where message_id not in (select id from old)',
].join(' ')

/** Messages of a mailbox; undefined for all folders, and for present and deleted ones. */
export interface Selection {
  readonly folder: string | undefined
  readonly status: MessageRow['status'] | undefined
}

const wholesOf = ({ all }: Pick<Statements, 'all'>) => ({
  /** The ids of messages, the oldest first. */
  messageIds: (selected: Selection): string[] => {
    const folder = selected.folder ?? null
    const status = selected.status ?? null
    return idRows(
      all(
        'select id from messages where (? is null or folder = ?) and (? is null or status = ?) order by date, rowid',
        ...[folder, folder, status, status],
      ),
    ).map(({ id }) => id)
  },
  /** Everything that is stored, each content once. */
  contents: (): readonly Content[] =>
    contentRows(
      all(
        "select mime_hash as hash, mime_key as key from messages union select hash, s3_key from attachments where hash <> ''",
      ),
    ),
  /** The first fault of the database that SQLite finds; undefined if it is sound. */
  fault: (): string | undefined => {
    const [found] = checkRows(all('pragma quick_check(1)'))
    return found === undefined || found.quick_check === 'ok' ? undefined : found.quick_check.slice(0, 300)
  },
})

/** What is looked for in a mailbox. */
export interface Search {
  readonly folder: string | undefined
  readonly text: string
  readonly limit: number
  readonly offset: number
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, (found) => `\\${found}`)

function conditionOf({ folder, text }: Search): { readonly where: string; readonly values: Value[] } {
  const parts: string[] = []
  const values: Value[] = []
  if (folder !== undefined) {
    parts.push('folder = ?')
    values.push(folder)
  }
  // the index has no shorter parts of words
  if ([...text].length >= 3) {
    parts.push('rowid in (select rowid from found where found match ?)')
    values.push(`"${text.replaceAll('"', '""')}"`)
  } else if (text !== '') {
    parts.push(
      `(subject like ? escape '\\' or from_email like ? escape '\\' or from_name like ? escape '\\')`,
    )
    const like = `%${escaped(text)}%`
    values.push(like, like, like)
  }
  return { where: parts.length === 0 ? '' : `where ${parts.join(' and ')}`, values }
}

const searchesOf = ({
  all,
  count,
}: Pick<Statements, 'all'> & { readonly count: (text: string, ...values: readonly Value[]) => number }) => ({
  /** The folders with messages, and how many each has. */
  folderCounts: () =>
    countRows(all('select folder as name, count(*) as count from messages group by folder order by folder')),
  countMessages: (search: Search): number => {
    const { where, values } = conditionOf(search)
    return count(`select count(*) as value from messages ${where}`, ...values)
  },
  /** The messages that are looked for, the newest first. */
  messages: (search: Search): MessageRow[] => {
    const { where, values } = conditionOf(search)
    return messageRows(
      all(
        `select ${messageColumns.join(', ')} from messages ${where} order by date desc, rowid desc limit ? offset ?`,
        ...[...values, search.limit, search.offset],
      ),
    )
  },
})
