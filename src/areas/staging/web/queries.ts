import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { PushDraft, StagingDraft } from '../model.ts'
import { staging } from './api.ts'

/** GET /websites/{id}/staging */
export const useStaging = (id: number) =>
  useQuery({
    queryKey: ['websites', id, 'staging'],
    queryFn: ({ signal }) => run(staging.readWebsiteStaging({ params: { id } }), signal),
  })

/** The calls for the staging copies of a website. */
export const stagingCalls = (id: number) => ({
  create: (body: StagingDraft) => staging.createStagingCopy({ params: { id }, body }),
  push: (body: PushDraft) => staging.pushStagingCopy({ params: { id }, body }),
  remove: () => staging.deleteStagingCopy({ params: { id } }),
})

/** Reads websites and what belongs to them again. */
export const readStagingAgain = () => readAgain('websites', 'jobs')
