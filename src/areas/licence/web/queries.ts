import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { licence } from './api.ts'

/** GET /licence */
export const useLicence = () =>
  useQuery({ queryKey: ['licence'], queryFn: ({ signal }) => run(licence.readLicence(), signal) })
