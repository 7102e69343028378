import { isFunction, type Module, type Node, nameOf } from './modules.ts'

/** What an area or a tool gives the panel to be called at its start, by the name in its declaration. */
const askedAtStart = new Set([
  'open',
  'steps',
  'contributes',
  'background',
  'files',
  'loading',
  'verbs',
  'reconcile',
])
/** What calls a function it is given before it returns. */
const callsAtOnce = new Set([
  'map',
  'flatMap',
  'filter',
  'forEach',
  'some',
  'every',
  'find',
  'reduce',
  'toSorted',
  'fromEntries',
])

/** All their functions run at start. */
const starting = /\/src\/(?:app\/serve|app\/panel|host\/index)\.ts$/

type Read = (file: string) => Module

/**
 * The modules with a function that runs when the panel is loaded or started, by the calls that can be read off the
 * sources: from what modules do when they are loaded, and from what areas and tools give the panel to be called. A
 * call that cannot be read off costs the load of a part at start, and nothing else.
 */
export function modulesAtStart(loaded: readonly string[], read: Read): ReadonlySet<string> {
  const files = new Set<string>()
  const seen = new Set<string>()
  const visit = (module: Module, names: Iterable<string>) => {
    for (const name of names) {
      const target = resolveName(module, name, read)
      if (target === undefined || seen.has(`${target.module.file}#${target.name}`)) continue
      seen.add(`${target.module.file}#${target.name}`)
      files.add(target.module.file)
      visit(target.module, callsIn(bodyOf(target.node)))
    }
  }
  for (const file of loaded) {
    const module = read(file)
    for (const statement of module.statements) visit(module, callsIn(statement, true))
    if (starting.test(file)) visit(module, module.functions.keys())
  }
  return files
}

interface Target {
  readonly module: Module
  readonly name: string
  readonly node: Node
}

/** Finds the function that a name, or a name of a namespace (`edits.rename`), stands for. */
function resolveName(module: Module, called: string, read: Read): Target | undefined {
  const [name = '', member] = called.split('.')
  const own = member === undefined ? module.functions.get(name) : undefined
  if (own !== undefined) return { module, name, node: own }
  const origin = module.imports.get(name)
  if (origin === undefined || (origin.name === undefined) !== (member !== undefined)) return undefined
  return exportOf(origin.file, origin.name ?? (member as string), read)
}

function exportOf(file: string, name: string, read: Read): Target | undefined {
  if (!file.endsWith('.ts')) return undefined
  const module = read(file)
  const node = module.functions.get(name)
  if (node !== undefined) return { module, name, node }
  const passed = module.reexports.get(name) ?? module.imports.get(name)
  if (passed?.name !== undefined) return exportOf(passed.file, passed.name, read)
  for (const each of module.passedOn) {
    const target = exportOf(each, name, read)
    if (target !== undefined) return target
  }
  return undefined
}

const bodyOf = (node: Node): Node => node['body'] as Node

/** The names that are called when a node is evaluated: not those in functions that are only made there. */
function callsIn(node: Node, isDeclaration = false): ReadonlySet<string> {
  const names = new Set<string>()
  const local = new Map<string, Node>()
  const walk = (each: unknown): void => {
    if (Array.isArray(each)) return each.forEach(walk)
    if (typeof each !== 'object' || each === null || !('type' in each)) return
    const at = each as Node
    if (at.type === 'FunctionDeclaration') return void local.set(nameOf(at['id']), at)
    if (at.type === 'VariableDeclarator' && isFunction(at['init'] as Node | null))
      return void local.set(nameOf(at['id']), at['init'] as Node)
    if (isFunction(at) || at.type === 'MethodDefinition') return
    if (at.type === 'CallExpression' || at.type === 'NewExpression') noteCall(at)
    if (isDeclaration && at.type === 'Property' && askedAtStart.has(nameOf(at['key']))) {
      const value = at['value'] as Node
      if (isFunction(value)) return walk(bodyOf(value))
      if (value.type === 'Identifier') names.add(nameOf(value))
    }
    for (const value of Object.values(at)) walk(value)
  }
  const noteCall = ({ callee, arguments: given }: Node) => {
    const called = callee as Node
    const isAtOnce = called.type === 'MemberExpression' && callsAtOnce.has(nameOf(called['property']))
    if (called.type === 'Identifier') names.add(nameOf(called))
    else if (called.type === 'MemberExpression' && (called['object'] as Node).type === 'Identifier')
      names.add(`${nameOf(called['object'])}.${nameOf(called['property'])}`)
    else if (isFunction(called)) walk(bodyOf(called))
    if (!isAtOnce && nameOf(called) !== 'Promise') return
    for (const each of given as readonly Node[])
      if (isFunction(each)) walk(bodyOf(each))
      else if (each.type === 'Identifier') names.add(nameOf(each))
  }
  walk(node)
  for (const name of names) {
    // a set is read while it grows
    const made = local.get(name)
    local.delete(name)
    if (made !== undefined) walk(bodyOf(made))
  }
  return names
}
