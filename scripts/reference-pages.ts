import type { TSchema } from 'typebox'
import { describeGuard } from '../src/core/guard.ts'
import { listParameters } from '../src/core/reply.ts'
import { kindsOf } from '../src/core/endpoint.ts'
import { actionOf, type Route } from '../src/surfaces/routes.ts'

const note = '<!-- Made from the declarations by `npm run reference`; edits here are overwritten. -->'

/** The API reference as Markdown: a page for each area, and README.md that lists every endpoint. */
export function referencePages(routes: readonly Route[]): ReadonlyMap<string, string> {
  const areas = [...Map.groupBy(routes, ({ area }) => area)]
  return new Map([
    ['README.md', indexPage(routes)],
    ...areas.map(([area, own]) => [`${area.name}.md`, areaPage(own)] as const),
  ])
}

function indexPage(routes: readonly Route[]): string {
  const rows = routes.map(
    ({ area, endpoint, guard, path }) =>
      `| \`${endpoint.method}\` | [\`${path}\`](${area.name}.md) | ${guardOf(guard, area.plugin)} | ${endpoint.summary} |`,
  )
  return [
    note,
    '# API reference',
    '',
    ...general,
    '',
    '| Method | Path | Who | What |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

const general = [
  'Requests carry `Authorization: Bearer` with an access token or a `bap_` key. Bodies are JSON. A failure answers',
  '`{ "error": { "code", "message" } }`, or RFC 9457 where `Accept: application/problem+json` asks for it. A change shows what it',
  'would do with `?plan=1`, is carried out once for each `Idempotency-Key`, and is refused with 409 where `If-Match` names an old',
  'revision. `AUTH` means a signed-in user, `PERM(…)` one who holds that permission, `SU` a superuser, `NONE` nobody in particular.',
]

function areaPage(routes: readonly Route[]): string {
  const { area } = routes[0] as Route
  const plugin = area.plugin ? [`Answers while the plugin \`${area.plugin}\` is enabled.`, ''] : []
  return [note, `# ${area.title}`, '', ...plugin, ...routes.flatMap(endpointSection)].join('\n')
}

const effectTitles = { probes: 'Probes', changes: 'Changes', destroys: 'Destroys' }

function endpointSection(route: Route): readonly string[] {
  const { endpoint, guard, path } = route
  const { params, query, body, reply } = endpoint
  const isUpload = body !== undefined && 'kind' in body && body.kind === 'upload'
  const listing =
    reply.list && ({ properties: listParameters(reply.list), required: [] } as unknown as TSchema)
  const effect =
    endpoint.effect === 'reads'
      ? 'Reads.'
      : `${effectTitles[endpoint.effect]}; recorded as \`${actionOf(route)}\`.`
  return [
    `## \`${endpoint.method} ${path}\``,
    '',
    `${endpoint.summary}. ${endpoint.description ?? ''}`.trim(),
    '',
    `Who: ${guardOf(guard)}. ${effect} Answers ${reply.status}${kindWords[reply.kind] ?? ''}.`,
    '',
    ...fields('Path', params),
    ...fields('Query', query),
    ...fields('Query', listing),
    ...fields(
      isUpload ? 'Form, with the file as `file`' : 'Body',
      isUpload ? body.fields : (body as TSchema | undefined),
    ),
    ...fields(reply.list ? 'Each item' : 'Reply', reply.list ? itemOf(reply.schema) : reply.schema),
    ...failures(route),
  ]
}

const kindWords: Readonly<Record<string, string>> = {
  data: ' with the value in `data`',
  created: ' with the new resource in `data`',
  flat: ' with the fields at top level',
  accepted: ' with the id of the job in `data`',
  awaited: ' when the work has ended; with `Prefer: respond-async` 202 at once, with the id of its job',
  followed: ' with an event stream of the work',
  list: ' with `{ items, total, page, per_page }` in `data`',
  events: ' with an event stream',
  bytes: ' with bytes',
  socket: ' and becomes a WebSocket',
}

interface Words {
  readonly type?: string
  readonly description?: string
  readonly expects?: string
  readonly properties?: Record<string, TSchema>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly 'x-secret'?: boolean
}

function fields(title: string, schema: TSchema | undefined): readonly string[] {
  const { properties, required = [] } = (elementOf(schema) ?? {}) as Words
  if (properties === undefined || Object.keys(properties).length === 0) return []
  const rows = Object.entries(properties).map(
    ([name, property]) =>
      `| \`${name}\` | ${typeOf(property)} | ${required.includes(name) ? 'yes' : ''} | ${aboutOf(property as Words)} |`,
  )
  return [`| ${title} | Type | Always | |`, '|---|---|---|---|', ...rows, '']
}

function itemOf(schema: TSchema | undefined): TSchema | undefined {
  return ((schema as Words | undefined)?.properties?.['items'] as Words | undefined)?.items
}

function elementOf(schema: TSchema | undefined): TSchema | undefined {
  return (schema as Words | undefined)?.items ?? schema
}

function typeOf(schema: TSchema): string {
  const { type, anyOf, items, enum: values, const: constant } = schema as Words
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (values) return values.map((value) => `\`${value as string}\``).join(', ')
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`
  return type ?? 'anything'
}

function aboutOf({ description, expects, default: fallback, 'x-secret': isSecret }: Words): string {
  const parts = [
    description,
    expects && `must be ${expects}`,
    fallback !== undefined && `default \`${JSON.stringify(fallback)}\``,
    isSecret && 'secret',
  ]
  return parts.filter(Boolean).join('; ').replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function failures({ endpoint }: Route): readonly string[] {
  const rows = Object.entries(endpoint.throws ?? {}).flatMap(([code, failure]) => {
    const { kinds, status } = kindsOf(failure)
    return kinds.map((kind) => `| ${status ?? kind.status} | \`${code}\` | ${kind.text} |`)
  })
  return rows.length === 0 ? [] : ['| Failure | Code | |', '|---|---|---|', ...rows, '']
}

function guardOf(guard: Route['guard'], plugin?: string): string {
  return [describeGuard(guard), ...(plugin ? [`PLUGIN(${plugin})`] : [])].join(' + ')
}
