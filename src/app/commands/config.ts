import type { Call } from './command.ts'
import type { Config } from '../config.ts'

/** Prints the effective settings and their sources; of secrets only whether they are set. */
export async function showConfig({ isJson }: Call, { settings }: Config): Promise<number> {
  const rows = settings.map(({ name, value, source, meaning, isSecret }) => ({
    name: `HOSTREEVE_${name.toUpperCase()}`,
    value: isSecret && value !== '' ? '(set)' : value,
    source,
    meaning,
  }))
  if (isJson) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else
    for (const { name, value, source, meaning } of rows)
      process.stdout.write(
        `${name.padEnd(30)} ${(value || '-').padEnd(34)} ${source.padEnd(12)} ${meaning}\n`,
      )
  return 0
}
