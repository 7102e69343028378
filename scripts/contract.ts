import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// node scripts/run.mjs scripts/contract.ts SOURCE: makes test/policies/contract.json from the contract's table of endpoints.
// Types that the table marks as inferred (`?`) and defaults that are sentences are left out: nothing can be compared with them.
interface SourceField {
  readonly type: string
  readonly required: boolean
  readonly default: string | number | boolean | null
}
type SourceFields = Readonly<Record<string, SourceField>>
interface SourceRow {
  readonly method: string
  readonly path: string
  readonly guard: string
  readonly shown: string
  readonly request: Readonly<Record<string, SourceFields | null>> | null
  readonly success: { readonly status: number; readonly shape: string; readonly fields: unknown } | null
  readonly errors:
    | readonly { readonly status: number | string; readonly code: string | null; readonly shape?: string }[]
    | null
  readonly error_shape: string
}

const target = fileURLToPath(new URL('../test/policies/contract.json', import.meta.url))
const source = process.argv[2]
if (source === undefined) throw new Error('usage: scripts/contract.ts SOURCE')
const rows = JSON.parse(readFileSync(source, 'utf8')) as readonly SourceRow[]
writeFileSync(target, `[\n${rows.map((row) => ` ${JSON.stringify(rowOf(row))}`).join(',\n')}\n]\n`)
process.stdout.write(`wrote ${rows.length} rows to ${target}\n`)

function rowOf({ method, path, guard, shown, request, success, errors, error_shape }: SourceRow): object {
  const stated = { method, path, guard, shown }
  if (shown === 'listed') return stated
  const places = Object.entries(request ?? {}).flatMap(([place, fields]) => {
    if (fields === null || place === 'ws' || Object.keys(fields).length === 0) return []
    return [[place, Object.fromEntries(Object.entries(fields).map(fieldOf))]]
  })
  return {
    ...stated,
    request: Object.fromEntries(places),
    ...(success && {
      success: {
        status: success.status,
        shape: success.shape,
        ...(success.fields !== null && { fields: replyOf(success.fields) }),
      },
    }),
    errors: (errors ?? []).map(({ status, code, shape }) => ({ status, code, ...(shape && { shape }) })),
    error_shape,
  }
}

function fieldOf([name, { type, required, default: fallback }]: [string, SourceField]): [string, object] {
  return [
    name,
    {
      ...(isStated(type) && { type }),
      ...(required && { required }),
      ...(isValue(fallback) && { default: fallback }),
    },
  ]
}

function isStated(type: string): boolean {
  return /^(?:string|int|bool|float|object|file)(?:\[\])?$|^int64\[\]$/.test(type)
}

/**
 * True if a default is a value: a sentence (`empty`, `auto-detected`) has a space, a dash or a special
 * meaning.
 */
function isValue(fallback: SourceField['default']): boolean {
  const prose = ['empty', 'auto-detected', 'auto-generated', '[]', '{}']
  return fallback !== null && !prose.includes(String(fallback)) && !/\s/.test(String(fallback))
}

/** The fields of a reply, each with its type where the table states one: a word, a list, or a quoted value. */
function replyOf(fields: unknown): unknown {
  if (Array.isArray(fields)) return fields.map(replyOf)
  if (typeof fields === 'object' && fields !== null)
    return Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => !name.startsWith('<'))
        .map(([name, below]) => [name, replyOf(below)]),
    )
  const text = String(fields ?? '')
  const stated =
    /^(?:string\[\]|string|int|uint|int64|number|float|bool|list|object)(?![\w?[])|^'[^']*'$|^(?:true|false)$/.exec(
      text,
    )
  return stated?.[0] ?? ''
}
