import { Problem } from '../../../core/problem.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { placeOf, reachOf } from '../steps/plan-text.ts'
import { areFolders, refuseInsideItself, type Placed } from './place.ts'
import { failedFor, inMessage } from './problems.ts'

const mostNamed = 5
/** Limit on the time that a plan of many transfers takes. */
const mostMs = 3000

/** Describes the result of a copy or move job in the current state; throws if every transfer would fail. */
export async function previewPlaces(
  owner: Owner,
  verb: 'copy' | 'move',
  places: readonly Placed[],
): Promise<readonly string[]> {
  const [message, failures]: [string[], Problem[]] = [[], []]
  const end = performance.now() + mostMs
  for (const placed of places) {
    if (performance.now() > end) break
    await previewPlace(owner, verb, placed).then(
      (sentence) => message.push(sentence),
      (error: unknown) => {
        if (!(error instanceof Problem)) throw error
        failures.push(error)
      },
    )
  }
  if (failures.length === places.length) throw failedFor(places.length, failures)
  const further = places.length - failures.length - Math.min(message.length, mostNamed)
  return [
    ...message.slice(0, mostNamed),
    ...(further > 0 ? [`${further.toLocaleString('en')} more`] : []),
    ...(failures.length === 0
      ? []
      : [`As things stand this fails, and keeps none of the others back: ${inMessage(failures)}`]),
  ]
}

async function previewPlace(owner: Owner, verb: 'copy' | 'move', placed: Placed): Promise<string> {
  const { from, to, overwrite } = placed
  if (overwrite && (await areFolders(owner, placed))) {
    refuseInsideItself(placed)
    return `Brings what ${from.path} holds into ${to.path}: ${reachOf(await owner.preview((one) => one.dirsize(from)))}`
  }
  const previewed = await owner.preview((one) => one[verb](from, to, { overwrite }))
  return verb === 'move' ? placeOf(previewed) : `${placeOf(previewed)} (${reachOf(previewed)})`
}
