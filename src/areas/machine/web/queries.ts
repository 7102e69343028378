import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { system } from '../../system/web/api.ts'
import type { ServerNameDraft, ServerTimezoneDraft } from '../model.ts'
import { machine } from './api.ts'

/** GET /settings/server-name */
export const useServerName = () =>
  useQuery({
    queryKey: ['machine', 'name'],
    queryFn: ({ signal }) => run(machine.readServerName(), signal),
  })

/** POST /settings/server-name */
export const useNameServer = () =>
  useMutation({
    mutationFn: (body: ServerNameDraft) => run(machine.nameServer({ body })),
    onSettled: () => readAgain('machine', 'system'),
  })

/** GET /settings/server-timezone */
export const useServerTimezone = () =>
  useQuery({
    queryKey: ['machine', 'timezone'],
    queryFn: ({ signal }) => run(machine.readServerTimezone(), signal),
  })

/** POST /settings/server-timezone */
export const useSetTimezone = () =>
  useMutation({
    mutationFn: (body: ServerTimezoneDraft) => run(machine.setServerTimezone({ body })),
    onSettled: () => readAgain('machine'),
  })

/** GET /system/public-ip */
export const usePublicIp = () =>
  useQuery({
    queryKey: ['public-ip'],
    queryFn: ({ signal }) => run(system.getPublicIp(), signal),
    staleTime: 60_000,
  })

/** GET /system/ips */
export const useIps = () =>
  useQuery({
    queryKey: ['ips'],
    queryFn: async ({ signal }) => (await run(system.listIps(), signal)).ips,
  })
