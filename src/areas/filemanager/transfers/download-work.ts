import Type from 'typebox'
import { change, step } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { Problem } from '../../../core/problem.ts'
import { from } from '../../../core/returned.ts'
import { type Addresses, fetchProblems, portOf, readUrl, shownUrl } from '../../../host/fetch/index.ts'
import { work } from '../context.ts'
import { hourMs } from '../endpoints/target.ts'
import { downloadKind } from '../job-kinds.ts'
import { filesOfCaller } from '../named-files.ts'
import { StoredPath } from '../paths.ts'
import { Downloaded } from './model.ts'
import { TooManyDownloads } from './problems.ts'

/** Downloads a URL into a folder of a home. After a restart of the panel it continues where it was. */
export const downloading = work({
  kind: downloadKind,
  lane: 'network',
  input: Type.Object({ username: Type.String(), path: StoredPath, url: Type.String() }),
  reply: Downloaded,
  timeoutMs: 6 * hourMs,
  attempts: 3,
  resumes: true,
  most: {
    perCaller: 3,
    refusal: (count) =>
      TooManyDownloads(
        `url: ${count} of your downloads are queued or running; wait until one ends, or cancel one`,
      ),
  },
  decide: async ({ input: { username, path: folder, url }, caller, jobId = 0, signal, filemanager }) => {
    const { user } = (await filesOfCaller(filemanager, username, caller)).caller
    await refuseInternal(filemanager.addresses, readUrl(url), { user, signal })
    const args = { username, folder, url, name: `job-${jobId}`, isAdmin: user.isAdmin, jobId }
    const download = step(filemanager.steps.download, args)
    return change({
      summary: `Download ${shownUrl(readUrl(url))} into ${folder.path || 'the home'} of ${username}`,
      steps: [download],
      reply: { file: from(download, 'file'), size_bytes: from(download, 'size_bytes') },
    })
  },
})

// A forbidden address is refused at once. The step resolves the name again and connects to the address found then.
async function refuseInternal(
  addresses: Addresses,
  url: URL,
  { user, signal }: Pick<Caller, 'user'> & { readonly signal: AbortSignal },
): Promise<void> {
  try {
    await addresses.resolveAllowed(url.hostname, portOf(url), user, signal)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === fetchProblems.HostNotFound)) throw error // the step reports the failure
  }
}
