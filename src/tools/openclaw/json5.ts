import json5 from 'json5'
import { ConfigUnreadable } from './problems.ts'

/** A configuration of OpenClaw. */
export type Config = Readonly<Record<string, unknown>>

/** True for what JSON calls an object. */
export const isRecord = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses the text of a configuration, which people may write with comments; the panel writes plain JSON. */
export function parseConfig(text: string): Config {
  const value = parsed(text)
  if (!isRecord(value)) throw ConfigUnreadable('The configuration must be an object')
  return value
}

function parsed(text: string): unknown {
  try {
    return json5.parse(text, finite)
  } catch (error) {
    throw ConfigUnreadable(`The configuration: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** JSON has no infinity and no NaN: they would be written back as null. */
function finite(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new SyntaxError(`${key} is not a finite number`)
  return value
}

/** Renders a configuration; JSON is a part of JSON5. */
export const renderConfig = (config: Config): string => `${JSON.stringify(config, null, 2)}\n`
