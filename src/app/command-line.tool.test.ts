import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = `${root}bin/hostreeve`
const folder = mkdtempSync(`${tmpdir()}/hostreeve-command-`)

/** Runs the command line to its end; standard error is one line at most. */
function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env['PATH'], HOSTREEVE_DATA_DIR: `${folder}/data`, ...settings }
  const { status, stdout, stderr } = spawnSync(program, args, {
    env,
    encoding: 'utf8',
    timeout: 300_000,
  })
  return { status, stdout, stderr: stderr.trimEnd() }
}

describe('the command line', () => {
  before(() =>
    execFileSync(process.execPath, [`${root}scripts/build.ts`], { stdio: 'ignore', timeout: 300_000 }),
  )
  after(() => rmSync(folder, { recursive: true, force: true }))

  const refusals: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ['an unknown option', ['routes', '--jsn'], 2, /^hostreeve: Unknown option '--jsn'; see hostreeve help$/],
    ['an unknown command', ['rout'], 2, /^hostreeve: there is no command rout; see hostreeve help$/],
    [
      'a body that is no JSON',
      ['call', 'POST', '/x', '--body', '{'],
      2,
      /^hostreeve: --body: must be JSON, or @ and a file/,
    ],
    [
      'a body in a missing file',
      ['call', 'POST', '/x', '--body', '@/nope'],
      2,
      /^hostreeve: --body: .*ENOENT/,
    ],
    ['a call without a panel', ['call', 'GET', '/version'], 3, /^hostreeve: no panel runs on /],
    [
      'a path without an endpoint',
      ['routes', '/nothing'],
      1,
      /^hostreeve: there is no endpoint at \/nothing/,
    ],
  ]
  for (const [title, args, status, message] of refusals)
    it(`refuses ${title} with exit code ${status} and one line`, () => {
      const done = run(args)
      assert.match(done.stderr, message)
      assert.deepEqual([done.status, done.stderr.includes('\n')], [status, false])
    })

  it('refuses a log level that is none, and a data folder that cannot exist', () => {
    const level = run(['serve'], { HOSTREEVE_LOG_LEVEL: 'loud' })
    assert.match(
      level.stderr,
      /^hostreeve: HOSTREEVE_LOG_LEVEL: must be one of trace, debug, info, warn, error, not loud$/,
    )
    const missing = run(['serve'], { HOSTREEVE_DATA_DIR: '/proc/nope' })
    assert.match(missing.stderr, /^hostreeve: The data folder \/proc\/nope cannot be created: /)
    assert.deepEqual([level.status, missing.status], [1, 1])
  })

  it('takes the body of a call from a file', () => {
    writeFileSync(`${folder}/body.json`, '{}')
    assert.equal(run(['call', 'POST', '/version', '--body', `@${folder}/body.json`]).status, 3)
  })

  it('ends with exit code 13 where it waits for what never comes', () => {
    const waiting = `${folder}/waiting.mjs`
    writeFileSync(
      waiting,
      `import { commands } from '${root}src/app/commands.ts'
      commands.version = { run: () => new Promise(() => {}) }`,
    )
    const argv = ['--import', waiting, `${root}src/app/main.ts`, 'version']
    assert.equal(spawnSync(process.execPath, argv, { timeout: 300_000 }).status, 13)
  })

  it('ends without a message when its reader has seen enough', () => {
    const { stdout, stderr } = spawnSync('sh', ['-c', '"$0" routes | head -n 1', program], {
      encoding: 'utf8',
      timeout: 300_000,
    })
    assert.match(stdout, /^[A-Z]+ +\/api\//)
    assert.equal(stderr, '')
  })
})
