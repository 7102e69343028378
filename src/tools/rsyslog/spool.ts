import type { Host } from '../../host/index.ts'
import { spool } from './layout.ts'

const largestErrors = 64 * 1024 * 1024
const errorsEnding = '.errors'

/** A file of a source in the spool: its queue or that of its copy, or what OpenSearch refused. */
interface Spooled {
  readonly id: number
  readonly path: string
}

/** Bytes of lines that wait on the disk for their receivers. */
export async function queuedBytes({ files }: Pick<Host, 'files'>): Promise<number> {
  const waiting = (await spooled({ files })).filter(({ path }) => !path.endsWith(errorsEnding))
  const facts = await Promise.all(waiting.map(({ path }) => files.facts(path)))
  return facts.reduce((sum, each) => sum + (each?.sizeBytes ?? 0), 0)
}

/** The sources that have files in the spool. */
export const spooledSources = async (on: Pick<Host, 'files'>): Promise<ReadonlySet<number>> =>
  new Set((await spooled(on)).map(({ id }) => id))

/** Removes the files of a source that is no more, whose lines nothing would send. */
export async function removeSpooled({ files }: Pick<Host, 'files'>, id: number): Promise<void> {
  for (const each of await spooled({ files })) if (each.id === id) await files.remove(each.path)
}

/** Empties files of refused lines of more than 64 MiB: rsyslog sets them no limit, and appends to them while they are open. */
export async function emptyLargeErrors({ files, run }: Pick<Host, 'files' | 'run'>): Promise<void> {
  for (const { path } of await spooled({ files })) {
    if (!path.endsWith(errorsEnding) || ((await files.facts(path))?.sizeBytes ?? 0) <= largestErrors) continue
    await run(['truncate', '--size=0', '--', files.real(path)], { timeoutMs: 10_000 })
  }
}

async function spooled({ files }: Pick<Host, 'files'>): Promise<readonly Spooled[]> {
  return (await files.list(spool)).flatMap((name) => {
    const [, id] = /^hostreeve-source-(\d+)(?:-copy)?\./.exec(name) ?? []
    return id === undefined ? [] : [{ id: Number(id), path: `${spool}/${name}` }]
  })
}
