import { Button, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { run } from '../../../../web/client.ts'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'
import { type Plan, PlanView, previewOf } from '../../../../web/kit/PlanView.tsx'
import { Failure, Loading } from '../../../../web/kit/states.tsx'
import { calls, type Reach } from '../calls.ts'
import { useFocusOnce } from '../focus.ts'
import type { Item, Whose } from '../queries.ts'

const mostPlanned = 8

interface ModePlanProps {
  readonly items: readonly Item[]
  readonly whose: Whose
  readonly mode: string
  readonly reach: Reach
  readonly onBack: () => void
  readonly onConfirm: () => void
}

/** The plan of a recursive mode change, with a button that carries it out. */
export function ModePlan({ items, whose, mode, reach, onBack, onConfirm }: ModePlanProps) {
  const back = useFocusOnce<HTMLButtonElement>()
  const planned = items.slice(0, mostPlanned)
  const plans = useQueries({
    queries: planned.map(({ path, type }) => {
      const call = calls.chmod(whose, path, mode, type === 'folder' ? reach : 'itself')
      return {
        queryKey: ['plan', call],
        queryFn: ({ signal }: { signal: AbortSignal }) => run(previewOf(call), signal),
        gcTime: 0,
      }
    }),
  })
  const failure = plans.find(({ error }) => error)?.error
  const plan = joined(
    plans.flatMap(({ data }) => data ?? []),
    `Give ${items.length} entries the mode ${mode}`,
  )
  const isReady = plans.every(({ data }) => data !== undefined)
  return (
    <Stack gap="md">
      {failure ? <Failure error={failure} /> : !isReady && <Loading rows={3} />}
      {isReady && plan && <PlanView plan={plan} />}
      {isReady && items.length > mostPlanned && (
        <Text size="sm">And {items.length - mostPlanned} more in the same way.</Text>
      )}
      <DialogFooter
        note={
          <Text size="xs" c="dimmed" role="status">
            Not applied yet.
          </Text>
        }
      >
        <Button variant="default" onClick={onBack} ref={back}>
          Back
        </Button>
        <Button color="red.9" disabled={!isReady} onClick={onConfirm}>
          Set the permissions
        </Button>
      </DialogFooter>
    </Stack>
  )
}

/** Merges the plans of several entries. */
function joined([first, ...others]: readonly Plan[], summary: string): Plan | undefined {
  if (first === undefined || others.length === 0) return first
  const all = [first, ...others]
  return {
    ...first,
    summary,
    steps: all.flatMap(({ steps }) => steps),
    is_reversible: all.every(({ is_reversible }) => is_reversible),
  }
}
