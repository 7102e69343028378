import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { dnslb } from './api.ts'

const statusMs = 5000

/** GET /dnslb/status */
export const useStatus = () =>
  useQuery({
    queryKey: ['dnslb', 'status'],
    queryFn: ({ signal }) => run(dnslb.readStatus(), signal),
    refetchInterval: statusMs,
  })

/** GET /dnslb/stats */
export const useStats = () =>
  useQuery({
    queryKey: ['dnslb', 'stats'],
    queryFn: ({ signal }) => run(dnslb.readStats(), signal),
    refetchInterval: statusMs,
  })

/** GET /dnslb/servers; polled for their health. */
export const useServers = () =>
  useQuery({
    queryKey: ['dnslb', 'servers'],
    queryFn: ({ signal }) => run(dnslb.listServers(), signal),
    refetchInterval: statusMs,
  })

/** GET /dnslb/address-lists */
export const useAddressLists = () =>
  useQuery({
    queryKey: ['dnslb', 'address-lists'],
    queryFn: ({ signal }) => run(dnslb.listAddresses(), signal),
  })

/** GET /dnslb/domain-lists */
export const useDomainLists = () =>
  useQuery({
    queryKey: ['dnslb', 'domain-lists'],
    queryFn: ({ signal }) => run(dnslb.listDomains(), signal),
  })

/** GET /dnslb/blocked-names; each reading starts a program on the host. */
export const useBlockedNames = () =>
  useQuery({
    queryKey: ['dnslb', 'blocked-names'],
    queryFn: ({ signal }) => run(dnslb.listBlockedNames(), signal),
    refetchInterval: 30_000,
  })

/** GET /dnslb/rules */
export const useRules = () =>
  useQuery({
    queryKey: ['dnslb', 'rules'],
    queryFn: ({ signal }) => run(dnslb.listRules(), signal),
  })

/** GET /dnslb/config */
export const useConfig = () =>
  useQuery({
    queryKey: ['dnslb', 'config'],
    queryFn: ({ signal }) => run(dnslb.readConfig(), signal),
    staleTime: Infinity, // a refetch must not replace the text that is being edited
    gcTime: 0,
  })

/** GET /dnslb/multi-servers */
export const usePeers = () =>
  useQuery({
    queryKey: ['dnslb', 'peers'],
    queryFn: ({ signal }) => run(dnslb.listPeers(), signal),
  })

/** POST /dnslb/multi-servers/{id}/test */
export const usePeerTest = () =>
  useMutation({
    mutationFn: ({ id }: { readonly id: number; readonly name: string }) =>
      run(dnslb.testPeer({ params: { id } })),
    onSuccess: ({ status, message }, { name }) =>
      notify(status === 'active' ? `${name} can be reached.` : `${name}: ${message}`, status !== 'active'),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain('dnslb'),
  })

/** POST /dnslb/start and /dnslb/restart */
export const useSwitch = () =>
  useMutation({
    mutationFn: (verb: 'start' | 'restart') => run(dnslb[verb]()),
    onSuccess: () => notify('dnsdist is running.'),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain('dnslb'),
  })

/** Closes a dialog, says what was done, and reads the lists again. */
export async function done(close: () => void, message: string, isFailure = false): Promise<void> {
  close()
  notify(message, isFailure)
  await readAgain('dnslb')
}
