import { admits } from '../../core/guard.ts'
import type { Dashboard } from './context.ts'
import { firstSteps, leftSteps } from './first-steps.ts'
import { readTile, type Reading, tiles } from './tiles.ts'

/** Reads all tiles and first steps that the caller may see, at the same time. */
export async function readDashboard({ partsOf, log }: Dashboard, { caller, now }: Reading) {
  const reading = { caller, now }
  const shown = partsOf(tiles).filter(({ guard }) => admits(guard, caller))
  const [read, left] = await Promise.all([
    Promise.all(shown.map((tile) => readTile(tile, reading, { log }))),
    leftSteps(
      partsOf(firstSteps).filter(({ guard }) => admits(guard, caller)),
      reading,
      { log },
    ),
  ])
  return { tiles: read.filter((tile) => tile !== undefined), first_steps: left }
}
