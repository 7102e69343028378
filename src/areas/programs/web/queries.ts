import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../../../web/sent.ts'
import { run } from '../../../web/client.ts'
import type { listAreas, listPrograms } from '../endpoints.ts'
import { programs } from './api.ts'

export type AreaEntry = AnswerOf<typeof listAreas>[number]
export type Program = AnswerOf<typeof listPrograms>[number]

/** Returns the first program without which an area cannot work and that is not on this host. */
export const missingProgram = ({ programs: needed }: AreaEntry): Program | undefined =>
  needed.find(({ present, healthy }) => !present && !healthy)

/** GET /programs/areas */
export const useAreas = () =>
  useQuery({
    queryKey: ['areas'],
    queryFn: ({ signal }) => run(programs.listAreas(), signal),
    staleTime: 30_000,
  })

/** GET /programs */
export const usePrograms = () =>
  useQuery({ queryKey: ['programs'], queryFn: ({ signal }) => run(programs.listPrograms(), signal) })

/** POST /programs/{name}/install */
export const installProgram = (name: string) => run(programs.installProgram({ params: { name } }))
