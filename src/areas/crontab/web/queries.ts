import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { crontab } from './api.ts'

/** GET /websites/{id}/crontab */
export const useCrontab = (id: number) =>
  useQuery({
    queryKey: ['websites', id, 'crontab'],
    queryFn: ({ signal }) => run(crontab.getCrontab({ params: { id } }), signal),
  })

/** POST /websites/{id}/crontab/run */
export const useRunLine = (id: number) =>
  useMutation({
    mutationFn: (line: number) => run(crontab.runCrontabLine({ params: { id }, body: { line } })),
  })

/** The call that replaces the crontab of a website. */
export const replaceCall = (id: number, text: string) =>
  crontab.replaceCrontab({ params: { id }, body: { crontab: text } })

/** Reads the crontab and its runs again. */
export const readCrontabAgain = () => readAgain('websites')
