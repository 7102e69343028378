import type { Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { change, type Step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import type { WorkEvent } from '../../core/reply.ts'
import { from } from '../../core/returned.ts'
import type { DumpFile } from '../../tools/dump-step.ts'
import { type Databases, work } from './context.ts'
import { type ExportEvent, Exported, ExportInput } from './dump-model.ts'
import { engineOf } from './engines/index.ts'
import { homeOf } from './homes.ts'
import { assertInstalled, databaseLock } from './names.ts'
import type { DatabaseRow } from './store.ts'

/** Dumps a database into the home of its owner, and uploads the dump where that is asked for. */
export const exporting = work({
  kind: 'databases.export',
  lane: 'files',
  input: ExportInput,
  reply: Exported,
  timeoutMs: 12 * 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, caller, jobId, now, databases: on }) => {
    const row = await databaseFor(on, input.id, caller)
    const engine = engineOf(on, row)
    await assertInstalled(engine)
    const { username, home } = await homeOf(on, row)
    const dump = engine.exportDatabase(dumpOf(row.name, { username, now }))
    const upload = input.upload_to_cloud ? await uploadOf(on, username, dump) : undefined
    // the contract has this failure as an event: the stream has begun
    if (input.upload_to_cloud && upload === undefined && jobId !== undefined)
      throw Unavailable('upload_to_cloud: no storage is configured; nothing was exported')
    return change({
      summary: `Export the database ${row.name}`,
      locks: [databaseLock(row.name)],
      steps: upload === undefined ? [dump] : [dump, upload],
      reply: {
        ...{ id: row.id, home, file: from(dump, 'file'), size_bytes: from(dump, 'size_bytes') },
        cloud_url: upload === undefined ? null : from(upload, 'url'),
      },
    })
  },
})

const uploadOf = async ({ storage }: Databases, username: string, dump: Step<DumpFile>) =>
  storage()?.upload({ username, file: from(dump, 'file') })

/** Loads the database of stored work, whose caller must reach it now. */
export const databaseFor = (
  { queries }: Pick<Databases, 'queries'>,
  id: number,
  caller: Caller | null,
): Promise<DatabaseRow> => (caller === null ? queries.load(id) : queries.loadFor(caller, id))

/** Returns the arguments of a dump, whose name has the time. */
export function dumpOf(
  database: string,
  { username, now, suffix = '' }: { readonly username: string; readonly now: Date; readonly suffix?: string },
) {
  const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return { username, database, name: `${database}-${time}${suffix}` }
}

/** Returns an event of an export as the contract shows it. */
export function exportEvent(event: WorkEvent<Static<typeof Exported>>): ExportEvent {
  if (event.type === 'failed') return { type: 'error', message: event.message }
  if (event.type !== 'done') return { type: 'progress', message: event.message }
  const { id, home, file, cloud_url } = event.reply
  const path = `${home}/${file}`
  return {
    type: 'done',
    download_url: `/api/databases/${id}/download?file=${encodeURIComponent(path)}`,
    file_path: path,
    cloud_url,
  }
}
