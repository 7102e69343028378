import { isProduct, type Source } from './sources.ts'

export type Rule = (sources: readonly Source[]) => readonly string[]
const each =
  (find: (source: Source) => readonly string[]): Rule =>
  (sources) =>
    sources.flatMap((source) => find(source).map((finding) => `${source.path}: ${finding}`))

/** Decision 0001: a folder imports only folders to its right. */
const order: Readonly<Record<string, readonly string[]>> = {
  app: ['app', 'surfaces', 'areas', 'tools', 'host', 'changes', 'jobs', 'store', 'core'],
  surfaces: ['surfaces', 'changes', 'jobs', 'core'],
  areas: ['areas', 'tools', 'host', 'changes', 'jobs', 'store', 'core'],
  tools: ['tools', 'host', 'core'],
  changes: ['changes', 'jobs', 'store', 'core'],
  jobs: ['jobs', 'store', 'core'],
  host: ['host', 'core'],
  store: ['store', 'core'],
  core: ['core'],
}

const folderOf = (path: string): string => path.split('/')[1] ?? ''
const areaOf = (path: string): string | undefined => /^src\/areas\/([^/]+)\//.exec(path)?.[1]

export const importsOneWay = each(({ path, imports }) =>
  imports
    .filter((target) => target.startsWith('src/') && !order[folderOf(path)]?.includes(folderOf(target)))
    .map((target) => `imports ${target}, which stands to its left`),
)

export const entersAreasByTheirIndex = each(({ path, imports }) => {
  const own = areaOf(path)
  return imports
    .filter(
      (target) => areaOf(target) !== undefined && areaOf(target) !== own && !target.endsWith('/index.ts'),
    )
    .map((target) => `imports ${target} past its index.ts`)
})

/**
 * Each area that an area imports is named in `uses` of its area.ts, so that the order of opening can be read
 * there.
 */
export const namesWhatItUses: Rule = (sources) =>
  [...areaGraph(sources)].flatMap(([area, imported]) => {
    const text = sources.find(({ path }) => path === `src/areas/${area}/area.ts`)?.text ?? ''
    const named =
      /uses:\s*\[([^\]]*)\]/
        .exec(text)?.[1]
        ?.split(',')
        .map((name) => name.trim()) ?? []
    return [...imported]
      .filter(
        (other) =>
          !named.includes(other.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())),
      )
      .map((other) => `area ${area} imports ${other} without naming it in uses`)
  })

export const hasNoCycles: Rule = (sources) => {
  const graph = areaGraph(sources)
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(graph.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && (seen.add(next), reaches(next, to, seen))),
    )
  return [...graph.keys()]
    .filter((area) => reaches(area, area))
    .map((area) => `area ${area} uses itself in a circle`)
}

function areaGraph(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const area = areaOf(path)
    if (area === undefined) continue
    const others = imports
      .map(areaOf)
      .filter((other) => other !== undefined && other !== area) as readonly string[]
    graph.set(area, new Set([...(graph.get(area) ?? []), ...others]))
  }
  return graph
}

/** Files of unfinished cycles of imports, with the reason. Cycles among them alone pass. */
export const cyclesLeft: Readonly<Record<string, string>> = {
  'src/changes/': 'The executor of changes and what it calls are being separated',
  'src/surfaces/http/change.ts': 'The types of a mounted route are in mount.ts, which calls it',
  'src/surfaces/http/mount.ts': 'Calls change.ts, reveal.ts and probe-entry.ts, which take its types',
  'src/surfaces/http/probe-entry.ts': 'Takes the types of mount.ts, which calls it',
  'src/surfaces/http/reveal.ts': 'Takes the types of mount.ts, which calls it',
  'src/surfaces/http/work.ts': 'Takes the types of change.ts, and is called by mount.ts',
}

/** A file does not import itself through others, not even for types: each can be read and moved without the rest of a cycle. */
export const hasNoFileCycles: Rule = (sources) => {
  const isExcused = (path: string) => Object.keys(cyclesLeft).some((each) => path.startsWith(each))
  return cyclesOf(sources)
    .filter((cycle) => !cycle.every(isExcused))
    .map((cycle) => `${cycle.join(' -> ')}: imports itself`)
}

/** Cycles of imports, one for each group of files that reach each other: the shortest of its first file. */
export function cyclesOf(sources: readonly Source[]): readonly (readonly string[])[] {
  const imports = new Map(sources.map((each) => [each.path, each.imports]))
  const reported = new Set<string>()
  return [...imports.keys()].flatMap((path) => {
    if (reported.has(path)) return []
    const cycle = wayBack(imports, path)
    for (const each of cycle) reported.add(each)
    return cycle.length === 0 ? [] : [[...cycle, path]]
  })
}

