import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { read, run } from '../../../web/client.ts'
import type { AreaEntry as AreaSchema, Program as ProgramSchema } from '../model.ts'

export type AreaEntry = Static<typeof AreaSchema>
export type Program = Static<typeof ProgramSchema>

/** GET /programs/areas */
export const useAreas = () =>
  useQuery({ queryKey: ['areas'], queryFn: ({ signal }) => read<AreaEntry[]>('/programs/areas', {}, signal), staleTime: 30_000 })

/** GET /programs */
export const usePrograms = () => useQuery({ queryKey: ['programs'], queryFn: ({ signal }) => read<Program[]>('/programs', {}, signal) })

/** POST /programs/{name}/install */
export const installProgram = (name: string) => run<{ job_id: number }>({ method: 'POST', path: `/programs/${name}/install` })
