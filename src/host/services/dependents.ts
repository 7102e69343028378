import type { Run } from '../run.ts'
import type { Dependents } from './driver.ts'
import { isActive, parseShow, type Unit } from './unit.ts'

/** The reverse dependencies through which a stop or restart spreads (systemd.unit(5)). */
const spreading = ['RequiredBy', 'RequisiteOf', 'BoundBy', 'ConsistsOf']
const limits = { timeoutMs: 15_000, maxBytes: 1024 * 1024 }
const mostLevels = 10
const mostUnits = 200

/** Finds the running units that stop with a unit, and those that may start it again. */
export async function dependentsOf(run: Run, name: string): Promise<Dependents> {
  const first = await show(run, [name])
  const seen = new Set(first.map((unit) => unit['Id']))
  const stopped: string[] = []
  let level: readonly Unit[] = first
  for (let depth = 0; depth < mostLevels && stopped.length < mostUnits; depth++) {
    const names = level.flatMap((unit) => spreading.flatMap((key) => listed(unit[key])))
    const next = [...new Set(names)].filter((each) => !seen.has(each)).slice(0, mostUnits)
    if (next.length === 0) break
    for (const each of next) seen.add(each)
    level = (await show(run, next)).filter(isActive)
    stopped.push(...level.map((unit) => unit['Id'] ?? ''))
  }
  const triggers = first.flatMap((unit) => listed(unit['TriggeredBy'])).slice(0, mostUnits)
  const running = triggers.length === 0 ? [] : (await show(run, triggers)).filter(isActive)
  return { stopped, triggers: running.map((unit) => unit['Id'] ?? '') }
}

async function show(run: Run, names: readonly string[]): Promise<readonly Unit[]> {
  const wanted = ['Id', 'ActiveState', 'TriggeredBy', ...spreading].join(',')
  return parseShow((await run(['systemctl', 'show', `--property=${wanted}`, '--', ...names], limits)).stdout)
}

const listed = (names = ''): readonly string[] => names.split(' ').filter(Boolean)
