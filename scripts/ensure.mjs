// Installs what package-lock.json names, when it is not there yet. Runs on the Node of the machine (20 or later); what it
// installs brings the Node that everything else runs on.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = `${root}node_modules/.locked.sha256`

/** The project's own Node, installed when it is missing. */
export function ensureInstalled() {
  const node = `${root}node_modules/.bin/node`
  const stamp = createHash('sha256').update(readFileSync(`${root}package-lock.json`)).digest('hex')
  if (existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return node
  process.stderr.write('Installing what package-lock.json names …\n')
  const done = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (done.status !== 0) process.exit(done.status ?? 1)
  writeFileSync(stampFile, stamp)
  return node
}

/** Runs a program of the project on its own Node and ends with its exit code. */
export function runOnProjectNode(args, options = {}) {
  const node = ensureInstalled()
  const done = spawnSync(node, args, { cwd: root, stdio: 'inherit', ...options })
  return done.status ?? 1
}
