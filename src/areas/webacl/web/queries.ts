import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { jobs } from '../../jobs/web/api.ts'
import type { Replay } from '../replay/model.ts'
import type { SimulationDraft } from '../simulation-model.ts'
import { webacl } from './api.ts'

/** GET /webacl/script-module/status */
export const useScriptModule = () =>
  useQuery({
    queryKey: ['webacl', 'module'],
    queryFn: ({ signal }) => run(webacl.readScriptModule(), signal),
  })

/** GET /webacl/rulesets */
export const useRulesets = (website_id: number) =>
  useQuery({
    queryKey: ['webacl', 'rulesets', website_id],
    queryFn: ({ signal }) => run(webacl.listRulesets({ query: { website_id } }), signal),
  })

/** GET /webacl/rulesets/{id}/rules */
export const useRules = (website_id: number, id: string) =>
  useQuery({
    queryKey: ['webacl', 'rules', website_id, id],
    queryFn: ({ signal }) => run(webacl.listAccessRules({ params: { id }, query: { website_id } }), signal),
  })

/** GET /webacl/pending */
export const usePending = (website_id: number) =>
  useQuery({
    queryKey: ['webacl', 'pending', website_id],
    queryFn: ({ signal }) => run(webacl.readPendingRules({ query: { website_id } }), signal),
  })

/** GET /webacl/library */
export const useLibrary = (website_id: number) =>
  useQuery({
    queryKey: ['webacl', 'library', website_id],
    queryFn: ({ signal }) => run(webacl.readAccessLibrary({ query: { website_id } }), signal),
  })

/** GET /webacl/ip-groups */
export const useGroups = (website_id: number) =>
  useQuery({
    queryKey: ['webacl', 'groups', website_id],
    queryFn: ({ signal }) => run(webacl.listIpGroups({ query: { website_id } }), signal),
  })

/** GET /webacl/ip-groups/{name}/entries */
export const useEntries = (website_id: number, name: string) =>
  useQuery({
    queryKey: ['webacl', 'entries', website_id, name],
    queryFn: ({ signal }) => run(webacl.listIpEntries({ params: { name }, query: { website_id } }), signal),
  })

/** POST /webacl/simulate */
export const useSimulation = () =>
  useMutation({ mutationFn: (body: SimulationDraft) => run(webacl.simulateAccess({ body })) })

/** GET /jobs/{id}, of a replay that has succeeded. */
export const useReplay = (id: number) =>
  useQuery({
    queryKey: ['webacl', 'replay', id],
    queryFn: async ({ signal }) => {
      const { result } = await run(jobs.getJob({ params: { id } }), signal)
      if (!isReplayed(result)) throw new Error('The job has no result')
      return result.replay
    },
  })

const isReplayed = (result: unknown): result is { readonly replay: Replay } =>
  typeof result === 'object' && result !== null && 'replay' in result

/** POST /webacl/rulesets/reorder */
export const useReorder = (website_id: number) =>
  useMutation({
    mutationFn: (ids: string[]) => run(webacl.reorderRulesets({ body: { website_id, ids } })),
    onSettled: () => readAgain('webacl'),
  })

/** POST /webacl/rulesets/{id}/rules/reorder */
export const useReorderRules = (website_id: number, id: string) =>
  useMutation({
    mutationFn: (ids: string[]) =>
      run(webacl.reorderAccessRules({ params: { id }, body: { website_id, ids } })),
    onSettled: () => readAgain('webacl'),
  })

/** Closes a dialog, says what was done and reads the rules again. */
export async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('webacl')
}
