import { Script } from 'node:vm'
import { keepCode, keptCode } from './code-cache.ts'
import { beforeFirstCollection, withFlagsOfStart } from './memory.ts'
import { openLoader, readBundle } from './bundle.ts'

// The entry of the bundle. It compiles the panel with the code that V8 kept of it: Node's own compile cache holds on to a copy of that for
// as long as the process lives, which is as large as the bundle.
const folder = import.meta.dirname
const panel = 'panel.cjs'
start()

function start(): void {
  const { text, parts } = readBundle(`${folder}/${panel}`)
  const [build] = /\w+/.exec(text) ?? []
  const cache = `${folder}/.compile-cache/panel-${process.version}-${process.arch}-${build}`
  const cachedData = keptCode(cache)
  const script = new Script(text, { filename: `${folder}/${panel}`, ...(cachedData && { cachedData }) })
  const isCompiled = cachedData !== undefined && script.cachedDataRejected !== true
  if (!isCompiled && process.argv[2] === 'serve') keepOnce(script, cache)
  openLoader(folder, parts).run(panel, script)
}

/** Keeps what V8 has compiled once the panel has started, or ends before: it is what a start needs. Other commands run too little of it. */
function keepOnce(script: Script, cache: string): void {
  let isKept = false
  const keep = () => {
    if (isKept) return
    isKept = true
    withFlagsOfStart(() => keepCode(cache, script.createCachedData()))
  }
  beforeFirstCollection(keep)
  process.on('exit', keep)
}