/** The files on the shortest path from a file back to itself; none if there is no cycle. */
function wayBack(imports: ReadonlyMap<string, readonly string[]>, start: string): readonly string[] {
  const cameFrom = new Map<string, string>()
  for (let level = [start]; level.length > 0;) {
    const next: string[] = []
    for (const from of level)
      for (const to of imports.get(from) ?? []) {
        if (to === start) return pathTo(cameFrom, start, from)
        if (cameFrom.has(to) || !imports.has(to)) continue
        cameFrom.set(to, from)
        next.push(to)
      }
    level = next
  }
  return []
}

function pathTo(cameFrom: ReadonlyMap<string, string>, start: string, end: string): readonly string[] {
  const path = [end]
  for (let at = end; at !== start; path.unshift(at)) at = cameFrom.get(at) as string
  return path
}

const machineModules =
  /^node:(?:child_process|fs|fs\/promises|net|http|https|http2|tls|dgram|dns|cluster|worker_threads)$/

/** Files outside host/ and the clients of tools that access the machine, with the reason. */
export const machineDoors: Readonly<Record<string, string>> = {
  'src/surfaces/http/sockets.ts': 'Answers the upgrades of its own listener',
  'src/store/in-directory.ts': 'The panel owns its data directory',
  'src/store/copying/to-sqlite.ts': 'Copies of a store on a server',
  'src/store/secrets.ts': 'The key file of the store',
  'src/store/whole-file.ts': 'Writes files of the data directory whole',
  'src/store/tolerated.ts': 'The list that a rollback leaves beside the store',
  'src/store/try-migrations.ts': 'A copy of the store that is removed again',
  'src/store/restored.ts': 'Puts a restore in place before anything is open',
  'src/tools/s3/object-store.ts': 'Sends and receives files of any size in parts',
  'src/store/copy.ts': 'The copy of the store before an upgrade',
  'src/tools/nginx/follow-log.ts': 'Follows a log that nginx writes, without a process for each reader',
  'src/tools/nginx/traffic.ts': 'Sums logs that nginx writes, which are too long for the output of a program',
  'src/tools/nginx/cached-pages.ts': 'Reads the keys of pages that nginx keeps, thousands of files',
  'src/tools/nginx/log-tail.ts': 'Reads the end of a log that nginx writes, at most 4 MiB of it',
  'src/surfaces/http/malformed.ts': 'The type of the connection that it answers',
  'src/surfaces/http/server.ts': 'Types of the server it builds',
  'src/surfaces/http/visitor.ts': 'Tells an address from other text',
}

/** Only host/, the clients of tools and the panel's own start in app/ access the machine. */
export const reachesMachineByItsDoors: Rule = (sources) =>
  sources
    .filter(
      ({ path }) =>
        !/^src\/(?:host|app)\/|^src\/tools\/.*\b(?:client|program|ask|socket)\b.*\.ts$/.test(path) &&
        !(path in machineDoors),
    )
    .flatMap(({ path, imports }) =>
      imports.filter((target) => machineModules.test(target)).map((target) => `${path}: imports ${target}`),
    )

/** Data that describes containers, whose commands run within them. */
const inContainers = 'src/areas/containers/catalog/'

