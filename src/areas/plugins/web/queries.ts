import { useMutation, useQuery } from '@tanstack/react-query'
import { read, run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { Plugin } from '../model.ts'

/** GET /plugins */
export const usePlugins = () =>
  useQuery({ queryKey: ['plugins'], queryFn: ({ signal }) => read<Plugin[]>('/plugins', {}, signal) })

/** POST /plugins/{name}/enable and /disable */
export const useSwitchPlugin = () =>
  useMutation({
    mutationFn: ({ name, isOn }: { readonly name: string; readonly isOn: boolean }) =>
      run({ method: 'POST', path: `/plugins/${name}/${isOn ? 'enable' : 'disable'}` }),
    onSuccess: () => readAgain('plugins', 'areas'),
  })
