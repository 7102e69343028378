import { Unavailable } from '../../core/problem.ts'
import type { Webacl } from './context.ts'

/** Fails with 503 unless nginx can evaluate access rules. */
export async function assertSetUp({ lua, ...on }: Pick<Webacl, 'lua' | 'nginx' | 'serving'>): Promise<void> {
  await assertServing(on)
  const { healthy, reason } = await lua.detect()
  if (!healthy) throw Unavailable(`${reason}: install the scripting module first`)
}

/** Fails with 503 unless nginx, which evaluates access rules, serves the websites. */
export async function assertServing({ nginx, serving }: Pick<Webacl, 'nginx' | 'serving'>): Promise<void> {
  const { name } = await serving()
  if (name !== nginx.name)
    throw Unavailable(`Access rules are evaluated by nginx, and ${name} serves the websites`)
  await nginx.tool.assertAvailable()
}
