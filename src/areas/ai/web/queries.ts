import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { ai } from './api.ts'

const liveMs = 5000

/** GET /ai/status, polled while the page is visible. */
export const useAssistant = () =>
  useQuery({
    queryKey: ['ai', 'status'],
    queryFn: ({ signal }) => run(ai.readAssistantStatus(), signal),
    refetchInterval: liveMs,
  })

/** GET /ai/config */
export const useConfig = () =>
  useQuery({ queryKey: ['ai', 'config'], queryFn: ({ signal }) => run(ai.readAssistantConfig(), signal) })

/** GET /ai/config/versions */
export const useConfigVersions = () =>
  useQuery({
    queryKey: ['ai', 'config', 'versions'],
    queryFn: async ({ signal }) => (await run(ai.listConfigVersions(), signal)).versions,
  })

/** GET /ai/sessions */
export const useSessions = () =>
  useQuery({
    queryKey: ['ai', 'sessions'],
    queryFn: async ({ signal }) => (await run(ai.listChatSessions(), signal)).sessions,
    retry: false,
  })

/** GET /ai/vault */
export const useVault = () =>
  useQuery({
    queryKey: ['ai', 'vault'],
    queryFn: async ({ signal }) => (await run(ai.listVault(), signal)).entries,
  })

/** GET /ai/channel-a/config or channel-b/config */
export const useChannel = (channel: 'a' | 'b') =>
  useQuery({
    queryKey: ['ai', 'channel', channel],
    queryFn: ({ signal }) => run(channel === 'a' ? ai.readChannelA() : ai.readChannelB(), signal),
  })

/** GET /ai/channel-a/pairings or channel-b/pairings, polled while the page is visible. */
export const usePairings = (channel: 'a' | 'b') =>
  useQuery({
    queryKey: ['ai', 'pairings', channel],
    queryFn: ({ signal }) =>
      run(channel === 'a' ? ai.listChannelAPairings() : ai.listChannelBPairings(), signal),
    refetchInterval: liveMs,
  })

/** GET /ai/webconsole/status */
export const useWebConsole = () =>
  useQuery({ queryKey: ['ai', 'console'], queryFn: ({ signal }) => run(ai.readWebConsole(), signal) })

/** The token by which a browser signs in to the console; read once it is to be shown, and kept nowhere. */
export const useConsoleToken = (isShown: boolean) =>
  useQuery({
    queryKey: ['ai', 'console', 'token'],
    queryFn: async ({ signal }) =>
      (await run(ai.readWebConsole({ query: { reveal: true } }), signal)).token ?? 'There is none',
    enabled: isShown,
    gcTime: 0,
  })

/** GET /ai/webconsole/healthcheck */
export const useConsoleHealth = () =>
  useQuery({
    queryKey: ['ai', 'console', 'health'],
    queryFn: ({ signal }) => run(ai.checkWebConsole(), signal),
  })

/** GET /ai/crontab */
export const useCronJobs = () =>
  useQuery({ queryKey: ['ai', 'crontab'], queryFn: ({ signal }) => run(ai.readAssistantCrontab(), signal) })
