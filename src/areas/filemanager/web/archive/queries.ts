import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { run } from '../../../../web/client.ts'
import type {
  ArchiveEntry as ArchiveEntrySchema,
  ArchiveListing as ArchiveListingSchema,
} from '../../model.ts'
import { filemanager } from '../api.ts'
import { wirePath } from '../names.ts'
import type { Whose } from '../queries.ts'

export type ArchiveEntry = Static<typeof ArchiveEntrySchema>
export type ArchiveListing = Static<typeof ArchiveListingSchema>

/** GET /filemanager/archive */
export const useArchive = (whose: Whose, path: string) =>
  useQuery({
    queryKey: ['files', whose, path, 'archive'],
    queryFn: ({ signal }) => run(filemanager.listArchive({ query: { ...whose, ...wirePath(path) } }), signal),
    retry: false,
    refetchOnWindowFocus: false,
  })
