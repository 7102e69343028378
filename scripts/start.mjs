// npm start: install what is locked, build when sources changed, run the panel. Where only the built panel is installed
// (no src/), it is run as it is; where dist/ cannot be written, the sources are run.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ensureInstalled, root, runOnProjectNode } from './ensure.mjs'

const notWritable = 3 // what scripts/build.ts ends with
const args = process.argv.slice(2)
const [node, program] = existsSync(`${root}src/app/main.ts`) ? fromCheckout() : installed()
// glibc raises its threshold for mapped blocks as large ones are freed, and keeps those of each thread: twice the memory after some load
const env = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_ARENA_MAX: '2', ...process.env }
const panel = spawn(node, [program, ...(args.length > 0 ? args : ['serve'])], { stdio: 'inherit', env })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.on(signal, () => panel.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
panel.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

function fromCheckout() {
  const node = ensureInstalled()
  const code = runOnProjectNode(['scripts/build.ts'])
  if (code === notWritable) return [node, `${root}src/app/main.ts`]
  if (code !== 0) process.exit(code)
  return [node, `${root}dist/hostreeve.mjs`]
}

function installed() {
  const own = [`${root}bin/node`, `${root}node_modules/.bin/node`].find(existsSync)
  return [own ?? process.execPath, `${root}dist/hostreeve.mjs`]
}
