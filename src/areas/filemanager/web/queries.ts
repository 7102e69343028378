import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { isEdited, queryClient } from '../../../web/queries.ts'
import type {
  Entry as EntrySchema,
  FileContent as FileContentSchema,
  FileStat,
  SearchResult,
  TrashItem as TrashItemSchema,
} from '../model.ts'
import type { PartialUpload as PartialUploadSchema } from '../transfers/model.ts'
import { filemanager } from './api.ts'
import { pathFrom, shown, wirePath } from './names.ts'
import { joinPath, parentOf } from './paths.ts'

export type Entry = Static<typeof EntrySchema>
export type FileContent = Static<typeof FileContentSchema>
export type TrashItem = Static<typeof TrashItemSchema>
export type PartialUpload = Static<typeof PartialUploadSchema>

/** The owner of the files: an account, or the owner of a website. */
export interface Whose {
  readonly username?: string
  readonly website_id?: number
}

/** An entry of a folder as the pages use it. */
export interface Item extends Omit<Entry, 'name' | 'name_b64'> {
  /** The name with every byte; `label` is for display. */
  readonly name: string
  readonly label: string
  readonly path: string
}

/** The parameters of a folder listing. */
export interface ListAsked {
  readonly sort: string
  readonly show_hidden: boolean
  readonly page: number
  readonly folders_first?: boolean
  /** Part of a name. */
  readonly search?: string
}

export const rowsAPage = 500
const sizeMs = 600_000
export const editLimitBytes = 4 * 1024 * 1024

/** GET /filemanager/list */
export const folderPage = (whose: Whose, folder: string, asked: ListAsked) =>
  queryOptions({
    queryKey: ['files', whose, folder, asked],
    queryFn: async ({ signal }) => {
      const query = { ...whose, ...wirePath(folder), ...asked, per_page: rowsAPage }
      const { items, total } = await run(filemanager.listFiles({ query }), signal)
      return { items: items.map((entry) => itemOf(folder, entry)), total }
    },
    staleTime: 2000,
  })

/** A page of the subfolders of a folder. */
export interface Subfolders {
  readonly items: readonly Item[]
  /** There may be more subfolders. */
  readonly isCut: boolean
}

/** GET /filemanager/list, one page of subfolders; read when the tree opens a folder. */
export const subfolders = (whose: Whose, folder: string, page = 1) =>
  queryOptions({
    queryKey: ['files', whose, folder, 'folders', page],
    queryFn: async ({ signal }): Promise<Subfolders> => {
      const query = {
        ...whose,
        ...wirePath(folder),
        sort: 'name',
        folders_first: true,
        page,
        per_page: rowsAPage,
        show_hidden: true,
      }
      const { items, total } = await run(filemanager.listFiles({ query }), signal)
      const folders = items.filter(({ type }) => type === 'folder').map((entry) => itemOf(folder, entry))
      return { items: folders, isCut: folders.length === items.length && page * rowsAPage < total }
    },
    staleTime: 10_000,
  })

/** GET /filemanager/stat */
export const statOf = (whose: Whose, path: string, signal?: AbortSignal) =>
  run(filemanager.statFile({ query: { ...whose, ...wirePath(path) } }), signal)

/** GET /filemanager/stat */
export const useStat = (whose: Whose, path: string) =>
  useQuery({
    queryKey: ['files', whose, path, 'stat'],
    queryFn: ({ signal }) => statOf(whose, path, signal),
    refetchOnWindowFocus: false,
  })

/** GET /filemanager/read */
export const readFile = (whose: Whose, path: string, signal?: AbortSignal) =>
  run(filemanager.readFile({ query: { ...whose, ...wirePath(path), limit: editLimitBytes } }), signal)

/** GET /filemanager/read: the size of a link's target. */
export const sizeBehind = async (whose: Whose, path: string) => (await readPart(whose, path, 0, 1)).size_bytes

/** GET /filemanager/read. The editor starts anew with each answer. */
export const useFile = (whose: Whose, path: string) =>
  useQuery({
    queryKey: ['file', whose, path],
    queryFn: ({ signal }) => readFile(whose, path, signal),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: isEdited,
  })

/** GET /filemanager/read, in parts that are large enough for counting lines. */
export const readPart = (whose: Whose, path: string, start: number, limit: number, signal?: AbortSignal) =>
  run(filemanager.readFile({ query: { ...whose, ...wirePath(path), start, limit } }), signal)

/** The number of bytes of a large file that are shown at once. */
export const partBytes = 512 * 1024

/** GET /filemanager/read, a part of a large file. */
export const useFilePart = (whose: Whose, path: string, start: number) =>
  useQuery({
    queryKey: ['file', whose, path, start],
    queryFn: ({ signal }) => readPart(whose, path, start, partBytes, signal),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })

/** GET /filemanager/dirsize */
export const sizeOf = async (whose: Whose, path: string, signal?: AbortSignal) =>
  (await run(filemanager.dirsize({ query: { ...whose, ...wirePath(path) } }), signal)).size_bytes

/** A search result. */
export type Found = Static<typeof SearchResult>['items'][number]

/** GET /filemanager/trash */
export const useTrash = (whose: Whose, asked: Query) =>
  useQuery({
    queryKey: ['trash', whose, asked],
    queryFn: ({ signal }) => run(filemanager.listTrash({ query: { ...whose, ...asked } }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /filemanager/upload: the unfinished uploads. */
export const useOpenUploads = () =>
  useQuery({
    queryKey: ['uploads'],
    queryFn: async ({ signal }) =>
      (await run(filemanager.listUploads({ query: { per_page: 100 } }), signal)).items.filter(
        ({ state }) => state === 'open',
      ),
    staleTime: 30_000,
  })

/** GET /filemanager/dirsize of the trash: approximately the space that emptying it frees. */
export const useTrashSize = (whose: Whose, isWanted: boolean) =>
  useQuery({
    queryKey: ['trash', whose, 'size'],
    queryFn: async ({ signal }) => {
      const size = await run(
        filemanager.dirsize({ query: { ...whose, trash: true }, limitMs: sizeMs }),
        signal,
      )
      return size.size_bytes
    },
    enabled: isWanted,
    retry: false,
  })

/** Returns true if a path exists. */
export async function stands(whose: Whose, path: string): Promise<Static<typeof FileStat> | undefined> {
  return statOf(whose, path).catch((error: unknown) => {
    if (error instanceof Error && 'status' in error && error.status === 404) return undefined
    throw error
  })
}

/** Returns the nearest existing ancestor of a path; the home always exists. */
export const useStandingAbove = (whose: Whose, path: string, isWanted: boolean) =>
  useQuery({
    queryKey: ['files', whose, path, 'above'],
    queryFn: () => standingAbove(whose, path),
    enabled: isWanted,
  })

async function standingAbove(whose: Whose, path: string): Promise<string> {
  for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
    if ((await stands(whose, above))?.type === 'folder') return above
  }
  return ''
}

/** Returns a page of a folder, from the cache or else from the server. */
export const fetchPage = (whose: Whose, folder: string, asked: ListAsked) =>
  queryClient.fetchQuery(folderPage(whose, folder, asked))

function itemOf(folder: string, { name, name_b64, ...entry }: Entry): Item {
  const raw = pathFrom(name, name_b64)
  return { ...entry, name: raw, label: shown(raw), path: joinPath(folder, raw) }
}
