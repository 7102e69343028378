import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { type Query, read, request, run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { Page } from '../../../web/wire.ts'
import type { Entry as EntrySchema, FileContent, Written } from '../model.ts'

export type Entry = Static<typeof EntrySchema>

/** Whose files: an account's, or those of a website's owner. */
export interface Whose {
  readonly username?: string
  readonly website_id?: number
}

const asQuery = (whose: Whose): Query => ({ ...whose })

/** GET /filemanager/list */
export const useFolder = (whose: Whose, path: string, asked: Query) =>
  useQuery({
    queryKey: ['files', whose, path, asked],
    queryFn: ({ signal }) => read<Page<Entry>>('/filemanager/list', { ...whose, ...asked, path }, signal),
    placeholderData: keepPreviousData,
    enabled: whose.username !== undefined || whose.website_id !== undefined,
  })

/** GET /filemanager/read */
export const useFile = (whose: Whose, path: string) =>
  useQuery({
    queryKey: ['file', whose, path],
    queryFn: ({ signal }) => read<Static<typeof FileContent>>('/filemanager/read', { ...asQuery(whose), path, limit: 1024 * 1024 }, signal),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** POST /filemanager/write; refused as a conflict when the file is not as it was read. */
export const writeFile = (whose: Whose, file: { readonly path: string; readonly content: string; readonly if_match?: string }) =>
  run<Static<typeof Written>>({ method: 'POST', path: '/filemanager/write', body: { ...whose, ...file, encoding: 'utf-8' } })

/** POST /filemanager/mkdir */
export const makeFolder = (whose: Whose, path: string) =>
  run({ method: 'POST', path: '/filemanager/mkdir', body: { ...whose, path, recursive: false } }).finally(() => readAgain('files'))

/** GET /filemanager/download, kept as a file by the browser. */
export async function download(whose: Whose, path: string): Promise<void> {
  const answer = await request({ method: 'GET', path: '/filemanager/download', query: { ...asQuery(whose), path } })
  const url = URL.createObjectURL(await answer.blob())
  const link = Object.assign(document.createElement('a'), { href: url, download: path.split('/').at(-1) ?? 'file' })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
