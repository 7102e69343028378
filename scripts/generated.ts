import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { areas } from '../src/app/areas.ts'
import { describeGuard } from '../src/core/guard.ts'
import { permissions } from '../src/core/permissions.ts'
import { openApiDocument } from '../src/surfaces/openapi/document.ts'
import { apiVersion } from '../src/surfaces/openapi/serve.ts'
import { type Route, routesOf } from '../src/surfaces/routes.ts'
import { referencePages } from './reference-pages.ts'
import { webClients } from './web-clients.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Files that are generated from the declarations: the path from the root, and the expected content. */
export type Generated = ReadonlyMap<string, string>

/** The current route table, without functions to run. */
export const declaredRoutes = (): readonly Route[] => routesOf(areas.map((area) => ({ area, context: {} })))

/** docs/reference: a page for each area, and one that lists them. */
export const reference = (): Generated =>
  new Map([...referencePages(declaredRoutes())].map(([name, text]) => [`docs/reference/${name}`, text]))

/** test/snapshots: documents whose changes a reviewer should see. */
export function snapshots(): Generated {
  const routes = declaredRoutes()
  return new Map([
    ...openApiParts(routes),
    [
      'test/snapshots/permissions.txt',
      lines(Object.entries(permissions).map(([slug, title]) => `${slug.padEnd(28)}${title}`)),
    ],
    ['test/snapshots/routes.txt', lines(routes.map(routeLine))],
  ])
}

/** src/areas/<area>/web/api.ts: the client that the pages of the panel use. */
export const clients = (): Generated => webClients(declaredRoutes())

/** Where each kind of generated files is, and nothing else. */
export const patterns = {
  clients: 'src/areas/*/web/api.ts',
  reference: 'docs/reference/**/*.md',
  snapshots: 'test/snapshots/**/*.{json,txt}',
}

/** The published document in reviewable parts: the shared part, and each area with its paths and schemas. */
function openApiParts(routes: readonly Route[]): Generated {
  const { paths, components, ...shared } = openApiDocument(routes, apiVersion)
  const { schemas, ...others } = components
  const areaOf = new Map(routes.map(({ path, area }) => [path, area.name]))
  const names = [...new Set(areaOf.values())]
  const isOf = (name: string) => (schema: string) => schema.startsWith(`${name}.`)
  const common = filtered(schemas, (schema) => !names.some((name) => isOf(name)(schema)))
  return new Map(
    [
      ['shared', { ...shared, components: { ...others, schemas: common } }] as const,
      ...names.map((name) => {
        const own = {
          paths: filtered(paths, (path) => areaOf.get(path) === name),
          schemas: filtered(schemas, isOf(name)),
        }
        return [name, own] as const
      }),
    ].map(([name, part]) => [`test/snapshots/openapi/${name}.json`, `${JSON.stringify(part, null, 2)}\n`]),
  )
}

const filtered = (values: Readonly<Record<string, object>>, isWanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)))

/** Lists the generated files that are out of date: changed, missing, or left over. */
export function stale(generated: Generated, pattern: string): readonly string[] {
  const kept = globSync(pattern, { cwd: root })
  const other = [...generated]
    .filter(([path, text]) => !kept.includes(path) || readFileSync(`${root}${path}`, 'utf8') !== text)
    .map(([path]) => path)
  return [...other, ...kept.filter((path) => !generated.has(path))].toSorted()
}

/** Writes generated files, and removes left-over ones. */
export function write(generated: Generated, pattern: string): void {
  const changed = stale(generated, pattern)
  for (const path of changed) {
    const text = generated.get(path)
    if (text === undefined) rmSync(`${root}${path}`)
    else {
      mkdirSync(dirname(`${root}${path}`), { recursive: true })
      writeFileSync(`${root}${path}`, text)
    }
  }
  process.stdout.write(
    changed.length === 0 ? `${pattern} is up to date\n` : changed.map((path) => `wrote ${path}\n`).join(''),
  )
}

function routeLine({ area, endpoint, guard, path }: Route): string {
  const gates = [
    describeGuard(guard),
    ...(area.plugin ? [`PLUGIN(${area.plugin})`] : []),
    ...(area.feature ? [`FEATURE(${area.feature})`] : []),
  ].join('+')
  return `${endpoint.method.padEnd(7)}${path.padEnd(46)}${gates.padEnd(34)}${endpoint.effect.padEnd(10)}${endpoint.reply.status} ${endpoint.reply.kind}`
}

const lines = (all: readonly string[]): string => `${all.toSorted().join('\n')}\n`
