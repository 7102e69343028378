import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { queryClient } from '../../../web/queries.ts'
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

/** Whose files: an account's, or those of a website's owner. */
export interface Whose {
  readonly username?: string
  readonly website_id?: number
}

/** An entry of a folder as the pages hold it. */
export interface Item extends Omit<Entry, 'name' | 'name_b64'> {
  /** The name with every byte that it has; `label` is for people. */
  readonly name: string
  readonly label: string
  readonly path: string
}

/** How a folder is asked for. */
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

/** Some of the folders of a folder. */
export interface Subfolders {
  readonly items: readonly Item[]
  /** Whether there may be more. */
  readonly isCut: boolean
}

/** GET /filemanager/list, only the folders of a folder and a page of them; read when a tree opens it. */
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

/** GET /filemanager/read: the size of what a link leads to. */
export const sizeBehind = async (whose: Whose, path: string) => (await readPart(whose, path, 0, 1)).size_bytes

/** GET /filemanager/read */
export const useFile = (whose: Whose, path: string) =>
  useQuery({
    queryKey: ['file', whose, path],
    queryFn: ({ signal }) => readFile(whose, path, signal),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** GET /filemanager/read, so much of it as there is to count lines in. */
export const readPart = (whose: Whose, path: string, start: number, limit: number, signal?: AbortSignal) =>
  run(filemanager.readFile({ query: { ...whose, ...wirePath(path), start, limit } }), signal)

/** So much of a large file is shown at once. */
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

/** Something that a search found. */
export type Found = Static<typeof SearchResult>['items'][number]

/** GET /filemanager/trash */
export const useTrash = (whose: Whose, asked: Query) =>
  useQuery({
    queryKey: ['trash', whose, asked],
    queryFn: ({ signal }) => run(filemanager.listTrash({ query: { ...whose, ...asked } }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /filemanager/upload: what was begun and not ended. */
export const useOpenUploads = () =>
  useQuery({
    queryKey: ['uploads'],
    queryFn: async ({ signal }) =>
      (await run(filemanager.listUploads({ query: { per_page: 100 } }), signal)).items.filter(
        ({ state }) => state === 'open',
      ),
    staleTime: 30_000,
  })

/** GET /filemanager/dirsize of the trash: about what emptying it frees. */
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

/** Whether something stands at a path. */
export async function stands(whose: Whose, path: string): Promise<Static<typeof FileStat> | undefined> {
  return statOf(whose, path).catch((error: unknown) => {
    if (error instanceof Error && 'status' in error && error.status === 404) return undefined
    throw error
  })
}

/** The nearest folder above a path that is there; the home is. */
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

/** A page of a folder, from what was read or else from the server. */
export const fetchPage = (whose: Whose, folder: string, asked: ListAsked) =>
  queryClient.fetchQuery(folderPage(whose, folder, asked))

function itemOf(folder: string, { name, name_b64, ...entry }: Entry): Item {
  const raw = pathFrom(name, name_b64)
  return { ...entry, name: raw, label: shown(raw), path: joinPath(folder, raw) }
}
