import type { Found } from '../../core/tool.ts'
import type { Host } from '../../host/index.ts'
import { type Opening, tool } from '../tool.ts'
import { readCommands } from './commands.ts'
import { rules, rulesPath } from './layout.ts'
import { isLoaded, writeRules } from './write-rules.ts'

export { RulesRefused } from './problems.ts'

/** The audit of the kernel, which records the commands of sessions. */
export const auditd = tool({
  name: 'auditd',
  title: 'auditd',
  packages: ['auditd'],
  service: 'auditd',
  isOptional: true,
  detect,
  steps: ({ host }) => ({ writeRules: writeRules(host) }),
  verbs: ({ host }) => ({
    /** Returns why commands cannot be recorded; undefined if they can. */
    obstacle: () => findObstacle(host),
    /** `applied` if the rules are in their file and in the kernel, `absent` if there is no file. */
    stateOfRules: async (): Promise<'applied' | 'differs' | 'absent'> => {
      const content = await host.files.read(rulesPath)
      if (content === undefined) return 'absent'
      return content === rules && (await isLoaded(host)) ? 'applied' : 'differs'
    },
    /** Lists the latest commands of sessions, the latest first. */
    commands: () => readCommands(host),
  }),
})

async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('auditd')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'auditd is not installed' }
  const obstacle = await findObstacle(host)
  return {
    present: true,
    version: version.replace(/^\d+:/, '').replace(/-[^-]*$/, ''),
    healthy: obstacle === undefined,
    reason: obstacle ?? null,
  }
}

async function findObstacle({ run, packages }: Pick<Host, 'run' | 'packages'>): Promise<string | undefined> {
  if ((await packages.version('auditd')) === undefined)
    return 'auditd, which records commands, is not installed: install it under Software'
  const { code, stdout, stderr } = await run(['auditctl', '-s'], { timeoutMs: 10_000 })
  if (code !== 0)
    return `the kernel of this host records no commands, as in a container: ${stderr.trim().slice(0, 300)}`
  if (/^enabled 2$/m.test(stdout))
    return 'the rules of the audit are locked until the host is started anew: "-e 2" in /etc/audit'
  return undefined
}
