import { Unavailable } from '../../core/problem.ts'
import type { Webacl } from './context.ts'

/** Fails with 503 unless nginx can evaluate access rules. */
export async function assertSetUp({ lua, nginx }: Pick<Webacl, 'lua' | 'nginx'>): Promise<void> {
  await nginx.tool.assertAvailable()
  const { healthy, reason } = await lua.detect()
  if (!healthy) throw Unavailable(`${reason}: install the scripting module first`)
}
