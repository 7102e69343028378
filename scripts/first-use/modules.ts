import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** A node of a syntax tree, of whatever type. */
export interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

/** Where a name of a module comes from; without `name`, it stands for the whole module. */
interface Origin {
  readonly file: string
  readonly name?: string
}

/** What the build knows of one module. */
export interface Module {
  readonly file: string
  readonly text: string
  /** Its top-level functions and classes by name. */
  readonly functions: ReadonlyMap<string, Node>
  /** The other statements, which run when it is loaded. */
  readonly statements: readonly Node[]
  readonly imports: ReadonlyMap<string, Origin>
  /** What it passes on from other modules, by the name it has there; those without a name are in `passedOn`. */
  readonly reexports: ReadonlyMap<string, Origin>
  readonly passedOn: readonly string[]
  /** What it exports; undefined if that is more than functions and constants. */
  readonly lazy: LazyExports | undefined
}

interface LazyExports {
  readonly functions: readonly LazyFunction[]
  /** Constants with the text of their values. */
  readonly constants: ReadonlyMap<string, string>
}

interface LazyFunction {
  readonly name: string
  /** True if it is declared to return a promise: whatever fails rejects. */
  readonly isPromised: boolean
}

/** Reads modules, each once. */
export function moduleReader(): (file: string) => Module {
  const read = new Map<string, Module>()
  return (file) => {
    const known = read.get(file)
    if (known !== undefined) return known
    const module = readModule(file)
    read.set(file, module)
    return module
  }
}

function readModule(file: string): Module {
  const text = readFileSync(file, 'utf8')
  const body = parseSync(file, text).program.body as unknown as readonly Node[]
  const functions = new Map<string, Node>()
  const statements: Node[] = []
  for (const each of body) {
    const statement = (each['declaration'] ?? each) as Node
    if (isNamed(statement)) functions.set(nameOf(statement['id']), statement)
    else if (statement.type === 'VariableDeclaration')
      for (const { id, init } of declarators(statement))
        if (isFunction(init)) functions.set(nameOf(id), init)
        else if (init !== null) statements.push(init)
    if (/^Expression|^Export|^For|^If|^Try/.test(statement.type)) statements.push(statement)
  }
  return { file, text, functions, statements, ...linksOf(file, body), lazy: lazyExports(text, body) }
}

function linksOf(file: string, body: readonly Node[]): Pick<Module, 'imports' | 'reexports' | 'passedOn'> {
  const imports = new Map<string, Origin>()
  const reexports = new Map<string, Origin>()
  const passedOn: string[] = []
  for (const statement of body) {
    const source = (statement['source'] as Node | null | undefined)?.['value']
    if (typeof source !== 'string' || !source.startsWith('.')) continue
    if (statement['importKind'] === 'type' || statement['exportKind'] === 'type') continue
    const from = resolve(dirname(file), source)
    if (statement.type === 'ExportAllDeclaration') passedOn.push(from)
    for (const each of (statement['specifiers'] ?? []) as readonly Node[])
      if (each['importKind'] === 'type' || each['exportKind'] === 'type') continue
      else if (each.type === 'ExportSpecifier')
        reexports.set(nameOf(each['exported']), { file: from, name: nameOf(each['local']) })
      else
        imports.set(nameOf(each['local']), {
          file: from,
          ...(each.type === 'ImportSpecifier' && { name: nameOf(each['imported']) }),
        })
  }
  return { imports, reexports, passedOn }
}

/** Constants are repeated where they are used, so they may be what is equal to itself when it is written again. */
function lazyExports(text: string, body: readonly Node[]): Module['lazy'] {
  if (text.includes('import.meta')) return undefined // its place in the bundle matters
  const functions: LazyFunction[] = []
  const constants = new Map<string, string>()
  for (const statement of body) {
    if (/^(?:Import|Function|Variable|Class)Declaration$|^TS/.test(statement.type)) continue
    if (statement.type !== 'ExportNamedDeclaration') return undefined
    if (statement['exportKind'] === 'type') continue
    const declaration = statement['declaration'] as Node | null
    if (declaration?.type === 'FunctionDeclaration')
      functions.push({ name: nameOf(declaration['id']), isPromised: isPromised(text, declaration) })
    else if (declaration?.type === 'VariableDeclaration' && declaration['kind'] === 'const')
      for (const { id, init } of declarators(declaration))
        if (isFunction(init)) functions.push({ name: nameOf(id), isPromised: isPromised(text, init) })
        else if (isPlain(init)) constants.set(nameOf(id), textOf(text, init as Node))
        else return undefined
    else return undefined
  }
  return functions.length === 0 ? undefined : { functions, constants }
}

function isPromised(text: string, node: Node): boolean {
  const type = node['returnType'] as Node | null | undefined
  if (type) return /^:?\s*Promise\b/.test(textOf(text, type))
  return node['async'] === true && node['generator'] !== true
}

interface Declarator {
  readonly id: Node
  readonly init: Node | null
}

const declarators = (declaration: Node): readonly Declarator[] =>
  declaration['declarations'] as readonly Declarator[]

const isNamed = ({ type }: Node): boolean => type === 'FunctionDeclaration' || type === 'ClassDeclaration'

interface FunctionNode extends Node {
  readonly body: Node
}

/** True for a function as a value. */
export function isFunction(node: Node | null | undefined): node is FunctionNode {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'
}

function isPlain(node: Node | null): boolean {
  if (node?.type === 'Literal') return !('regex' in node)
  if (node?.type === 'BinaryExpression')
    return isPlain(node['left'] as Node) && isPlain(node['right'] as Node)
  if (node?.type === 'UnaryExpression') return isPlain(node['argument'] as Node)
  return false
}

const textOf = (text: string, { start, end }: Node): string => text.slice(start as number, end as number)

/** The name of an identifier; empty for a pattern. */
export function nameOf(node: unknown): string {
  const { name, value } = node as { readonly name?: string; readonly value?: string }
  return name ?? value ?? ''
}
