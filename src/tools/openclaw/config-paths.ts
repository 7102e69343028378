import { isDeepStrictEqual } from 'node:util'
import { isMasked, mask } from '../../core/secret.ts'
import { type Config, isRecord } from './json5.ts'
import { MaskMisplaced } from './problems.ts'

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

const secretName =
  /(?:token|password|passphrase|secret|(?:api|private|access|signing|encryption)[-_]?key|authorization|cookie)$/i
/** `${NAME}`, which OpenClaw replaces by a variable of its environment. */
const variable = /\$\{[A-Z_][A-Z0-9_]*\}/

/** Of variables and headers, no name tells which of them are secrets. */
const secretGroup = /^(?:env|headers)$/

const isSecret = (value: unknown, isSecretPlace: boolean): value is string =>
  isSecretPlace && typeof value === 'string' && value !== '' && !variable.test(value)

/** Returns a configuration in which each secret is masked. */
export const maskedConfig = (config: Config): Config =>
  mapValues(config, (value, { isSecretPlace }) => (isSecret(value, isSecretPlace) ? mask(value) : undefined))

interface StoredSecret {
  readonly path: readonly string[]
  readonly value: string
}

/**
 * Returns a configuration in which each mask is the secret that is stored at its place. A mask that was moved, and one
 * of a secret that is not stored any more, is refused with its path.
 */
export function unmaskedConfig(config: Config, stored: Config | undefined): Config {
  const secrets = secretsIn(stored ?? {})
  const shown = maskedConfig(stored ?? {})
  return mapValues(config, (value, { path, isSecretPlace }) => {
    if (typeof value !== 'string') return undefined
    const alike = secrets.filter((each) => value === keeping || mask(each.value) === value)
    const isMask = isSecretPlace ? isMasked(value) : value !== keeping && alike.length > 0
    if (!isMask) return undefined
    const own = alike.find((each) => isDeepStrictEqual(each.path, path))
    if (own === undefined) throw misplaced(path)
    const others = alike.filter((each) => each.value !== own.value)
    if (!others.every((other) => isUnmoved(own, other, { config, shown }))) throw misplaced(path)
    return own.value
  })
}

/** It keeps what is stored, as a mask does. */
const keeping = '********'

const misplaced = (path: readonly string[]) =>
  MaskMisplaced(
    `config: ${path.join('.')} has a mask that does not stand for the secret at this place: write the secret itself`,
  )

function secretsIn(config: Config): readonly StoredSecret[] {
  const found: StoredSecret[] = []
  mapValues(config, (value, { path, isSecretPlace }) => {
    if (isSecret(value, isSecretPlace)) found.push({ path, value })
    return undefined
  })
  return found
}

/** False if a secret may have changed its place with another one whose mask is the same: what is around it is another. */
function isUnmoved(
  { path }: StoredSecret,
  other: StoredSecret,
  { config, shown }: { readonly config: Config; readonly shown: Config },
): boolean {
  const fork = path.findIndex((key, index) => key !== other.path[index])
  const around = path.slice(0, fork + 1)
  return isDeepStrictEqual(at(config, around), at(shown, around))
}

/** Returns a configuration without its secrets, and without the places that name a variable for one. */
export function withoutSecrets(config: Config): Config {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isRecord(value)) return value
    const kept = Object.entries(value).filter(
      ([key, below]) =>
        !(typeof below === 'string' && secretName.test(key)) && !(isRecord(below) && secretGroup.test(key)),
    )
    return Object.fromEntries(kept.map(([key, below]) => [key, walk(below)]))
  }
  const stripped = walk(config)
  return isRecord(stripped) ? stripped : {}
}

interface Place {
  readonly path: readonly string[]
  /** True if texts there are secrets. */
  readonly isSecretPlace: boolean
}

type Replace = (value: unknown, place: Place) => unknown

/** Replaces values at any depth; the elements of a list are what its name tells. */
function mapValues(config: Config, replace: Replace): Config {
  const walk = (value: unknown, place: Place, name: string): unknown => {
    const next = (key: string, below: unknown, own: Omit<Place, 'path'> & { readonly name: string }) => {
      const at = { path: [...place.path, key], isSecretPlace: own.isSecretPlace }
      return replace(below, at) ?? walk(below, at, own.name)
    }
    if (Array.isArray(value))
      return value.map((each, index) =>
        next(String(index), each, { name, isSecretPlace: place.isSecretPlace }),
      )
    if (!isRecord(value)) return value
    const isGroup = secretGroup.test(name)
    return Object.fromEntries(
      Object.entries(value).map(([key, below]) => [
        key,
        next(key, below, { name: key, isSecretPlace: isGroup || secretName.test(key) }),
      ]),
    )
  }
  const mapped = walk(config, { path: [], isSecretPlace: false }, '')
  return isRecord(mapped) ? mapped : config
}

function at(stored: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)]
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }, stored)
}
