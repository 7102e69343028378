import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Query } from '../../../../web/call.ts'
import { run } from '../../../../web/client.ts'
import type {
  ChangedFile as ChangedFileSchema,
  LogEntry,
  Remote as RemoteSchema,
  Status,
} from '../../vcs/model.ts'
import { filemanager } from '../api.ts'
import type { Repository } from '../calls.ts'
import { pathFrom, wirePath } from '../names.ts'

export type { LogEntry, Status }
export type Remote = Static<typeof RemoteSchema>

/** A changed file, with a path that keeps every byte. */
export type ChangedFile = Static<typeof ChangedFileSchema>

const at = ({ whose, path }: Repository) => ({ ...whose, ...wirePath(path) })
const ofFile = (path: string) => {
  const wire = wirePath(path)
  return 'path' in wire ? { file: wire.path } : { file_b64: wire.path_b64 }
}

/** GET /filemanager/vcs */
export const useStatus = (repository: Repository) =>
  useQuery({
    queryKey: ['vcs', repository, 'status'],
    queryFn: async ({ signal }) => {
      const status = await run(filemanager.readStatus({ query: at(repository) }), signal)
      return {
        ...status,
        files: status.files.map((file): ChangedFile => ({
          ...file,
          path: pathFrom(file.path, file.path_b64),
        })),
      }
    },
  })

/** GET /filemanager/vcs/log */
export const useLog = (repository: Repository, asked: Query) =>
  useQuery({
    queryKey: ['vcs', repository, 'log', asked],
    queryFn: ({ signal }) => run(filemanager.readLog({ query: { ...at(repository), ...asked } }), signal),
    placeholderData: keepPreviousData,
  })

/** GET /filemanager/vcs/diff, of one file against its committed version. */
export const useFileDiff = (repository: Repository, file: string) =>
  useQuery({
    queryKey: ['vcs', repository, 'diff', file],
    queryFn: ({ signal }) =>
      run(filemanager.readDiff({ query: { ...at(repository), ...ofFile(file) } }), signal),
  })

/** GET /filemanager/vcs/show */
export const useCommit = (repository: Repository, commit: string) =>
  useQuery({
    queryKey: ['vcs', repository, 'show', commit],
    queryFn: ({ signal }) => run(filemanager.showOne({ query: { ...at(repository), commit } }), signal),
    staleTime: Infinity,
  })
