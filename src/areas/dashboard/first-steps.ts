import type { Log } from '../../core/endpoint.ts'
import type { Guard } from '../../core/guard.ts'
import { point } from '../../core/point.ts'
import type * as model from './model.ts'
import type { Reading } from './tiles.ts'
import { within } from './within.ts'

/** Something that a new administrator does once; it is shown until it is done. */
interface FirstStep extends model.FirstStep {
  /** Its place among the steps: what others need comes first. */
  readonly order: number
  /** Who is asked to do it. */
  readonly guard: Guard
  isDone(reading: Reading): Promise<boolean>
}

/** The first steps on a new host. */
export const firstSteps = point<FirstStep>('first steps')

/** Returns the steps that are not done, in their order. One that cannot be judged is left out, as nobody could end it. */
export async function leftSteps(
  steps: readonly FirstStep[],
  reading: Reading,
  { log }: { readonly log: Pick<Log, 'error'> },
): Promise<model.FirstStep[]> {
  const ordered = steps.toSorted((one, other) => one.order - other.order)
  const left = ordered.map(async ({ name, title, detail, link, isDone }) => {
    try {
      return (await within(isDone(reading))) ? [] : [{ name, title, detail, link }]
    } catch (error) {
      log.error({ err: error, step: name }, 'judging a first step failed')
      return []
    }
  })
  return (await Promise.all(left)).flat()
}
