import type { Call } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { filemanager as api } from './api.ts'
import { base64Of, isOdd, wirePath } from './names.ts'
import type { FileContent, Whose } from './queries.ts'

const hourMs = 3_600_000

/** Makes a call that may take an hour. */
const long = <Body, Answer>(
  make: (asked: { readonly body: Body; readonly limitMs: number }) => Call<Answer>,
  body: Body,
): Call<Answer> => make({ body, limitMs: hourMs })

/** The scope of a mode change in a folder. */
export type Reach = 'itself' | 'all' | 'files' | 'folders'

/** The source and destination of a move or copy. */
interface Placed {
  readonly from: string
  readonly to: string
  readonly overwrite: boolean
}

interface Writing {
  readonly ifMatch?: string
  readonly encoding?: FileContent['encoding']
}

/** The changes that the pages make; each is one call, so that its plan can be requested first. */
export const calls = {
  mkdir: (whose: Whose, path: string) =>
    long(api.makeFolder, { ...whose, ...wirePath(path), recursive: false }),
  write: (whose: Whose, path: string, content: string, { ifMatch, encoding = 'utf-8' }: Writing = {}) =>
    long(api.writeFile, {
      ...whose,
      ...wirePath(path),
      content,
      encoding,
      ...(ifMatch !== undefined && { if_match: ifMatch }),
    }),
  rename: (whose: Whose, path: string, name: string) =>
    long(api.renameFile, { ...whose, ...wirePath(path), ...named('new_name', name), overwrite: false }),
  place: (whose: Whose, verb: 'move' | 'copy', places: readonly Placed[]) =>
    long(verb === 'move' ? api.startMove : api.startCopy, {
      ...whose,
      places: places.map(({ from, to, overwrite }) => ({
        ...named('src_path', from),
        ...named('dst_path', to),
        overwrite,
      })),
    }),
  remove: (whose: Whose, paths: readonly string[], trash: boolean) =>
    long(api.deleteFiles, { ...whose, ...listOf(paths), trash }),
  chmod: (whose: Whose, path: string, mode: string, reach: Reach = 'itself') =>
    long(api.changeMode, {
      ...whose,
      ...wirePath(path),
      mode,
      recursive: reach !== 'itself',
      ...((reach === 'files' || reach === 'folders') && { only: reach }),
    }),
  lock: (whose: Whose, path: string, isLocked: boolean, recursive = false) =>
    long(isLocked ? api.lockFile : api.unlockFile, { ...whose, ...wirePath(path), recursive }),
  compress: (whose: Whose, paths: readonly string[], folder: string, name: string) =>
    long(api.startCompress, { ...whose, ...listOf(paths), ...named('dst_path', folder), archive_name: name }),
  extract: (whose: Whose, archive: string, folder: string) =>
    long(api.startExtract, { ...whose, ...named('archive_path', archive), ...named('dst_path', folder) }),
  /** Does the same as the job of `extract`, as one call whose plan also lists irreversible effects. */
  extractAtOnce: (whose: Whose, archive: string, folder: string) =>
    long(api.extractArchive, { ...whose, ...named('archive_path', archive), ...named('dst_path', folder) }),
  download: (whose: Whose, folder: string, url: string) =>
    long(api.startDownload, { ...whose, ...wirePath(folder), url }),
  restoreVersion: (whose: Whose, id: number) => long(api.restoreVersion, { ...whose, id }),
  clearHistory: (whose: Whose, path: string) =>
    long(api.clearHistory, { ...whose, ...(path === '' ? { all: true } : wirePath(path)) }),
  restoreTrash: (whose: Whose, ids: readonly string[]) => long(api.restoreTrash, { ...whose, ids }),
  emptyTrash: (whose: Whose, ids?: readonly string[]) =>
    long(api.emptyTrash, { ...whose, ...(ids && { ids }) }),
}

/** A folder under version control. */
export interface Repository {
  readonly whose: Whose
  readonly path: string
}

const at = ({ whose, path }: Repository) => ({ ...whose, ...wirePath(path) })

/** The version control calls of the pages. */
export const vcsCalls = {
  init: (to: Repository, branch: string) => long(api.initRepository, { ...at(to), branch }),
  clone: (to: Repository, body: object) => long(api.cloneRepository, { ...at(to), ...body }),
  pull: (to: Repository, body: object) => long(api.pullRepository, { ...at(to), ...body }),
  push: (to: Repository, body: object) => long(api.pushRepository, { ...at(to), ...body }),
  commit: (to: Repository, message: string, paths: readonly string[] | 'all') =>
    long(api.commitChanges, { ...at(to), message, ...(paths === 'all' ? { all: true } : listOf(paths)) }),
  discard: (to: Repository, paths: readonly string[]) =>
    long(api.revertChanges, { ...at(to), ...listOf(paths) }),
  /** Also concludes a merge in progress. */
  discardAll: (to: Repository) => long(api.revertChanges, { ...at(to), all: true }),
  takeBack: (to: Repository, commit: string) => long(api.revertChanges, { ...at(to), commit }),
  remote: (to: Repository, body: object) => long(api.changeRemote, { ...at(to), ...body }),
}

/** Sends a call and invalidates the affected queries; `onDone` runs before that. */
export const carryOut = <Answer>(call: Call<Answer>, onDone: () => void = () => {}) =>
  run(call)
    .then((value) => (onDone(), value))
    .finally(() => readAgain('files', 'trash', 'history', 'vcs'))

/** Encodes a path as a parameter of the given name. */
function named(field: string, path: string): Readonly<Record<string, string>> {
  const wire = wirePath(path)
  return 'path' in wire ? { [field]: wire.path } : { [`${field}_b64`]: wire.path_b64 }
}

/** Encodes the paths of a request: all as bytes if one of them is not UTF-8. */
function listOf(paths: readonly string[]): object {
  return paths.some(isOdd) ? { paths_b64: paths.map(base64Of) } : { paths }
}
