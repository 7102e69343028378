import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { pause } from '../../../web/pause.ts'
import { run } from '../../../web/client.ts'
import { readEvents } from '../../../web/event-stream.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import type { ContainerStats } from '../stats/model.ts'
import type { ContainerVerb } from '../verbs.ts'
import type { StackAction } from '../stacks/model.ts'
import { containers } from './api.ts'
import { longMs } from './state.ts'

/** GET /containers/status, polled while the page is visible. */
export const useEngine = () =>
  useQuery({
    queryKey: ['containers', 'status'],
    queryFn: ({ signal }) => run(containers.readEngine(), signal),
    refetchInterval: 10_000,
  })

/** GET /containers/containers, polled while the page is visible. */
export const useContainers = () =>
  useQuery({
    queryKey: ['containers', 'list'],
    queryFn: ({ signal }) => run(containers.listContainers(), signal),
    refetchInterval: 5000,
  })

/** GET /containers/containers/{id}/config */
export const useConfig = (id: string) =>
  useQuery({
    queryKey: ['containers', 'config', id],
    queryFn: ({ signal }) => run(containers.readConfig({ params: { id } }), signal),
  })

/** GET /containers/containers/{id}/inspect */
export const useInspection = (id: string) =>
  useQuery({
    queryKey: ['containers', 'inspect', id],
    queryFn: ({ signal }) => run(containers.inspectContainer({ params: { id } }), signal),
  })

/** GET /containers/containers/{id}/history */
export const useHistory = (id: string) =>
  useQuery({
    queryKey: ['containers', 'history', id],
    queryFn: ({ signal }) => run(containers.listContainerHistory({ params: { id } }), signal),
    refetchInterval: 10_000,
  })

/** GET /containers/catalog, which does not change while the panel runs. */
export const useCatalog = () =>
  useQuery({
    queryKey: ['containers', 'catalog'],
    queryFn: ({ signal }) => run(containers.readCatalog(), signal),
    staleTime: Infinity,
  })

/** GET /containers/stacks, polled while the page is visible. */
export const useStacks = () =>
  useQuery({
    queryKey: ['containers', 'stacks'],
    queryFn: ({ signal }) => run(containers.listStacks(), signal),
    refetchInterval: 5000,
  })

/** GET /containers/exposure, polled while the page is visible. */
export const useExposure = () =>
  useQuery({
    queryKey: ['containers', 'exposure'],
    queryFn: ({ signal }) => run(containers.readContainerExposure(), signal),
    refetchInterval: 10_000,
  })

/** GET /containers/images */
export const useImages = () =>
  useQuery({
    queryKey: ['containers', 'images'],
    queryFn: ({ signal }) => run(containers.listImages(), signal),
  })

/** GET /containers/registries */
export const useRegistries = () =>
  useQuery({
    queryKey: ['containers', 'registries'],
    queryFn: ({ signal }) => run(containers.listRegistries(), signal),
  })

/** GET /containers/backups */
export const useBackups = () =>
  useQuery({
    queryKey: ['containers', 'backups'],
    queryFn: ({ signal }) => run(containers.listContainerBackups(), signal),
  })

/** POST /containers/containers/{id}/{action} */
export const useSwitch = () =>
  useMutation({
    mutationFn: ({ id, action }: { readonly id: string; readonly action: ContainerVerb }) =>
      run(containers.switchContainer({ params: { id, action } })),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain('containers'),
  })

/** POST /containers/stacks/{instance}/{action} */
export const useStackAction = () =>
  useMutation({
    mutationFn: ({ instance, action }: { readonly instance: string; readonly action: StackAction }) =>
      run(containers.actOnStack({ params: { instance, action }, body: {}, limitMs: longMs })),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain('containers'),
  })

const retryMs = 3000

/** GET /containers/stats, followed while the page is shown: what each running container uses, by its id. */
export function useStats(): ReadonlyMap<string, ContainerStats> {
  const [stats, setStats] = useState<ReadonlyMap<string, ContainerStats>>(new Map())
  useEffect(() => {
    const ending = new AbortController()
    void followStats(setStats, ending.signal)
    return () => ending.abort()
  }, [])
  return stats
}

async function followStats(
  show: (stats: ReadonlyMap<string, ContainerStats>) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { value } of readEvents(containers.followContainerStats({ query: {} }), 0, signal))
        if (value.type === 'stats') show(new Map(value.containers.map((each) => [each.id, each])))
    } catch {
      show(new Map()) // the connection was lost: it is made again
    }
    await pause(retryMs, signal)
  }
}
