import Module, { createRequire, enableCompileCache } from 'node:module'
import { Script } from 'node:vm'
import { beforeFirstCollection, withFlagsOfStart } from './memory.ts'

// The entry of the bundle. It loads the panel as Node would, but for the code that V8 kept of it: Node's own compile cache holds on
// to a copy of that for as long as the process lives, which is as large as the bundle.
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } =
  process.getBuiltinModule('node:fs') // an import would have Node load all of it
const folder = import.meta.dirname
const codeFolder = `${folder}/.compile-cache`
const prefix = 'panel-'
enableCompileCache(codeFolder) // the small rest
loadPanel(`${folder}/panel.cjs`)

/** Runs the text of a bundle as the CommonJS module of that name, which others find in Node's list of those that are loaded. */
function loadPanel(file: string): void {
  const text = readFileSync(file, 'latin1')
  const [build] = /\w+/.exec(text) ?? [] // V8 compares only the lengths of texts
  const cache = `${codeFolder}/${prefix}${process.version}-${process.arch}-${build}`
  const cachedData = contentOf(cache)
  const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) })
  if (cachedData === undefined || script.cachedDataRejected === true) keep(script, cache)
  const module = new Module(file)
  const require = createRequire(file)
  require.cache[file] = module
  script.runInThisContext()(module.exports, require, module, file, folder)
}

/** Writes what V8 has compiled once the panel has started, or ends before: it is what a start needs. Other commands run too little of it. */
function keep(script: Script, cache: string): void {
  if (process.argv[2] !== 'serve') return
  let isKept = false
  const write = () => {
    if (isKept) return
    isKept = true
    try {
      mkdirSync(codeFolder, { recursive: true, mode: 0o700 })
      for (const name of readdirSync(codeFolder)) if (name.startsWith(prefix)) rmSync(`${codeFolder}/${name}`)
      writeFileSync(`${cache}.${process.pid}`, script.createCachedData(), { mode: 0o600 })
      renameSync(`${cache}.${process.pid}`, cache)
    } catch {
      // the next start compiles again
    }
  }
  beforeFirstCollection(() => withFlagsOfStart(write))
  process.on('exit', () => withFlagsOfStart(write))
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
