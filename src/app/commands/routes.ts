import { readdirSync, readFileSync } from 'node:fs'
import { describeGuard } from '../../core/guard.ts'
import { type Route, routesOf } from '../../surfaces/routes.ts'
import { areas } from '../areas.ts'
import type { Call } from './command.ts'
import { paths } from '../paths.ts'

/** Lists the endpoints with guard, effect and, in a checkout, the file that declares each. */
export async function listRoutes({ positionals, isJson }: Call): Promise<number> {
  const wanted = positionals[0]
  const rows = routeRows(wanted)
  if (isJson) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else
    for (const { method, path, guard, effect, file } of rows)
      process.stdout.write(
        `${method.padEnd(7)}${path.padEnd(48)}${guard.padEnd(34)}${effect.padEnd(10)}${file ?? ''}\n`,
      )
  if (rows.length > 0) return 0
  process.stderr.write(
    `hostreeve: there is no endpoint at ${positionals[0] ?? '/'}: see hostreeve routes for all\n`,
  )
  return 1
}

/** The endpoints, or those of a path; in a checkout with the file that declares each. */
export function routeRows(wanted?: string) {
  const files = declaringFiles()
  return routesOf(areas.map((area) => ({ area, context: {} })))
    .filter(({ path }) => wanted === undefined || matches(path, wanted))
    .map((route) => describe(route, files))
}

function describe({ area, endpoint, name, guard, path }: Route, files: readonly DeclaringFile[]) {
  const declaration = new RegExp(`\\nexport const (?:${name}|\\{[^}]*\\b${name}\\b[^}]*\\}) = `)
  const file = files.find(({ base, text }) => base === area.base && declaration.test(text))?.path
  return {
    method: endpoint.method,
    path,
    guard: describeGuard(guard) + (area.plugin ? `+PLUGIN(${area.plugin})` : ''),
    effect: endpoint.effect,
    file,
  }
}

/** `/api/websites/7` finds `/api/websites/{id}`; a prefix finds all below it. */
function matches(path: string, wanted: string): boolean {
  const given = (wanted.startsWith('/api') ? wanted : `/api${wanted}`).split('/')
  const parts = path.split('/')
  return given.every((part, index) => parts[index] === part || parts[index]?.startsWith('{') === true)
}

interface DeclaringFile {
  readonly path: string
  readonly text: string
  readonly base: string
}

/** The sources of the areas; none if only the bundle is installed. */
function declaringFiles(): readonly DeclaringFile[] {
  const folder = paths.packageJson.replace(/package\.json$/, 'src/areas')
  let names: string[] = []
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
  } catch {
    return []
  }
  const bases = new Map(
    names
      .filter((name) => name.endsWith('/area.ts'))
      .map((name) => [
        name.split('/')[0],
        /base: '([^']*)'/.exec(readFileSync(`${folder}/${name}`, 'utf8'))?.[1] ?? '',
      ]),
  )
  return names
    .filter((name) => /endpoints/.test(name))
    .map((name) => ({
      path: `src/areas/${name}`,
      text: readFileSync(`${folder}/${name}`, 'utf8'),
      base: bases.get(name.split('/')[0]) ?? '',
    }))
}
