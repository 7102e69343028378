import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rowsAreaFiles } from '../../../scripts/templates/area.ts'
import { namesOf } from '../../../scripts/templates/names.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const endpointsEach = 5

/** An application as large as the panel is meant to become. */
export interface Application {
  readonly folder: string
  readonly endpoints: number
  readonly lines: number
}

/**
 * Copies the panel and adds areas from the generator's template up to the given number of endpoints and
 * lines.
 */
export function generateApplication(endpoints: number, lines: number): Application {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-application-`)
  for (const name of ['src', 'scripts', 'test', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(`${root}${name}`, `${folder}/${name}`, { recursive: true, filter: isOfApplication })
  symlinkSync(`${root}node_modules`, `${folder}/node_modules`)
  const count = endpoints / endpointsEach
  const names = Array.from({ length: count }, (_, index) => namesOf(`generated-${index}`))
  let written = 0
  for (const [index, name] of names.entries()) {
    const place = { group: 'Hosting', order: 1000 + index }
    const area = rowsAreaFiles(name, { stamp: String(202_701_010_000 + index), place })
    const files = new Map([...area, ['rules.ts', rules(Math.ceil(lines / count) - linesOf(area))]])
    for (const [path, text] of files) write(`${folder}/src/areas/${name.kebab}/${path}`, text)
    written += linesOf(files)
  }
  list(
    folder,
    names.map(({ kebab, camel }) => ({ kebab, camel })),
  )
  return { folder, endpoints: count * endpointsEach, lines: written }
}

/** Tests of what is copied beside `src` are not checked with the application. */
const isOfApplication = (path: string): boolean => path.startsWith(`${root}src`) || !path.endsWith('.test.ts')

/** Decisions next to the endpoints, as in real areas: they are loaded and checked, but never called. */
function rules(lines: number): string {
  const each = Array.from({ length: Math.max(1, Math.floor(lines / 7)) }, (_, index) => rule(index))
  return `import { BadRequest } from '../../core/problem.ts'\n\n${each.join('\n')}`
}

function rule(index: number): string {
  return `/** Refuses a port outside of range ${index}. */
export function checkRange${index}(draft: { readonly name: string; readonly port: number }): { readonly name: string; readonly port: number; readonly words: readonly string[] } {
  const words = draft.name.split('-').filter((word) => word.length > ${index % 5})
  if (draft.port < ${index + 1}) throw BadRequest(\`port: must be at least ${index + 1}, not \${draft.port}\`)
  return { ...draft, words: words.toSorted((a, b) => a.localeCompare(b)) }
}
`
}

/** The generated areas are added to the panel's own; being listed keeps their rules in the bundle. */
function list(folder: string, names: readonly { readonly kebab: string; readonly camel: string }[]): void {
  const file = `${folder}/src/app/areas.ts`
  const imports = names.map(
    ({ kebab, camel }) =>
      `import { ${camel} } from '../areas/${kebab}/index.ts'\nimport * as ${camel}Rules from '../areas/${kebab}/rules.ts'\n`,
  )
  const text = readFileSync(file, 'utf8').replace(
    /(export const areas\b[^=]*= \[[^\]]*?),?\s*\]/,
    (_, before: string) => `${before}, ${names.map(({ camel }) => camel).join(', ')}]`,
  )
  const kept = `\nexport const generatedRules: readonly object[] = [${names.map(({ camel }) => `${camel}Rules`).join(', ')}]\nif (process.env['NEVER_SET']) process.stdout.write(String(generatedRules.length) + Object.keys(generatedRules[0] ?? {}).join())\n`
  writeFileSync(file, imports.join('') + text + kept)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function linesOf(files: ReadonlyMap<string, string>): number {
  return [...files.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0)
}
