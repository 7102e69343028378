import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { auth } from './api.ts'

/** GET /auth/otp */
export const useOtp = () =>
  useQuery({ queryKey: ['otp'], queryFn: ({ signal }) => run(auth.readOtp(), signal) })
