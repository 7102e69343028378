import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { LimitsEdit } from '../model.ts'
import { limits } from './api.ts'

/** GET /limits */
export const useLimits = () =>
  useQuery({ queryKey: ['limits'], queryFn: ({ signal }) => run(limits.getLimits(), signal) })

/** The call that sets packages or limits of users. */
export const limitsCall = (body: LimitsEdit) => limits.setLimits({ body })

/** Reads the limits again. */
export const readLimitsAgain = () => readAgain('limits')
