import { type Change, change, step } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import type { JobRun } from '../../../core/job.ts'
import { Problem } from '../../../core/problem.ts'
import { type Addresses, fetchProblems, portOf, readUrl, shownUrl } from '../../../host/fetch/index.ts'
import { stopping } from '../../../jobs/perform.ts'
import type { Filemanager } from '../context.ts'
import { downloadKind } from '../job-kinds.ts'
import { downloadsLock } from '../locks.ts'
import type { TextPath } from '../paths.ts'
import { type Downloaded, download, drop, previewPlace } from './download.ts'
import { DownloadRefused, TooManyDownloads } from './problems.ts'

const mostWaiting = 3

/** The parameters of a download. */
export interface Ask {
  readonly username: string
  readonly folder: TextPath
  readonly url: string
}

/** A download as stored with its job. */
export interface StoredAsk {
  readonly username: string
  readonly path: string
  readonly url: string
  readonly user_id: number
}

/** Downloads within the request (decision 1.11). */
export function downloadUrl(
  { steps }: Filemanager,
  { username, folder, url }: Ask,
  { caller, id }: { readonly caller: Caller; readonly id: number },
): Change<Downloaded> {
  const shown = shownUrl(readUrl(url))
  const args = { username, folder, url, name: `url-${id}`, isAdmin: caller.user.isAdmin }
  return change({
    summary: `Download ${shown} into ${folder.path || 'the home'} of ${username}`,
    steps: [step(steps.download, args)],
    reply: ({ results }) => results[0],
  })
}

/** Starts a stored job that downloads. */
export async function startDownload(
  { addresses, downloads, ownerOf }: Filemanager,
  { username, folder, url }: Ask,
  caller: Caller,
): Promise<Change<{ job_id: number }>> {
  await refuseInternal(addresses, readUrl(url), caller)
  const title = `Download ${shownUrl(readUrl(url))} into ${folder.path || 'the home'} of ${username}`
  const waiting = await downloads.countOf(caller.user.id)
  if (waiting >= mostWaiting)
    throw TooManyDownloads(
      `url: ${waiting} of your downloads are queued or running; wait until one ends, or cancel one`,
    )
  const input: StoredAsk = { username, path: folder.path, url, user_id: caller.user.id }
  const preview = async () => previewPlace({ owner: await ownerOf(username), folder, url })
  return change({
    summary: title,
    locks: [downloadsLock(caller.user.id)],
    jobs: [{ kind: downloadKind, input, ownerId: caller.user.id, title: title.slice(0, 200), preview }],
    reply: ({ jobIds }) => ({ job_id: jobIds[0] as number }),
  })
}

/** Runs a stored job; resumes one that a restart of the panel interrupted. */
export async function runDownload(
  { fetch, downloads, ownerOf }: Filemanager,
  { input, jobId, signal, log, progress }: JobRun<StoredAsk>,
): Promise<Downloaded> {
  const asker = await downloads.asker(input.user_id)
  const isAdmin = asker?.is_admin === 1
  if (!isAdmin && asker?.username !== input.username)
    throw DownloadRefused(
      `username: the user who started the download may no longer access the files of ${input.username}`,
    )
  const order = {
    fetch,
    owner: await ownerOf(input.username),
    name: `job-${jobId}`,
    folder: { field: 'path', path: input.path },
    url: input.url,
    asker: { isAdmin },
    signal,
  }
  const version = {
    read: () => downloads.validatorOf(jobId),
    keep: (validator: string | undefined) => downloads.keepValidator(jobId, validator),
  }
  try {
    return await download({ ...order, version, onProgress: reportProgress(progress) })
  } catch (error) {
    if (signal.reason !== stopping)
      await drop(order).catch((cause) =>
        log.warn({ err: cause, jobId }, 'removing a partial download failed'),
      )
    throw error
  }
}

// A forbidden address is refused at once. The job resolves the name again and connects to the address found then.
async function refuseInternal(addresses: Addresses, url: URL, caller: Caller): Promise<void> {
  try {
    await addresses.resolveAllowed(url.hostname, portOf(url), caller.user)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === fetchProblems.HostNotFound)) throw error // the job tries again and reports the failure
  }
}

const units = ['B', 'KiB', 'MiB', 'GiB']
const reportEveryMs = 300

function reportProgress(
  progress: JobRun<unknown>['progress'],
): (endBytes: number, sizeBytes: number | undefined) => void {
  let reportedAt = 0
  return (end, size) => {
    if (performance.now() - reportedAt < reportEveryMs && end !== size) return
    reportedAt = performance.now()
    const message = `${sizeMessage(end)}${size === undefined ? '' : ` of ${sizeMessage(size)}`}`
    void progress(size === undefined || size === 0 ? null : Math.floor((end / size) * 99), message)
  }
}

/** Formats a size with a suitable unit: 6144 is 6.0 KiB. */
function sizeMessage(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
