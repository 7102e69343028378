// npm start: install what is locked, build when sources changed, run the panel.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, runOnProjectNode } from './ensure.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const node = ensureInstalled()
const built = runOnProjectNode(['scripts/build.ts'])
if (built !== 0) process.exit(built)
const words = process.argv.slice(2)
const panel = spawn(node, [`${root}dist/hostreeve.mjs`, ...(words.length > 0 ? words : ['serve'])], { stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => panel.kill(signal))
panel.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
