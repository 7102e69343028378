import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../../../core/endpoint.ts'
import { read, run } from '../../../web/client.ts'
import type { installProgram as install, listAreas, listPrograms } from '../endpoints.ts'

export type AreaEntry = AnswerOf<typeof listAreas>[number]
export type Program = AnswerOf<typeof listPrograms>[number]

/** GET /programs/areas */
export const useAreas = () =>
  useQuery({
    queryKey: ['areas'],
    queryFn: ({ signal }) => read<AreaEntry[]>('/programs/areas', {}, signal),
    staleTime: 30_000,
  })

/** GET /programs */
export const usePrograms = () =>
  useQuery({ queryKey: ['programs'], queryFn: ({ signal }) => read<Program[]>('/programs', {}, signal) })

/** POST /programs/{name}/install */
export const installProgram = (name: string) =>
  run<AnswerOf<typeof install>>({ method: 'POST', path: `/programs/${name}/install` })
