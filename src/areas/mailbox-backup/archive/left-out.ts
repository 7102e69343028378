import { type LeftOutRow, leftOutRows } from './rows.ts'

interface Statements {
  readonly all: (text: string, ...values: readonly string[]) => unknown
  readonly run: (text: string, ...values: readonly string[]) => unknown
}

/** The messages that the server could not send, so that the next run asks for them again. */
export const leftOutOf = ({ all, run }: Statements) => ({
  leftOut: (): readonly LeftOutRow[] => leftOutRows(all('select * from left_out order by id')),
  leaveOut: ({ id, graph_id, folder_id, reason }: LeftOutRow): void =>
    void run(
      `insert into left_out (id, graph_id, folder_id, reason) values (?, ?, ?, ?)
       on conflict (id) do update set folder_id = excluded.folder_id, reason = excluded.reason`,
      ...[id, graph_id, folder_id, reason],
    ),
  /** Forgets one that is stored by now, or gone. */
  forgetLeftOut: (id: string): void => void run('delete from left_out where id = ?', id),
  /** Forgets one that has left the folder; a moved one is in another. */
  forgetLeftOutOf: (id: string, folderId: string): void =>
    void run('delete from left_out where id = ? and folder_id = ?', id, folderId),
  /** Forgets those of folders that the mailbox no longer has. */
  forgetLeftOutBut: (folderIds: readonly string[]): void =>
    void run(
      'delete from left_out where folder_id not in (select value from json_each(?))',
      JSON.stringify(folderIds),
    ),
})
