import Type, { type TObject, type TSchema } from 'typebox'
import { type Binder, binder } from '../../core/bind.ts'
import type { Effect } from '../../core/endpoint.ts'
import { OneOf } from '../../core/schemas.ts'
import type { Route } from '../routes.ts'
import { ApiCall, type Curated, curatedTools, EndpointQuery } from './curated.ts'

/** A tool as `tools/list` shows it. */
export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: Readonly<Record<string, boolean | string>>
}

/** A tool with what a call of it needs. */
export interface Tool {
  readonly description: ToolDescription
  readonly bind: Binder
  /** Absent for the tools that belong to no endpoint. */
  readonly curated?: Curated
}

/** Makes the tools of a route table: the curated ones by name, then `api_call` and `list_endpoints`. */
export function toolsOf(routes: readonly Route[]): readonly Tool[] {
  return [
    ...curatedTools.map((curated) => curatedTool(curated, routes)),
    tool({
      name: 'api_call',
      title: 'Call an endpoint of the panel',
      description:
        'Sends a request to the API of the panel, with the rights of this key. list_endpoints shows what can be called; plan: true shows what a change would do.',
      schema: ApiCall,
      hints: hintsOf('destroys', 'POST'),
    }),
    tool({
      name: 'list_endpoints',
      title: 'List the endpoints that this key may call',
      description: 'Returns a line METHOD /api/path for each endpoint; the effects are in _meta.',
      schema: EndpointQuery,
      hints: hintsOf('reads', 'GET'),
    }),
  ]
}

/** The declared endpoints of a tool: one, or one for each value of a parameter that they name in their paths. */
export function routesOfTool({ method, path }: Curated, routes: readonly Route[]): readonly Route[] {
  const exact = routes.filter((route) => route.endpoint.method === method && route.path === path)
  return exact.length > 0 ? exact : variantsOf({ method, path }, routes)
}

/** `/services/{name}/start` and its siblings are the variants of `/services/{name}/{action}`. */
function variantsOf({ method, path }: Pick<Curated, 'method' | 'path'>, routes: readonly Route[]) {
  const stem = path.slice(0, path.lastIndexOf('/') + 1)
  const isVariable = path.endsWith('}')
  return routes.filter(
    (route) =>
      isVariable &&
      route.endpoint.method === method &&
      route.path.startsWith(stem) &&
      /^[a-z-]+$/.test(route.path.slice(stem.length)),
  )
}

function curatedTool(curated: Curated, routes: readonly Route[]): Tool {
  const found = routesOfTool(curated, routes)
  const [first] = found
  if (first === undefined) throw new Error(`no endpoint is declared for the tool ${curated.name}`)
  const title = titleOf(curated, first)
  return {
    ...tool({
      name: curated.name,
      title,
      description: first.endpoint.description ?? title,
      schema: Type.Object(propertiesOf(curated, first, found)),
      hints: hintsOf(strongest(found), curated.method),
    }),
    curated,
  }
}

/** A tool of several endpoints is named for what they share. */
const titleOf = ({ path }: Curated, { endpoint, path: own }: Route): string =>
  path === own ? endpoint.summary : 'Start, stop, restart, reload, enable or disable a service'

function propertiesOf({ path }: Curated, first: Route, found: readonly Route[]): Record<string, TSchema> {
  const declared: Readonly<Record<string, TSchema>> = Object(first.endpoint.params).properties ?? {}
  const names = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  return Object.fromEntries(names.map((name) => [name, declared[name] ?? variantSchema(found)]))
}

function variantSchema(found: readonly Route[]): TSchema {
  const [first = '', ...more] = found.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).toSorted()
  return OneOf([first, ...more], { description: 'What is done' })
}

const order: readonly Effect[] = ['reads', 'probes', 'changes', 'destroys']

const strongest = (found: readonly Route[]): Effect =>
  order.findLast((effect) => found.some(({ endpoint }) => endpoint.effect === effect)) ?? 'reads'

const hintsOf = (effect: Effect, method: string) => ({
  readOnlyHint: effect === 'reads',
  destructiveHint: effect === 'destroys',
  idempotentHint: effect === 'reads' || method === 'PUT' || method === 'DELETE',
  openWorldHint: false,
})

interface ToolDraft extends Omit<ToolDescription, 'inputSchema' | 'annotations'> {
  readonly schema: TObject
  readonly hints: Readonly<Record<string, boolean>>
}

function tool({ schema, hints, ...texts }: ToolDraft): Tool {
  return {
    description: {
      ...texts,
      inputSchema: published(schema),
      annotations: { title: texts.title, ...hints },
    },
    bind: binder(schema, 'arguments'),
  }
}

interface Published {
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

/** JSON Schema without the keywords of the panel. */
function published({ properties, required = [] }: Published): object {
  const fields = Object.entries(properties).map(([name, property]) => [
    name,
    Object.fromEntries(
      Object.entries(property).filter(([keyword]) => keyword !== 'expects' && !/^[x~]/.test(keyword)),
    ),
  ])
  return { type: 'object', properties: Object.fromEntries(fields), ...(required.length > 0 && { required }) }
}
