import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Route } from '../src/surfaces/routes.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The typed client of each area that has pages: its operations with method and path, and the types of its declarations. */
export function webClients(routes: readonly Route[]): ReadonlyMap<string, string> {
  const folders = globSync('src/areas/*/web', { cwd: root }).map((path) => path.replace(/\/web$/, ''))
  return new Map(folders.map((folder) => [`${folder}/web/api.ts`, clientOf(folder, routes)]))
}

function clientOf(folder: string, routes: readonly Route[]): string {
  const name = /name: '([^']+)'/.exec(readFileSync(`${root}${folder}/area.ts`, 'utf8'))?.[1]
  const own = routes.filter(({ area }) => area.name === name)
  const module = existsSync(`${root}${folder}/endpoints.ts`) ? 'endpoints.ts' : 'endpoints/index.ts'
  return `// Made from the declarations by \`npm run snapshots\`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../${module}'

/** Makes the calls of the area, by the names of its endpoints. */
export const ${camelCase(folder.split('/').at(-1) ?? '')} = client<typeof endpoints>({
${own.map((route) => `  ${route.name}: '${operation(route)}',\n`).join('')}})
`
}

const operation = ({ endpoint: { method }, path }: Route): string => `${method} ${path.replace(/^\/api/, '')}`

const camelCase = (text: string): string =>
  text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
