import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { currentBalancer } from './change.ts'
import type { Dnslb } from './context.ts'
import { balancerLock } from './locks.ts'

/** Returns the configuration as text; empty if there is none. */
export async function readConfig({ dnsdist }: Dnslb) {
  return { config: (await dnsdist.readConfig()) ?? '' }
}

/** Replaces the configuration, once dnsdist has accepted it, and keeps the former one with the Unix time as suffix. */
export async function writeConfig(
  on: Dnslb,
  { config, now }: { readonly config: string; readonly now: Date },
): Promise<Change<{ success: true }>> {
  const { dnsdist } = on
  await currentBalancer(on)
  await dnsdist.assertAccepted(config)
  const former = (await dnsdist.readConfig()) ?? ''
  const suffix = String(Math.floor(now.getTime() / 1000))
  return change({
    summary: 'Replace the configuration of the DNS balancer',
    locks: [balancerLock],
    steps: [
      step(dnsdist.steps.writeConfig, { content: config }),
      step(dnsdist.steps.writeBackup, { suffix, content: former }),
    ],
    reply: success,
  })
}
