import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Query } from '../../../../web/call.ts'
import { run } from '../../../../web/client.ts'
import type { Version as VersionSchema } from '../../history/model.ts'
import { filemanager } from '../api.ts'
import { wirePath } from '../names.ts'
import { editLimitBytes, type Whose } from '../queries.ts'

export type Version = Static<typeof VersionSchema>

/** GET /filemanager/history, or history/all if no file is given. */
export const useVersions = (whose: Whose, path: string, asked: Query) =>
  useQuery({
    queryKey: ['history', whose, path, asked],
    queryFn: ({ signal }) =>
      path === ''
        ? run(filemanager.listAllHistory({ query: { ...whose, ...asked } }), signal)
        : run(
            filemanager.listHistory({
              query: { ...whose, ...asked, ...wirePath(path), search: undefined },
            }),
            signal,
          ),
    placeholderData: keepPreviousData,
  })

/** GET /filemanager/history/content */
export const useVersionContent = (whose: Whose, id: number) =>
  useQuery({
    queryKey: ['history', whose, 'content', id],
    queryFn: ({ signal }) =>
      run(filemanager.readVersion({ query: { ...whose, id, limit: editLimitBytes } }), signal),
    staleTime: Infinity,
    gcTime: 60_000,
  })

/** GET /filemanager/history/diff, against the current file or another version. */
export const useVersionDiff = (whose: Whose, from: number, to: number | undefined) =>
  useQuery({
    queryKey: ['history', whose, 'diff', from, to],
    queryFn: ({ signal }) => run(filemanager.diffVersion({ query: { ...whose, from, to } }), signal),
  })
