import { isMasked, mask } from '../../core/secret.ts'
import { type Config, isRecord } from './json5.ts'

const longestPath = 20

/** Returns the value at a path of a configuration; undefined if there is none. */
export function valueAt(config: Config | undefined, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      config,
    )
}

/** Returns the text at a path of a configuration; undefined if there is none, or it is empty. */
export function textAt(config: Config | undefined, path: string): string | undefined {
  const value = valueAt(config, path)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the configuration with another value at a path; undefined removes it. */
export function withValue(config: Config, path: string, value: unknown): Config {
  const [key = '', ...rest] = path.split('.')
  const { [key]: former, ...others } = config
  const next = rest.length === 0 ? value : withValue(isRecord(former) ? former : {}, rest.join('.'), value)
  return next === undefined ? others : { ...config, [key]: next }
}

const secretName = /(?:token|password|passphrase|secret|api_?key|authorization|cookie)$/i
/** `${NAME}`, which OpenClaw replaces by a variable of its environment. */
const variable = /\$\{[A-Z_][A-Z0-9_]*\}/

const isSecret = (key: string, value: unknown): value is string =>
  typeof value === 'string' && value !== '' && secretName.test(key) && !variable.test(value)

/** Returns a configuration in which each secret is masked. */
export const maskedConfig = (config: Config): Config =>
  mapValues(config, (key, value) => (isSecret(key, value) ? mask(value) : undefined))

/** Returns a configuration in which each masked secret is the one that is stored at its place. */
export function unmaskedConfig(config: Config, stored: Config | undefined): Config {
  return mapValues(config, (key, value, path) => {
    if (typeof value !== 'string' || !secretName.test(key) || !isMasked(value)) return undefined
    return at(stored, path) ?? ''
  })
}

/** Returns a configuration without its secrets, and without the places that name a variable for one. */
export function withoutSecrets(config: Config): Config {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isRecord(value)) return value
    const kept = Object.entries(value).filter(
      ([key, below]) => !(typeof below === 'string' && secretName.test(key)),
    )
    return Object.fromEntries(kept.map(([key, below]) => [key, walk(below)]))
  }
  const stripped = walk(config)
  return isRecord(stripped) ? stripped : {}
}

type Replace = (key: string, value: unknown, path: readonly string[]) => unknown

function mapValues(config: Config, replace: Replace): Config {
  const walk = (value: unknown, path: readonly string[]): unknown => {
    if (path.length > longestPath) return value
    if (Array.isArray(value)) return value.map((each, index) => walk(each, [...path, String(index)]))
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, below]) => {
        const own = [...path, key]
        return [key, replace(key, below, own) ?? walk(below, own)]
      }),
    )
  }
  const mapped = walk(config, [])
  return isRecord(mapped) ? mapped : config
}

function at(stored: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)]
    return isRecord(value) ? value[key] : undefined
  }, stored)
}
