import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { webadmin } from './api.ts'

/** GET /sqldb/webadmin */
export const useWebadmin = () =>
  useQuery({ queryKey: ['webadmin'], queryFn: ({ signal }) => run(webadmin.readWebadmin(), signal) })

/** POST /sqldb/webadmin/login */
export const useSignIn = () =>
  useMutation({
    mutationFn: (db_user: string) => run(webadmin.signInToWebadmin({ body: { db_user } })),
  })
