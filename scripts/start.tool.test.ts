import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hangMs, until } from '../test/support/until.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(`${tmpdir()}/hostreeve-start-`)

/** The processes below one, with their command lines. */
function descendants(pid: number): readonly { readonly pid: number; readonly command: string }[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [
    { pid: child, command: readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() },
    ...descendants(child),
  ])
}

function start(): { readonly npm: ChildProcess; readonly said: () => string } {
  const environment = { ...process.env, HOSTREEVE_PORT: '0', HOSTREEVE_DATA_DIR: `${folder}/data` }
  const npm = spawn('npm', ['start'], { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (text += String(chunk)))
  return { npm, said: () => text }
}

after(() => rmSync(folder, { recursive: true, force: true }))

/** Ends the processes that a failed test left. */
function endAll(pid: number): void {
  if (!existsSync(`/proc/${pid}`)) return
  for (const each of [...descendants(pid), { pid }]) process.kill(each.pid, 'SIGKILL')
}

describe('npm start', () => {
  it('becomes the panel, which ends with npm', async (context) => {
    const { npm, said } = start()
    context.after(() => endAll(npm.pid as number))
    // a fresh checkout builds the panel first, which takes a minute on a busy machine
    await until(() => said().includes('is ready at'), { limitMs: 5 * hangMs })
    const running = descendants(npm.pid as number)
    assert.deepEqual(
      running.map(({ command }) => command.replaceAll(root, '')),
      ['node_modules/.bin/node dist/hostreeve.mjs serve'],
      said(),
    )
    npm.kill('SIGTERM')
    await until(() => !existsSync(`/proc/${running[0]!.pid}`))
  })
})

describe('npm start on a Node that is too old', () => {
  const checkout = `${folder}/checkout`
  const bin = `${folder}/bin`
  /** A Node that says to be version 18. */
  const old = `#!/bin/sh\nexec "${process.execPath}" --import "${folder}/old.mjs" "$@"\n`

  it('says in one line which it found, which is needed and how to get it, and installs nothing', () => {
    for (const path of ['scripts', 'src/app', 'bin'])
      cpSync(`${root}${path}`, `${checkout}/${path}`, { recursive: true })
    for (const path of ['package.json', 'package-lock.json', 'vite.config.ts'])
      cpSync(`${root}${path}`, `${checkout}/${path}`)
    mkdirSync(bin)
    writeFileSync(
      `${folder}/old.mjs`,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })",
    )
    writeFileSync(`${bin}/node`, old, { mode: 0o755 })
    for (const [script, command] of [
      ['sh scripts/start.sh', 'npm start'],
      ['node scripts/run.mjs scripts/check.ts', 'npm run check'],
    ] as const) {
      const [program = '', ...args] = script.split(' ')
      const { status, stderr } = spawnSync(program, args, {
        cwd: checkout,
        env: { PATH: `${bin}:${process.env['PATH']}`, npm_lifecycle_event: command.split(' ').at(-1) },
        encoding: 'utf8',
      })
      assert.equal(status, 1)
      assert.match(
        stderr,
        /^Node 20 or later is needed, and this is Node 18\.20\.4 \(.*\): npm_config_ignore_scripts=false npx --yes --package=node@22 .*\n$/,
      )
      assert.ok(stderr.includes(`node@22 ${command} gets one`), stderr)
      assert.equal(existsSync(`${checkout}/node_modules`), false)
    }
  })
})

describe('the command hostreeve', () => {
  it('runs from any folder and through links, on the Node of the project', () => {
    symlinkSync(`${root}bin/hostreeve`, `${folder}/first`)
    symlinkSync('first', `${folder}/second`)
    const version = execFileSync(`${folder}/second`, ['version'], { cwd: '/', encoding: 'utf8' })
    assert.equal(
      version.trim(),
      (JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }).version,
    )
  })
})
