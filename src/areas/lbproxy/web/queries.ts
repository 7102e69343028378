import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { type Call, read, run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type * as model from '../model.ts'

export type Status = Static<typeof model.Status>
export type Config = Static<typeof model.Config>
export type ServerState = 'ready' | 'drain' | 'maint'

const listsMs = 15_000
const statusMs = 5000
const call = (method: Call['method'], path: string, body?: unknown): Call => ({
  method,
  path: `/lbproxy${path}`,
  ...(body !== undefined && { body }),
})
const backendAt = (name: string) => `/backends/${encodeURIComponent(name)}`
const serverAt = (backend: string, name: string) =>
  `${backendAt(backend)}/servers/${encodeURIComponent(name)}`

/** GET /lbproxy/status */
export const useStatus = () =>
  useQuery({
    queryKey: ['lbproxy', 'status'],
    queryFn: ({ signal }) => read<Status>('/lbproxy/status', {}, signal),
    refetchInterval: statusMs,
  })

/** GET /lbproxy/frontends; read again now and then, as people edit the file by hand too. */
export const useFrontends = () =>
  useQuery({
    queryKey: ['lbproxy', 'frontends'],
    queryFn: ({ signal }) => read<model.Frontend[]>('/lbproxy/frontends', {}, signal),
    refetchInterval: listsMs,
  })

/** GET /lbproxy/backends */
export const useBackends = () =>
  useQuery({
    queryKey: ['lbproxy', 'backends'],
    queryFn: ({ signal }) => read<model.Backend[]>('/lbproxy/backends', {}, signal),
    refetchInterval: listsMs,
  })

/** GET /lbproxy/certificates */
export const useCertificates = () =>
  useQuery({
    queryKey: ['lbproxy', 'certificates'],
    queryFn: ({ signal }) => read<model.StoredCertificate[]>('/lbproxy/certificates', {}, signal),
  })

/** GET /lbproxy/backups */
export const useBackups = () =>
  useQuery({
    queryKey: ['lbproxy', 'backups'],
    queryFn: ({ signal }) => read<model.Backup[]>('/lbproxy/backups', {}, signal),
  })

/** GET /lbproxy/config */
export const useConfig = (reveals: boolean) =>
  useQuery({
    queryKey: ['lbproxy', 'config', reveals],
    queryFn: ({ signal }) => read<Config>('/lbproxy/config', reveals ? { reveal: 1 } : {}, signal),
    staleTime: Infinity, // what is being edited does not change under the writer's hands
    gcTime: 0,
  })

/** The requests that change something; each may be looked at first. */
export const calls = {
  addFrontend: (body: unknown) => call('POST', '/frontends', body),
  editFrontend: (name: string, body: unknown) => call('PUT', `/frontends/${encodeURIComponent(name)}`, body),
  removeFrontend: (name: string) => call('DELETE', `/frontends/${encodeURIComponent(name)}`),
  addBackend: (body: unknown) => call('POST', '/backends', body),
  editBackend: (name: string, body: unknown) => call('PUT', backendAt(name), body),
  duplicateBackend: (body: unknown) => call('POST', '/backends/duplicate', body),
  removeBackend: (name: string) => call('DELETE', backendAt(name)),
  addServer: (backend: string, body: unknown) => call('POST', `${backendAt(backend)}/servers`, body),
  editServer: (backend: string, name: string, body: unknown) => call('PUT', serverAt(backend, name), body),
  removeServer: (backend: string, name: string) => call('DELETE', serverAt(backend, name)),
  writeConfig: (content: string, ifMatch?: number): Call => ({
    ...call('POST', '/config', { content }),
    ...(ifMatch !== undefined && { ifMatch }),
  }),
  storeCertificate: (body: unknown) => call('POST', '/certificates', body),
  removeCertificate: (domain: string) => call('DELETE', `/certificates/${encodeURIComponent(domain)}`),
  backUp: () => call('POST', '/backups'),
  removeBackup: (name: string) => call('DELETE', `/backups/${encodeURIComponent(name)}`),
  restore: (name: string) => call('POST', `/backups/${encodeURIComponent(name)}/restore`),
  scheduleBackups: (body: unknown) => call('POST', '/backups/auto', body),
  program: (verb: 'start' | 'stop' | 'reload' | 'install' | 'uninstall') => call('POST', `/${verb}`),
}

/** Carries out a change, and reads again what it may have changed. */
export const carryOut = <Reply>(wanted: Call): Promise<Reply> =>
  run<Reply>(wanted).finally(() => readAgain('lbproxy'))
