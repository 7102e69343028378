import { type Change, change, step } from '../../../core/change.ts'
import type { Caller } from '../../../core/caller.ts'
import { readUrl, shownUrl } from '../../../host/fetch/index.ts'
import type { Filemanager } from '../context.ts'
import type { TextPath } from '../paths.ts'
import type { Downloaded } from './download.ts'

/** The parameters of a download. */
export interface Ask {
  readonly username: string
  readonly folder: TextPath
  readonly url: string
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
