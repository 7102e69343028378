import type { TSchema } from 'typebox'

const bullet = '•'

/** Shows the first and last 4 characters around bullets, or eight bullets for short values (decision 1.8). */
export function mask(value: string): string {
  if (value.length <= 8) return bullet.repeat(8)
  return `${value.slice(0, 4)}${bullet.repeat(8)}${value.slice(-4)}`
}

/** True if a received value is the masked form, which keeps the stored value. */
export function isMasked(value: string): boolean {
  return value === '********' || value.includes(bullet)
}

type Walk = (value: unknown) => unknown
interface Marks {
  readonly type?: string
  readonly properties?: Record<string, TSchema>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly 'x-secret'?: boolean
  readonly 'x-revealed'?: boolean
}

/** True if a query declares `reveal` by the schema `Reveal`. */
export function canReveal(query: TSchema | undefined): boolean {
  const { reveal } = (query as Marks | undefined)?.properties ?? {}
  return (reveal as { readonly 'x-reveal'?: boolean } | undefined)?.['x-reveal'] === true
}

/** True if a query of such a schema requests it. */
export function asksToReveal(query: unknown): boolean {
  return (query as { readonly reveal?: boolean }).reveal === true
}

/** True if a schema contains a secret anywhere. */
export function holdsSecret(schema: TSchema | undefined): boolean {
  if (schema === undefined) return false
  const marks = schema as Marks
  if (marks['x-secret']) return true
  const below = [
    ...Object.values(marks.properties ?? {}),
    ...(marks.items ? [marks.items] : []),
    ...(marks.anyOf ?? []),
  ]
  return below.some(holdsSecret)
}

/**
 * Compiles a function that masks the secrets of a reply; revealed ones stay. Undefined if the schema contains
 * none.
 */
export function masker(schema: TSchema): Walk | undefined {
  return walker(schema, (marks) =>
    marks['x-revealed'] ? undefined : (value) => (typeof value === 'string' ? mask(value) : value),
  )
}

/** The same for agents, which are shown no secret: generated ones are masked too. */
export function maskerOfAll(schema: TSchema): Walk | undefined {
  return walker(schema, () => (value) => (typeof value === 'string' ? mask(value) : value))
}

/** Compiles a function that replaces every secret by bullets, for logs, activity and stored requests. */
export function redactor(schema: TSchema): Walk | undefined {
  return walker(schema, () => (value) => (value === undefined || value === null ? value : bullet.repeat(8)))
}

function walker(schema: TSchema, leaf: (marks: Marks) => Walk | undefined): Walk | undefined {
  const marks = schema as Marks
  if (marks['x-secret']) return leaf(marks)
  if (marks.properties) return objectWalker(marks.properties, leaf)
  if (marks.items) return listWalker(marks.items, leaf)
  const variants = (marks.anyOf ?? [])
    .map((variant) => walker(variant, leaf))
    .filter((walk) => walk !== undefined)
  return variants.length === 0
    ? undefined
    : (value) => variants.reduce((current, walk) => walk(current), value)
}

function objectWalker(
  properties: Record<string, TSchema>,
  leaf: (marks: Marks) => Walk | undefined,
): Walk | undefined {
  const walks = Object.entries(properties).flatMap(([key, property]) => {
    const walk = walker(property, leaf)
    return walk ? [[key, walk] as const] : []
  })
  if (walks.length === 0) return undefined
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const copy: Record<string, unknown> = { ...value }
    for (const [key, walk] of walks) if (key in copy) copy[key] = walk(copy[key])
    return copy
  }
}

function listWalker(items: TSchema, leaf: (marks: Marks) => Walk | undefined): Walk | undefined {
  const walk = walker(items, leaf)
  return walk && ((value) => (Array.isArray(value) ? value.map(walk) : value))
}

/** Shorter secrets are not replaced: they would mask parts of ordinary words. */
const shortestBlotted = 4

/**
 * Makes a function that replaces the secrets of a value by bullets in texts, such as the output of a program
 * that received them.
 */
export function blotter(schema: TSchema, value: unknown): (text: string) => string {
  const secrets: string[] = []
  walker(schema, () => (secret) => {
    if (typeof secret === 'string')
      // a program prints a key of several lines line by line
      secrets.push(...[secret, ...secret.split('\n')].filter(({ length }) => length >= shortestBlotted))
    return secret
  })?.(value)
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length)
  return (text) => longestFirst.reduce((left, secret) => left.replaceAll(secret, bullet.repeat(8)), text)
}