/** A command is a list of arguments: no text is ever interpreted by a shell of the host. */
export const runsNoShell = each(({ path, text }) => [
  ...(/\b(?:exec|execSync|execFileSync|spawnSync)\s*\(/.test(text.replaceAll(/\.\s*exec\s*\(/g, ''))
    ? ['runs a command past host.run']
    : []),
  ...(!path.startsWith(inContainers) &&
  /shell\s*:\s*true|['"](?:\/bin\/)?(?:ba|da)?sh['"]\s*,\s*\[?\s*['"]-c['"]/.test(text)
    ? ['runs a shell']
    : []),
  ...(/\beval\s*\(|new Function\s*\(/.test(text) ? ['evaluates text as code'] : []),
])

/** A hook belongs to the test file that is being loaded; at the top of a module that several share, only to the first of them. */
export const registersHooksInTestFiles = each(({ path, text }) =>
  !path.endsWith('.test.ts') && /^(?:after|before|afterEach|beforeEach)\(/m.test(text)
    ? ['registers a hook when it is loaded']
    : [],
)

/** Files other than store.ts that query the store, with the reason. */
export const sqlElsewhere: Readonly<Record<string, string>> = {
  'src/areas/users/open.ts': 'Looks once, at the first start, whether any user is there',
}

/** The panel's own SQL is in store.ts, migrations/ and the folders that own tables. */
export const keepsSqlInItsPlace = each(({ path, text }) =>
  path.startsWith('src/areas/') &&
  !(path in sqlElsewhere) &&
  !/\/(?:store|[\w-]*-store)\.ts$|\/migrations\//.test(path) &&
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/.test(text)
    ? ['queries the store outside store.ts']
    : [],
)

/** Two declarations of one kind would block each other, or be confused after a restart. */
export const declaresEachLockOnce: Rule = (sources) => {
  const declaration = /^(?:export )?const \w+ = (lock|singleLock)(?:<[^(]*>)?\('([^']+)'/gm
  const declared = sources.flatMap(({ path, text }) =>
    [...text.matchAll(declaration)].map(([, form, kind]) => ({ path, declares: `${form}('${kind}')` })),
  )
  return declared
    .filter(({ declares }, index) => declared.findIndex((other) => other.declares === declares) !== index)
    .map(({ path, declares }) => `${path}: declares ${declares} again`)
}

const vagueNames = /(?:Manager|Helper|Util|Utils|Service|Base|Common)$/

/**
 * A module that only tests import is not part of the product; golden cases are next to their golden files.
 */
export const keepsTestCodeInTesting: Rule = (sources) => {
  const byTests = new Set(sources.filter((each) => !isProduct(each)).flatMap(({ imports }) => imports))
  const byProduct = new Set(sources.filter(isProduct).flatMap(({ imports }) => imports))
  return sources
    .filter((each) => isProduct(each) && byTests.has(each.path) && !byProduct.has(each.path))
    .filter(({ path }) => !path.includes('/golden/'))
    .map(({ path }) => `${path} is imported by tests alone: move it into a folder testing/`)
}

/** A service that the service manager of the host runs is named by the term of the field. */
const servicesOfTheHost = /src\/(?:host|areas)\/services(?:\/services(?=\.ts$))?/

export const hasTellingNames = each(({ path, text }) => [
  ...(/(?:^|\/)(?:utils?|common|services?|helpers?|managers?|misc)(?:\/|\.ts$)/.test(
    path.replace(servicesOfTheHost, ''),
  )
    ? ['is named for nothing that it knows']
    : []),
  ...[...text.matchAll(/^export (?:const|function|class|interface|type|async function) (\w+)/gm)]
    .map(([, name]) => name as string)
    .filter((name) => vagueNames.test(servicesOfTheHost.test(path) ? name.replace(/Service$/, '') : name))
    .map((name) => `exports ${name}, a name that says nothing`),
])

/** The number of `any` and type assertions in a file outside core/; comments and strings do not count. */
export function assertionsIn(sources: readonly Source[]): { readonly any: number; readonly as: number } {
  const code = sources
    .filter(({ path }) => !path.startsWith('src/core/'))
    .map(({ text }) => plainCode(text))
    .join('\n')
  const count = (pattern: RegExp) => [...code.matchAll(pattern)].length
  return {
    any: count(/(?::|<|,|\|)\s*any\b/g),
    as: count(/[\w)\]}] as (?!const\b)(?:unknown|never|\w|\{|readonly|\()/g),
  }
}

/** Statements of SQL, which name their columns by `as`, have several lines. */
const plainCode = (text: string): string =>
  text
    .replaceAll(/\bsql`[^`]*`/g, "''")
    .split('\n')
    .filter((line) => !/^\s*(?:\*|\/\*|\/\/|import |export (?:type )?\{)/.test(line))
    .map((line) =>
      line.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/g, "''").replace(/\/\/.*$/, ''),
    )
    .join('\n')

/** The product names neither the machine that it was written on nor hosts of third parties. */
export const namesNoStranger = each(({ text }) =>
  /\/(?:work)\/|registry\.npmjs|deb\.debian\.org/.test(text) ? ['names a place outside the product'] : [],
)

/** A spread hides a duplicate code; `failures(...)` joins the kinds of both. */
export const hidesNoFailures = each(({ text }) =>
  [
    ...text.matchAll(
      /\bthrows(?:: | = )\{|: Readonly<Record<string, Failures>> = \{|\bconst (?:of|not)[A-Z]\w* = \{/g,
    ),
  ]
    .filter(({ index, 0: start }) => objectAt(text, index + start.length).includes('...'))
    .map(
      ({ index }) => `line ${text.slice(0, index).split('\n').length} spreads failures: use failures(...)`,
    ),
)

/** The fields of an object literal after its brace, without the content of lists inside it. */
function objectAt(text: string, from: number): string {
  let [depth, fields] = [1, '']
  for (let at = from; at < text.length && depth > 0; at++) {
    const character = text[at] as string
    if ('{[('.includes(character)) depth += 1
    else if ('}])'.includes(character)) depth -= 1
    else if (depth === 1) fields += character
  }
  return fields
}
