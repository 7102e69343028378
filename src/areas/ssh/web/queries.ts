import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { ssh } from './api.ts'

/** GET /users/{uid}/ssh-keys */
export const useSshKeys = (uid: number) =>
  useQuery({
    queryKey: ['ssh-keys', uid],
    queryFn: async ({ signal }) => (await run(ssh.listSshKeys({ params: { uid } }), signal)).keys,
  })

/** POST /users/{uid}/ssh-keys */
export const addSshKey = (uid: number, public_key: string) =>
  run(ssh.addSshKey({ params: { uid }, body: { public_key } })).finally(() =>
    readAgain('ssh-keys', 'ssh-access'),
  )

/** GET /users/{uid}/ssh-access */
export const useSshAccess = (uid: number) =>
  useQuery({
    queryKey: ['ssh-access', uid],
    queryFn: ({ signal }) => run(ssh.readSshAccess({ params: { uid } }), signal),
  })
