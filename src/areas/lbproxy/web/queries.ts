import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Call } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type * as model from '../model.ts'
import { lbproxy } from './api.ts'

export type Status = Static<typeof model.Status>
export type Config = Static<typeof model.Config>
export type ServerState = 'ready' | 'drain' | 'maint'

const listsMs = 15_000
const statusMs = 5000

/** GET /lbproxy/status */
export const useStatus = () =>
  useQuery({
    queryKey: ['lbproxy', 'status'],
    queryFn: ({ signal }) => run(lbproxy.readStatus(), signal),
    refetchInterval: statusMs,
  })

/** GET /lbproxy/frontends; polled because people also edit the file by hand. */
export const useFrontends = () =>
  useQuery({
    queryKey: ['lbproxy', 'frontends'],
    queryFn: ({ signal }) => run(lbproxy.listFrontends(), signal),
    refetchInterval: listsMs,
  })

/** GET /lbproxy/backends */
export const useBackends = () =>
  useQuery({
    queryKey: ['lbproxy', 'backends'],
    queryFn: ({ signal }) => run(lbproxy.listBackends(), signal),
    refetchInterval: listsMs,
  })

/** GET /lbproxy/certificates */
export const useCertificates = () =>
  useQuery({
    queryKey: ['lbproxy', 'certificates'],
    queryFn: ({ signal }) => run(lbproxy.listCertificates(), signal),
  })

/** GET /lbproxy/backups */
export const useBackups = () =>
  useQuery({
    queryKey: ['lbproxy', 'backups'],
    queryFn: ({ signal }) => run(lbproxy.listBackups(), signal),
  })

/** GET /lbproxy/config */
export const useConfig = (reveals: boolean) =>
  useQuery({
    queryKey: ['lbproxy', 'config', reveals],
    queryFn: ({ signal }) => run(lbproxy.readConfig(reveals ? { query: { reveal: true } } : {}), signal),
    staleTime: Infinity, // a refetch must not replace the text that is being edited
    gcTime: 0,
  })

/** Sends a change and invalidates the affected queries. */
export const carryOut = <Answer>(wanted: Call<Answer>): Promise<Answer> =>
  run(wanted).finally(() => readAgain('lbproxy'))

/** POST /lbproxy/config: replaces the whole text if the file is still at this revision. */
export const writeConfig = (content: string, ifMatch?: number) =>
  lbproxy.writeConfig({ body: { content }, ...(ifMatch !== undefined && { ifMatch }) })
