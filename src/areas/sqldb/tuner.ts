import type { Change } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import { isDynamic } from '../../tools/mariadb/index.ts'
import { TunerFailed } from '../../tools/mysqltuner/index.ts'
import { type Advice, adviceFor, tunedVariables } from './advice.ts'
import type { Sqldb } from './context.ts'
import type { Tuner } from './model.ts'
import { NoSuchAdvice } from './problems.ts'
import { changeOptions, readOptions } from './settings.ts'

const dayInSeconds = 86_400

/** Reads the advice of the panel, and that of mysqltuner if it is wanted and installed. */
export async function readTuner(on: Sqldb, isWithMysqltuner: boolean): Promise<Tuner> {
  const { uptime, advice } = await readAdvice(on)
  const found = await on.mysqltuner.detect()
  return {
    uptime_seconds: uptime,
    is_early: uptime < dayInSeconds,
    advice: advice.map((each) => ({ ...each, needs_restart: !isDynamic(each.name) })),
    mysqltuner: {
      installed: found.present,
      version: found.version,
      ...(isWithMysqltuner && found.present
        ? await secondOpinion(on)
        : { recommendations: null, failure: null }),
    },
  }
}

/** Its version in Debian 12 fails on the current MariaDB there, which must not hide the panel's own advice. */
async function secondOpinion({ mysqltuner }: Sqldb) {
  try {
    return { recommendations: [...(await mysqltuner.readRecommendations())], failure: null }
  } catch (error) {
    if (!(error instanceof Problem && error.kind === TunerFailed)) throw error
    return { recommendations: null, failure: error.message }
  }
}

async function readAdvice(on: Sqldb): Promise<{ readonly uptime: number; readonly advice: Advice[] }> {
  await readOptions(on) // throws if the server is not installed
  const { tool, readMemoryBytes } = on
  const [{ of }, variables, databases, memoryBytes] = await Promise.all([
    tool.readCounters(),
    tool.readRunning(tunedVariables),
    tool.listDatabaseSizes(),
    readMemoryBytes(),
  ])
  const advice = adviceFor({
    status: of,
    variable: (name) => variables.get(name) ?? '',
    memoryBytes,
    dataBytes: databases.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  })
  return { uptime: of('uptime'), advice }
}

/** Sets the suggested values of the advice that is named. */
export async function applyAdvice(on: Sqldb, names: readonly string[]): Promise<Change<{ success: true }>> {
  const { advice } = await readAdvice(on)
  const chosen = [...new Set(names)].map((name) => {
    const found = advice.find((each) => each.name === name)
    if (found === undefined)
      throw NoSuchAdvice(`names: there is no advice for ${name}: read the advice again`)
    return found
  })
  return changeOptions(on, `Set ${chosen.map(({ name }) => name).join(', ')} as advised`, () =>
    Object.fromEntries(chosen.map(({ name, suggested }) => [name, suggested])),
  )
}
