import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import type { Simulation } from '../rules/model.ts'
import { authdns } from './api.ts'

/** What was begun goes on by itself: times pass, and the parent gets another DS, or none. */
const dnssecMs = 30_000

/** GET /authdns/status */
export const useDnsStatus = () =>
  useQuery({
    queryKey: ['authdns', 'status'],
    queryFn: ({ signal }) => run(authdns.readAuthdnsStatus(), signal),
  })

/** GET /authdns/zones */
export const useZones = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['authdns', 'zones'],
    queryFn: ({ signal }) => run(authdns.listDnsZones(), signal),
    enabled: isEnabled,
  })

/** GET /authdns/zones/{zone} */
export const useZone = (zone: string) =>
  useQuery({
    queryKey: ['authdns', 'zone', zone],
    queryFn: ({ signal }) => run(authdns.readDnsZone({ params: { zone } }), signal),
  })

/** GET /authdns/templates */
export const useTemplates = (query: Readonly<Record<string, string | number>>) =>
  useQuery({
    queryKey: ['authdns', 'templates', query],
    queryFn: ({ signal }) => run(authdns.listDnsTemplates({ query }), signal),
  })

/** POST /authdns/zones/{zone}/export */
export const useExport = () =>
  useMutation({ mutationFn: (zone: string) => run(authdns.exportDnsZone({ params: { zone } })) })

/** GET /authdns/zones/{zone}/dnssec */
export const useDnssec = (zone: string) =>
  useQuery({
    queryKey: ['authdns', 'dnssec', zone],
    queryFn: ({ signal }) => run(authdns.readZoneDnssec({ params: { zone } }), signal),
    refetchInterval: ({ state: { data } }) => (data?.rollover || data?.withdrawal ? dnssecMs : false),
  })

/** GET /authdns/smart-rules */
export const useSmartRules = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['authdns', 'smart-rules'],
    queryFn: ({ signal }) => run(authdns.listSmartRules({ query: {} }), signal),
    enabled: isEnabled,
  })

/** GET /authdns/geo */
export const useGeoState = () =>
  useQuery({
    queryKey: ['authdns', 'geo'],
    queryFn: ({ signal }) => run(authdns.readGeoState(), signal),
  })

/** POST /authdns/smart-rules/simulate */
export const useSimulation = () =>
  useMutation({ mutationFn: (body: Simulation) => run(authdns.simulateSmartRule({ body })) })

/** GET /authdns/replication */
export const useReplication = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['authdns', 'replication'],
    queryFn: ({ signal }) => run(authdns.readReplication(), signal),
    enabled: isEnabled,
  })

/** GET /authdns/sync-status */
export const useSyncStatus = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['authdns', 'sync-status'],
    queryFn: ({ signal }) => run(authdns.readDnsSyncStatus(), signal),
    enabled: isEnabled,
  })

/** GET /authdns/sync-api-key */
export const useSyncKey = () =>
  useQuery({
    queryKey: ['authdns', 'sync-api-key'],
    queryFn: ({ signal }) => run(authdns.readDnsSyncKey(), signal),
  })
