import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { aipartner } from './api.ts'

const statusMs = 5000

/** GET /aipartner/status */
export const useStatus = () =>
  useQuery({
    queryKey: ['aipartner', 'status'],
    queryFn: ({ signal }) => run(aipartner.readPartnerStatus(), signal),
  })

/** GET /aipartner/messages, once: what comes later is told by the chat. */
export const useMessages = () =>
  useQuery({
    queryKey: ['aipartner', 'messages'],
    queryFn: ({ signal }) => run(aipartner.listPartnerMessages(), signal),
    staleTime: Infinity,
    gcTime: 0,
  })

/** GET /aipartner/channel-a */
export const useChannel = () =>
  useQuery({
    queryKey: ['aipartner', 'channel'],
    queryFn: ({ signal }) => run(aipartner.readChannel(), signal),
  })

/** GET /aipartner/gateway/status */
export const useGateway = () =>
  useQuery({
    queryKey: ['aipartner', 'gateway'],
    queryFn: ({ signal }) => run(aipartner.readGateway({ query: { include_log: '1' } }), signal),
    refetchInterval: statusMs,
  })

/** Closes a dialog after its change, and reads the pages again. */
export async function done(close: () => void, text: string): Promise<void> {
  close()
  notify(text)
  await readAgain('aipartner', 'jobs')
}
