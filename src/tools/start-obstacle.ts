import type { OwnedTool } from '../host/apply/tool.ts'
import { findTaken, type ListenAddress } from './listen-addresses.ts'

/** Why a web server that rests would not start. */
export interface StartObstacle {
  readonly cause: 'configuration' | 'address'
  readonly message: string
}

interface Resting {
  readonly tool: Pick<OwnedTool, 'check'>
  readonly addresses: () => Promise<readonly ListenAddress[]>
  /** The files that its checker is to take as absent. */
  readonly without: readonly string[]
}

/** Has the program check all its configuration, with the files of others, and looks if the addresses in it can be had. */
export async function findStartObstacle({
  tool,
  addresses,
  without,
}: Resting): Promise<StartObstacle | undefined> {
  const absent = without.map((path) => ({ path, preparedPath: undefined, content: undefined }))
  const refusal = await tool.check(absent)
  if (refusal !== undefined) return { cause: 'configuration', message: refusal }
  const taken = await findTaken(await addresses())
  return taken === undefined ? undefined : { cause: 'address', message: taken }
}
