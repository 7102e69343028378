import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { storage } from './api.ts'

/** GET /system/lvm */
export const useStorage = () =>
  useQuery({ queryKey: ['storage'], queryFn: ({ signal }) => run(storage.readStorage(), signal) })
