// Installs what package-lock.json names, when it is not there yet. Runs on the Node of the machine (20 or later); what it
// installs brings the Node that everything else runs on.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout, with a slash at the end. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** What `engines` of package.json says. */
const leastNode = 20

/** The project's own Node, installed when it or anything else that is locked is missing. */
export function ensureInstalled() {
  const node = `${root}node_modules/.bin/node`
  if (existsSync(node) && isAsLocked()) return node
  demandNewNode()
  process.stderr.write('Installing what package-lock.json names …\n')
  const code = installWithTries()
  if (code !== 0) process.exit(code)
  demandRunning(node)
  return node
}

/** npm leaves out the packages with native code, silently, if the Node that it runs on is older than they demand. */
function demandNewNode() {
  const version = process.versions.node
  if (Number.parseInt(version, 10) >= leastNode) return
  const script = process.env['npm_lifecycle_event'] || 'start'
  const command = script === 'start' || script === 'test' ? `npm ${script}` : `npm run ${script}`
  process.stderr.write(
    `Node ${leastNode} or later is needed, and this is Node ${version} (${process.execPath}): ` +
      `npm_config_ignore_scripts=false npx --yes --package=node@22 ${command} gets one and runs this on it; ` +
      'https://nodejs.org has it too\n',
  )
  process.exit(1)
}

/** npm ci, three times at most: the registry may fail. */
function installWithTries() {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  for (let attempt = 1; ; attempt++) {
    const { error, status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2] })
    if (error) process.stderr.write(`npm could not be run: ${error.message}\n`)
    if (status === 0 || error || attempt === 3) return status === null ? 1 : status
    process.stderr.write(`npm ci ended with ${status}: attempt ${attempt} of 3\n`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * 5000)
  }
}

/** A small Debian lacks a library that the project's Node is linked with. */
function demandRunning(node) {
  const { status, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  if (status === 0) return
  process.stderr.write(`The project's Node does not run here: ${String(stderr).trim()}\n`)
  if (/libatomic/.test(String(stderr)))
    process.stderr.write('Install the library first: apt-get install libatomic1\n')
  process.exit(1)
}

/** Runs a program of the project on the project's Node and returns its exit code. */
export function runOnProjectNode(args, options = {}) {
  const node = ensureInstalled()
  const done = spawnSync(node, args, { cwd: root, stdio: 'inherit', ...options })
  return done.status === null ? 1 : done.status
}

/** Compares npm's list of installed packages with the lock; packages for other platforms may be missing. */
function isAsLocked() {
  const installed = packagesOf(`${root}node_modules/.package-lock.json`)
  const locked = packagesOf(`${root}package-lock.json`)
  if (installed === undefined || locked === undefined) return false
  return Object.entries(locked).every(
    ([path, { version, optional }]) =>
      path === '' ||
      installed[path]?.version === version ||
      (optional === true && installed[path] === undefined),
  )
}

function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined
}
