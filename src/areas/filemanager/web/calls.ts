import { type Call, run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { base64Of, isOdd, wirePath } from './names.ts'
import type { FileContent, Whose } from './queries.ts'

const hourMs = 3_600_000

const post = (word: string, body: object, limitMs = hourMs): Call => ({
  method: 'POST',
  path: `/filemanager/${word}`,
  body,
  limitMs,
})

/** What a change of a folder's mode reaches. */
export type Reach = 'itself' | 'all' | 'files' | 'folders'

/** What is moved or copied, and where it stands then. */
interface Placed {
  readonly from: string
  readonly to: string
  readonly overwrite: boolean
}

interface Writing {
  readonly ifMatch?: string
  readonly encoding?: FileContent['encoding']
}

/** What the pages ask the panel to change; each is one call, so that its plan can be asked for first. */
export const calls = {
  mkdir: (whose: Whose, path: string) => post('mkdir', { ...whose, ...wirePath(path), recursive: false }),
  write: (whose: Whose, path: string, content: string, { ifMatch, encoding = 'utf-8' }: Writing = {}) =>
    post('write', {
      ...whose,
      ...wirePath(path),
      content,
      encoding,
      ...(ifMatch !== undefined && { if_match: ifMatch }),
    }),
  rename: (whose: Whose, path: string, name: string) =>
    post('rename', { ...whose, ...wirePath(path), ...named('new_name', name), overwrite: false }),
  place: (whose: Whose, verb: 'move' | 'copy', places: readonly Placed[]) =>
    post(`${verb}/job`, {
      ...whose,
      places: places.map(({ from, to, overwrite }) => ({
        ...named('src_path', from),
        ...named('dst_path', to),
        overwrite,
      })),
    }),
  remove: (whose: Whose, paths: readonly string[], trash: boolean) =>
    post('delete', { ...whose, ...listOf(paths), trash }),
  chmod: (whose: Whose, path: string, mode: string, reach: Reach = 'itself') =>
    post('chmod', {
      ...whose,
      ...wirePath(path),
      mode,
      recursive: reach !== 'itself',
      ...((reach === 'files' || reach === 'folders') && { only: reach }),
    }),
  lock: (whose: Whose, path: string, isLocked: boolean, recursive = false) =>
    post(isLocked ? 'lock' : 'unlock', { ...whose, ...wirePath(path), recursive }),
  compress: (whose: Whose, paths: readonly string[], folder: string, name: string) =>
    post('compress/job', { ...whose, ...listOf(paths), ...named('dst_path', folder), archive_name: name }),
  extract: (whose: Whose, archive: string, folder: string) =>
    post('extract/job', { ...whose, ...named('archive_path', archive), ...named('dst_path', folder) }),
  /** What the job of `extract` does, as one call: its plan also tells what cannot be undone. */
  extractAtOnce: (whose: Whose, archive: string, folder: string) =>
    post('extract', { ...whose, ...named('archive_path', archive), ...named('dst_path', folder) }),
  download: (whose: Whose, folder: string, url: string) =>
    post('wget-upload', { ...whose, ...wirePath(folder), url }),
  restoreVersion: (whose: Whose, id: number) => post('history/restore', { ...whose, id }),
  clearHistory: (whose: Whose, path: string) =>
    post('history/clear', { ...whose, ...(path === '' ? { all: true } : wirePath(path)) }),
  restoreTrash: (whose: Whose, ids: readonly string[]) => post('trash/restore', { ...whose, ids }),
  emptyTrash: (whose: Whose, ids?: readonly string[]) =>
    post('trash/empty', { ...whose, ...(ids && { ids }) }),
}

/** A folder under version control. */
export interface Repository {
  readonly whose: Whose
  readonly path: string
}

const vcs = (word: string, { whose, path }: Repository, body: object) =>
  post(`vcs/${word}`, { ...whose, ...wirePath(path), ...body })

/** What the pages ask of version control. */
export const vcsCalls = {
  init: (at: Repository, branch: string) => vcs('init', at, { branch }),
  clone: (at: Repository, body: object) => vcs('clone', at, body),
  pull: (at: Repository, body: object) => vcs('pull', at, body),
  push: (at: Repository, body: object) => vcs('push', at, body),
  commit: (at: Repository, message: string, paths: readonly string[] | 'all') =>
    vcs('commit', at, { message, ...(paths === 'all' ? { all: true } : listOf(paths)) }),
  discard: (at: Repository, paths: readonly string[]) => vcs('revert', at, listOf(paths)),
  /** Ends also a merge that was begun. */
  discardAll: (at: Repository) => vcs('revert', at, { all: true }),
  takeBack: (at: Repository, commit: string) => vcs('revert', at, { commit }),
  remote: (at: Repository, body: object) => vcs('remote', at, body),
}

/** Carries a call out, and reads again what it may have changed; `onDone` is told before that. */
export const carryOut = <Value>(call: Call, onDone: () => void = () => {}) =>
  run<Value>(call)
    .then((value) => (onDone(), value))
    .finally(() => readAgain('files', 'trash', 'history', 'vcs'))

/** A path under the name that a request has for it. */
function named(field: string, path: string): Readonly<Record<string, string>> {
  const wire = wirePath(path)
  return 'path' in wire ? { [field]: wire.path } : { [`${field}_b64`]: wire.path_b64 }
}

/** Paths of a request: all as bytes where one of them is not UTF-8. */
function listOf(paths: readonly string[]): object {
  return paths.some(isOdd) ? { paths_b64: paths.map(base64Of) } : { paths }
}
