import { problem } from '../../core/problem.ts'
import type { Found } from '../../core/tool.ts'
import type { Host } from '../../host/index.ts'
import { tool } from '../tool.ts'
import { recommendationsIn } from './report.ts'

export const TunerFailed = problem('tuner_failed', 500, 'mysqltuner gave no report')

/** The script that gives advice on a running MariaDB or MySQL. The panel has advice of its own without it. */
export const mysqltuner = tool({
  name: 'mysqltuner',
  title: 'MySQLTuner',
  packages: ['mysqltuner'],
  isOptional: true,
  detect,
  verbs: ({ host }) => ({
    /** Runs it against the server of this host, as root through the socket, and returns what it recommends. */
    readRecommendations: () => readRecommendations(host),
  }),
})

async function detect({ host }: { readonly host: Host }): Promise<Found> {
  const version = await host.packages.version('mysqltuner')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'MySQLTuner is not installed' }
  return { present: true, version: version.replace(/-[^-]*$/, ''), healthy: true, reason: null }
}

async function readRecommendations({ run }: Host): Promise<readonly string[]> {
  const { code, stdout, stderr } = await run(['mysqltuner', '--nocolor', '--noinfo', '--nogood', '--nobad'], {
    timeoutMs: 60_000,
    maxBytes: 1024 * 1024,
    env: { HOME: '/root' },
  })
  const found = recommendationsIn(stdout)
  if (code === 0 && found !== undefined) return found
  throw TunerFailed((stderr.trim() || stdout.trim() || `exit status ${code}`).slice(0, 1000))
}
