import { Check } from 'typebox/value'
import { UpdateResult } from './model.ts'

/** The file in which the watcher of an update tells how it ended. */
export const resultPath = (dataDir: string): string => `${dataDir}/selfupdate.json`

/** Reads what the watcher of an update wrote; undefined if it wrote nothing, or was cut off while it wrote. */
export function resultIn(text: string | undefined): UpdateResult | undefined {
  try {
    const result: unknown = JSON.parse(text ?? '')
    return Check(UpdateResult, result) ? result : undefined
  } catch {
    return undefined
  }
}
