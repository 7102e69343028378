import { failures } from '../../../core/endpoint.ts'
import type { Static } from 'typebox'
import type { Caller } from '../../../core/caller.ts'
import { Problem, Unavailable } from '../../../core/problem.ts'
import { accepted, data } from '../../../core/reply.ts'
import { fetchProblems } from '../../../host/fetch/index.ts'
import { ownerProblems as owner } from '../../../host/owner/index.ts'
import { type Context, endpoint } from '../context.ts'
import { homeFiles, hourMs } from '../endpoints/target.ts'
import { listed, own } from '../failures.ts'
import { pathOf } from '../paths.ts'
import { findNamedFiles, type Naming } from '../named-files.ts'
import { downloading } from './download-work.ts'
import * as downloads from './downloads.ts'
import { Downloaded, DownloadBody } from './model.ts'
import { TooManyDownloads, UserLookupFailed } from './problems.ts'

const { AddressRefused, FetchFailed, HostNotFound, UrlInvalid } = fetchProblems

/** A failed lookup of the user has a separate failure code here. */
const byBody = async ({
  body,
  caller,
  filemanager,
}: { readonly body: Naming; readonly caller: Caller } & Context) => {
  try {
    return await findNamedFiles(filemanager, body, caller)
  } catch (error) {
    if (error instanceof Problem && error.kind === Unavailable)
      throw UserLookupFailed(error.message, { cause: error })
    throw error
  }
}

export const downloadUrl = endpoint({
  method: 'POST',
  path: '/download-url',
  summary: 'Download a URL into a folder, and answer when the file is there',
  description:
    'http and https, at most five redirects. The name is the last part of the path of the URL, without the query; where it is taken, (1), (2) and so on is put before its ending. Internal addresses are for superusers.',
  effect: 'changes',
  category: homeFiles,
  body: DownloadBody,
  reply: data(Downloaded),
  throws: failures(own('download_failed', FetchFailed, HostNotFound), {
    bad_request: [owner.PathInvalid, UrlInvalid, AddressRefused],
    user_error: UserLookupFailed,
  }),
  timeoutMs: hourMs,
  target: byBody,
  run: ({ target: { username }, body, caller, filemanager, id }) =>
    downloads.downloadUrl(filemanager, askOf(username, body), { caller, id: id('file_uploads') }),
})

export const startDownload = endpoint({
  method: 'POST',
  path: '/wget-upload',
  summary: 'Download a URL into a folder in a background job',
  description:
    'As download-url; the job tells how far it is, can be cancelled, and goes on after a restart of the panel. Its result names the file.',
  effect: 'changes',
  category: homeFiles,
  body: DownloadBody,
  reply: accepted(downloading),
  throws: failures(listed, {
    conflict: TooManyDownloads,
    bad_request: [owner.PathInvalid, UrlInvalid, AddressRefused],
  }),
  target: byBody,
  run: ({ target: { username }, body }) => {
    const { folder, url } = askOf(username, body)
    return { username, path: folder, url }
  },
})

function askOf(username: string, body: Static<typeof DownloadBody>): downloads.Ask {
  const folder = pathOf(body, 'path', '')
  const path = folder.path === '.' || folder.path === './' ? '' : folder.path
  return { username, folder: { ...folder, path }, url: body.url }
}
