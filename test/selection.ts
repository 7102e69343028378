import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Budget, budgets } from './budgets.ts'

/** Why a suite runs. */
export type Reason = 'all' | 'core' | 'its file' | 'its area' | 'its tool' | 'rotation'

/** What changed, as git tells it. */
export interface ChangedTree {
  /** Paths below the checkout; undefined if the base is unknown: everything runs. */
  readonly files: readonly string[] | undefined
  /** When the commit that is tested was made, in seconds since the epoch: the same commit always selects the same suites. */
  readonly committedAt: number
  /** Path of the checkout. */
  readonly root: string
}

type Kind = keyof Budget

/** Suites that run for each change: together they drive each layer. */
const core: Readonly<Record<Kind, readonly string[]>> = {
  hosts: [
    'harness',
    'apply-faults',
    'apply-kills',
    'first-site',
    'in-the-browser',
    'users',
    'sign-in',
    'filemanager-crash',
    'attacker',
  ],
  browser: ['smoke', 'navigation', 'panel', 'honest', 'restart'],
}

// decision 0109: what only adds selects nothing by itself
const everything = /^(test\/runner\/(?!programs\.ts$)|\.ci\/run$|package-lock\.json$)/
/** Files whose change selects all suites of a kind. */
const wide: Readonly<Record<Kind, RegExp>> = {
  hosts: /^test\/hosts\/(harness\/|images\.ts$|base-packages\.txt$)/,
  browser: /^(test\/browser\/(browser|panel)\.ts$|src\/web\/kit\/|vite\.config\.ts$)/,
}
/** The folders of an area of `budgets` that is no folder of src/areas. */
const foldersOfPanel = ['src/changes/', 'src/jobs/', 'src/store/', 'src/web/shell/', 'deploy/']
const foundations = /^src\/(core|changes|jobs|store|host)\//
/** Files whose change selects all test files in homes and with real programs. */
const beneathPrograms = /^(src\/host|test\/support)\//
/** Files whose change selects all operations of the API. */
const beneathOperations = /^(src\/(core|surfaces)\/(?!.*\.test\.ts$)|test\/schema\/(?!scripts\.ts$))/
const secondsOfRotation = 4 * 3600
const groupsOfRotation = 12

/** The inputs of the parts of the gate that run only when these changed. */
const inputs = {
  generators:
    /^(scripts\/(new-|templates\/|generated|snapshots|reference)|src\/core\/|test\/(policies\/(?!exceptions\.ts$)|forms\/)|\.oxlintrc\.json$|tsconfig)/,
  mutate:
    /^(scripts\/(mutat|first-failure)|test\/policies\/(?!exceptions\.ts$)|src\/(core|surfaces)\/(?!.*\.test\.ts$))/,
} as const

/** A part of the gate that runs only when its inputs changed. */
export type OptionalPart = keyof typeof inputs

/** True if a part must run; `mutated` are the files that the mutations name. */
export function isPartSelected(
  part: OptionalPart,
  { files }: ChangedTree,
  mutated: readonly string[] = [],
): boolean {
  if (files === undefined) return true
  return files.some(
    (file) =>
      everything.test(file) || inputs[part].test(file) || (part === 'mutate' && mutated.includes(file)),
  )
}

/** The suites of a kind that run, each with its reason, in the order of `names`. */
export function selectSuites(
  kind: Kind,
  names: readonly string[],
  tree: ChangedTree,
): ReadonlyMap<string, Reason> {
  const known = knownTree(tree, wide[kind])
  if (known === undefined) return new Map(names.map((name) => [name, 'all']))
  return new Map(
    names.flatMap((name) => {
      const reason = reasonFor(kind, name, known)
      return reason === undefined ? [] : [[name, reason] as const]
    }),
  )
}

