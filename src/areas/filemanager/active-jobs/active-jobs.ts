import type { Static } from 'typebox'
import type { Caller } from '../../../core/caller.ts'
import type { JobRow } from '../../../jobs/tables.ts'
import type { Filemanager } from '../context.ts'
import { compressKind, downloadKind, extractKind, placeKinds, vcsKinds } from '../job-kinds.ts'
import type { Files } from '../named-files.ts'
import { nameFromUrl } from '../transfers/url-name.ts'
import type { ActiveJob } from './model.ts'

type ListedJob = Static<typeof ActiveJob>

interface Path {
  readonly path: string
}

/** The stored input of the jobs of these kinds. */
interface StoredInput {
  readonly username: string
  readonly paths?: readonly Path[]
  readonly archive?: string | Path
  readonly places?: readonly { readonly from: Path }[]
  /** For a clone, pull or push the repository; for a download the destination folder. */
  readonly path?: Path
  readonly url?: string
}

const verbs: ReadonlyMap<string, ListedJob['verb']> = new Map([
  [compressKind, 'pack'],
  [extractKind, 'unpack'],
  [placeKinds.copy, 'copy'],
  [placeKinds.move, 'move'],
  [downloadKind, 'fetch'],
  [vcsKinds.clone, 'clone'],
  [vcsKinds.pull, 'pull'],
  [vcsKinds.push, 'push'],
])
const mostLooked = 500
const mostGiven = 100

/** Lists the jobs on an account's files that the caller may follow, oldest first, so that a reloaded page can show them again. */
export async function listActiveJobs(
  { activeJobs: { unfinished }, store }: Filemanager,
  { username }: Files,
  { user }: Caller,
): Promise<ListedJob[]> {
  const rows = await unfinished([...verbs.keys()], user.isAdmin ? undefined : user.id, mostLooked)
  return rows
    .flatMap((row) => activeJobsOf(row, JSON.parse(store.unseal(row.input)), username))
    .slice(0, mostGiven)
}

function activeJobsOf({ id, kind }: JobRow, input: StoredInput, wanted: string): ListedJob[] {
  const verb = verbs.get(kind)
  if (verb === undefined || input.username !== wanted) return []
  const name = verb === 'fetch' ? nameFromUrl(new URL(input.url ?? '')) : lastPart(input)
  return [
    { job_id: id, verb, name: name.toWellFormed(), count: (input.places ?? input.paths ?? [name]).length },
  ]
}

function lastPart({ archive, places, path }: StoredInput): string {
  const what = archive ?? places?.[0]?.from ?? path ?? ''
  const text = typeof what === 'string' ? what : what.path
  return text.replace(/\/+$/, '').split('/').at(-1) ?? ''
}
