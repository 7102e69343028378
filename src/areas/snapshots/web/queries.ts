import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { snapshots } from './api.ts'

/** GET /system/snapshots */
export const useSnapshots = () =>
  useQuery({ queryKey: ['snapshots'], queryFn: ({ signal }) => run(snapshots.listSnapshots(), signal) })