/** The test files in homes, or with real programs, that run: those of areas and tools that did not change have their turn in the rotation. */
export function selectFiles(files: readonly string[], tree: ChangedTree): readonly string[] {
  const known = knownTree(tree, beneathPrograms)
  if (known === undefined) return files
  return files.filter((file) => {
    const [, kind = '', name = ''] = /^src\/(areas|tools)\/([^/]+)\//.exec(file) ?? []
    const isConcerned =
      kind === 'areas' ? reasonOfArea(name, known) !== undefined : isTouched(known, [`src/tools/${name}/`])
    return kind === '' || isConcerned || isInRotation(file, known)
  })
}

/** The areas whose operations the schema tests try; undefined for all operations. */
export function selectAreas(names: readonly string[], tree: ChangedTree): ReadonlySet<string> | undefined {
  const known = knownTree(tree, beneathOperations)
  if (known === undefined) return undefined
  return new Set(
    names.filter((name) => reasonOfArea(name, known) !== undefined || isInRotation(`schema ${name}`, known)),
  )
}

type KnownTree = ChangedTree & { readonly files: readonly string[] }

/** The tree, unless its base is unknown or one of its files selects everything of a kind. */
function knownTree({ files, ...tree }: ChangedTree, wideFiles: RegExp): KnownTree | undefined {
  return files === undefined || files.some((file) => everything.test(file) || wideFiles.test(file))
    ? undefined
    : { ...tree, files }
}

function reasonFor(kind: Kind, name: string, tree: KnownTree): Reason | undefined {
  if (core[kind].includes(name)) return 'core'
  if (isTouched(tree, testFilesOf(tree.root, `test/${kind}/${name}.test.ts`))) return 'its file'
  return reasonOfArea(areaOf(kind, name), tree) ?? (isInRotation(name, tree) ? 'rotation' : undefined)
}

function reasonOfArea(area: string, tree: KnownTree): Reason | undefined {
  if (isTouched(tree, area === 'panel' ? foldersOfPanel : [`src/areas/${area}/`])) return 'its area'
  const tools = toolsOf(tree.root, area).map((tool) => `src/tools/${tool}/`)
  return isTouched(tree, tools) ? 'its tool' : undefined
}

const isTouched = ({ files }: KnownTree, starts: readonly string[]): boolean =>
  files.some((file) => starts.some((start) => file.startsWith(start)))

function areaOf(kind: Kind, name: string): string {
  return Object.entries(budgets).find(([, budget]) => budget[kind]?.[name] !== undefined)?.[0] ?? ''
}

/** The file of a suite and the files below test/ that it imports, however indirectly. */
function testFilesOf(root: string, file: string, found: Set<string> = new Set()): readonly string[] {
  if (found.has(file)) return [...found]
  found.add(file)
  const text = readOrEmpty(join(root, file))
  for (const [, specifier = ''] of text.matchAll(/from '(\.[^']*\.ts)'/g)) {
    const imported = join(dirname(file), specifier)
    // the harness and the support of all tests are reached by every suite: what changes all of them is in `wide`
    if (/^test\/(hosts\/story|browser)\//.test(imported)) testFilesOf(root, imported, found)
  }
  return [...found]
}

/** The tools that the sources of an area import. */
function toolsOf(root: string, area: string): readonly string[] {
  const sources = globSync(`src/areas/${area}/**/*.ts`, { cwd: root })
  const tools = sources.flatMap((file) =>
    [...readOrEmpty(join(root, file)).matchAll(/\/tools\/([\w-]+)\//g)].map(([, tool = '']) => tool),
  )
  return [...new Set(tools)]
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // removed by the change itself
  }
}

/** Every suite comes round within two days, one group at a time; two groups where a change concerns what all areas use. */
function isInRotation(name: string, { files, committedAt }: KnownTree): boolean {
  const current = Math.floor(committedAt / secondsOfRotation) % groupsOfRotation
  const own = createHash('sha256').update(name).digest().readUInt32BE(0) % groupsOfRotation
  const hasTwo = files.some((file) => foundations.test(file))
  return own === current || (hasTwo && own === (current + 1) % groupsOfRotation)
}
