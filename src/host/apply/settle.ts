import type { Files } from '../files.ts'
import { commitEdits } from './commit.ts'
import { ConfigRejected } from './problems.ts'
import {
  compose,
  editedByHand,
  type PreparedCandidate,
  type PreparedRequest,
  type Request,
  type Snapshot,
} from './request.ts'
import { mayReplace, stamped } from './stamp.ts'
import type { Candidate, FileEdit, OwnedTool } from './tool.ts'

/** Settles every request of a batch: resolved when it is live, rejected with its own reason. Never rejects itself. */
export async function settleRequests(
  files: Files,
  tool: OwnedTool,
  requests: readonly Request[],
): Promise<void> {
  const opened: PreparedRequest[] = []
  try {
    await tool.assertAvailable()
    if (requests.some((request) => request.cleansFirst)) await cleanLeftovers(files, tool)
    const snapshot = await readLive(files, requests)
    for (const request of requests) {
      await prepareRequest(files, snapshot, opened, request).then(
        (prepared) => opened.push(prepared),
        request.reject,
      )
    }
    const accepted = await acceptable(tool, [], opened)
    const again = await commitEdits(files, tool, snapshot, accepted)
    await discard(opened)
    for (const group of again) await settleRequests(files, tool, group)
  } catch (error) {
    await discard(opened)
    for (const request of requests) request.reject(error) // no effect on a request that is already settled
  }
}

async function cleanLeftovers(files: Files, tool: OwnedTool): Promise<void> {
  for (const directory of tool.directories) await files.cleanLeftovers(directory)
}

async function readLive(files: Files, requests: readonly Request[]): Promise<Snapshot> {
  const paths = new Set(requests.flatMap((request) => request.edits.map((edit) => edit.path)))
  const live = new Map<string, string | undefined>()
  for (const path of paths) live.set(path, await files.read(path))
  return live
}

async function prepareRequest(
  files: Files,
  snapshot: Snapshot,
  earlier: readonly PreparedRequest[],
  request: Request,
): Promise<PreparedRequest> {
  const planned = new Map(compose(earlier).map((candidate) => [candidate.path, candidate.content]))
  const candidates: PreparedCandidate[] = []
  try {
    for (const edit of request.edits) {
      const content = contentOf(edit)
      const live = snapshot.get(edit.path)
      if (!request.options.overwrite && !mayReplace(live, content))
        throw editedByHand(edit.path, live, content)
      if ((planned.has(edit.path) ? planned.get(edit.path) : live) !== content)
        candidates.push(await prepareEdit(files, edit, content))
    }
  } catch (error) {
    await discard([{ request, candidates }])
    throw error
  }
  return { request, candidates }
}

function contentOf(edit: FileEdit): string | undefined {
  if (edit.content === null) return undefined
  return edit.isVerbatim ? edit.content : stamped(edit.content)
}

async function prepareEdit(
  files: Files,
  edit: FileEdit,
  content: string | undefined,
): Promise<PreparedCandidate> {
  if (content === undefined) return { path: edit.path, preparedPath: undefined, content, file: undefined }
  const file = await files.prepare(
    edit.path,
    content,
    edit.rights === undefined ? {} : { rights: edit.rights },
  )
  return { path: edit.path, preparedPath: file.preparedPath, content, file }
}

/** Checks a group on top of the accepted requests; a rejected group is halved until its bad requests are isolated. */
async function acceptable(
  tool: OwnedTool,
  accepted: readonly PreparedRequest[],
  group: readonly PreparedRequest[],
): Promise<readonly PreparedRequest[]> {
  if (group.length === 0) return accepted
  const together = [...accepted, ...group]
  if (compose(together).length === 0) return together
  if (group.length === 1 || !hidesOneAnother(group)) {
    const message = await tool.check(compose(together))
    if (message === undefined) return together
    if (group.length === 1) {
      group[0]!.request.reject(ConfigRejected(namingLiveFiles(message, group[0]!.candidates)))
      return accepted
    }
  }
  const middle = Math.ceil(group.length / 2)
  return acceptable(tool, await acceptable(tool, accepted, group.slice(0, middle)), group.slice(middle))
}

/** A later candidate of the same path would hide a bad earlier one from the checker. */
function hidesOneAnother(group: readonly PreparedRequest[]): boolean {
  return compose(group).length < group.flatMap((each) => each.candidates).length
}

function namingLiveFiles(message: string, candidates: readonly Candidate[]): string {
  return candidates.reduce(
    (text, each) => (each.preparedPath === undefined ? text : text.replaceAll(each.preparedPath, each.path)),
    message,
  )
}

async function discard(requests: readonly PreparedRequest[]): Promise<void> {
  for (const { candidates } of requests) for (const { file } of candidates) await file?.discard()
}
