import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { previewOf, refusalsOf } from '../../../web/kit/PlanView.tsx'
import { ApiError } from '../../../web/wire.ts'
import { type CheckerText, readChecker } from './checker-message.ts'
import { writeConfig } from './queries.ts'

const pauseMs = 700
const nothing: CheckerText = { lines: [], rest: [] }

/** The changes of an edited text and HAProxy's messages about it. */
export interface Check {
  readonly isChecking: boolean
  /** The file has changed since it was opened. */
  readonly isStale: boolean
  readonly isRefused: boolean
  readonly text: CheckerText
  readonly diff: string
  readonly error: Error | null
}

/**
 * Checks the text whenever typing pauses; `revision` is that of the opened file, undefined while the text is
 * unchanged.
 */
export function useCheck(content: string, revision: number | undefined): Check {
  const [settled] = useDebouncedValue(content, pauseMs)
  const isOn = revision !== undefined && settled === content
  const query = useQuery({
    queryKey: ['lbproxy-check', settled, revision],
    queryFn: ({ signal }) => planOf(settled, revision, signal),
    enabled: isOn,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const plan = isOn ? query.data : undefined
  const refused = plan ? refusalsOf(plan.plan) : []
  return {
    isChecking: revision !== undefined && (!isOn || query.isFetching),
    isStale: plan?.isStale ?? false,
    isRefused: refused.length > 0,
    text: plan?.text ?? nothing,
    diff: plan?.plan.steps[0]?.files?.[0]?.diff ?? '',
    error: isOn ? query.error : null,
  }
}

async function planOf(content: string, revision: number | undefined, signal: AbortSignal) {
  const ask = (ifMatch?: number) => run(previewOf(writeConfig(content, ifMatch)), signal)
  const first = await ask(revision).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 409) return undefined
    throw error
  })
  const plan = first ?? (await ask())
  return { plan, isStale: first === undefined, text: readChecker(refusalsOf(plan).join('\n')) }
}
