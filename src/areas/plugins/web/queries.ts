import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { plugins } from './api.ts'

/** GET /plugins */
export const usePlugins = () =>
  useQuery({ queryKey: ['plugins'], queryFn: ({ signal }) => run(plugins.listPlugins(), signal) })

/** POST /plugins/{name}/enable and /disable */
export const useSwitchPlugin = () =>
  useMutation({
    mutationFn: ({ name, isOn }: { readonly name: string; readonly isOn: boolean }) =>
      run((isOn ? plugins.enablePlugin : plugins.disablePlugin)({ params: { name } })),
    onSuccess: () => readAgain('plugins', 'areas'),
  })
