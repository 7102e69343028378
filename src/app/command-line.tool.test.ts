import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { publicKeyOf } from '../changes/chain-key.ts'
import { signNewest } from '../changes/chain-export.ts'
import { canonical } from '../changes/proof.ts'
import { openParcels } from '../changes/testing/parcel.ts'
import { append, exported, exportedAt } from './audit/testing/exported.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = `${root}bin/hostreeve`
const folder = mkdtempSync(`${tmpdir()}/hostreeve-command-`)

/** Runs the command line to its end; standard error is one line at most. */
function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}, input = '') {
  const env = { PATH: process.env['PATH'], HOSTREEVE_DATA_DIR: `${folder}/data`, ...settings }
  const { status, stdout, stderr } = spawnSync(program, args, {
    env,
    input,
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
    ['a plan without a file', ['plan'], 2, /^hostreeve: plan -f FILE$/],
    ['a manifest that is not there', ['apply', '-f', '/nope'], 2, /^hostreeve: --file: ENOENT/],
    ['an export without a panel', ['export'], 3, /^hostreeve: no panel runs on /],
    ['a call without a panel', ['call', 'GET', '/version'], 3, /^hostreeve: no panel runs on /],
    ['an export without a panel', ['activity', 'export'], 3, /^hostreeve: no panel runs on /],
    [
      'an option that a command does not take',
      ['export', '--output', '/nope'],
      2,
      /^hostreeve: export does not take --output: use hostreeve export \[SECTION\] \[--json\]; see hostreeve help$/,
    ],
    [
      'more arguments than a command takes',
      ['activity', 'export', '/nope'],
      2,
      /^hostreeve: activity takes at most 1 argument: use hostreeve activity export /,
    ],
    ['a file for a key', ['activity', 'key', '--output', '/nope'], 2, /^hostreeve: activity export/],
    ['a verb that activity has not', ['activity', 'erase'], 2, /^hostreeve: activity export/],
    ['a verification of nothing', ['verify'], 2, /^hostreeve: verify FILE/],
    ['a verification of no file', ['verify', '/nope'], 2, /^hostreeve: \/nope cannot be read: ENOENT/],
    [
      'a verification of what is no export',
      ['verify', `${root}package.json`],
      2,
      /^hostreeve: the first line is not the header of an export/,
    ],
    [
      'a key that is none',
      ['verify', `${root}package.json`, '--key', 'abc'],
      2,
      /^hostreeve: --key: must be an Ed25519 public key/,
    ],
    [
      'a checkpoint that is none',
      ['verify', `${root}package.json`, '--checkpoint', `${root}package.json`],
      2,
      /^hostreeve: --checkpoint: .* must contain a signed checkpoint/,
    ],
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

  it('verifies an export with neither a panel nor a store: 0 for whole, 1 for broken', async () => {
    const store = await openParcels()
    await append(store, 1200)
    const { text: key, pem } = publicKeyOf(store)
    const lines = await exported(store)
    await append(store, 1)
    const checkpoint = await signNewest(store, exportedAt)
    await store.close()
    const [whole, keyFile, checkpointFile] = ['whole.jsonl', 'key.pem', 'checkpoint.json'].map(
      (name) => `${folder}/${name}`,
    ) as [string, string, string]
    writeFileSync(whole, `${lines.join('\n')}\n`)
    writeFileSync(keyFile, pem)
    writeFileSync(checkpointFile, `${canonical({ checkpoint })}\n`)
    const first = `1200 entries, chain complete from 1 to 1200, 1 checkpoint, signed by ${key}\n`
    const noSettings = { HOSTREEVE_DATA_DIR: '/nope' }
    for (const given of [key, keyFile]) {
      const done = run(['verify', whole, '--key', given], noSettings)
      assert.deepEqual([done.status, done.stdout.startsWith(first), done.stderr], [0, true, ''], done.stdout)
    }
    assert.match(run(['verify', whole]).stdout, /The key is that of the file/)
    assert.equal(run(['verify', '-'], {}, `${lines.join('\n')}\n`).stdout, run(['verify', whole]).stdout)
    for (const kind of ['ec', 'x25519'] as const) {
      const { publicKey } = generateKeyPairSync(kind as 'ec', { namedCurve: 'P-256' })
      writeFileSync(`${folder}/other.pem`, publicKey.export({ type: 'spki', format: 'pem' }))
      const refused = run(['verify', whole, '--key', `${folder}/other.pem`])
      assert.match(refused.stderr, /^hostreeve: --key: must be an Ed25519 public key/)
      assert.equal(refused.status, 2, kind)
    }
    const other = run(['verify', whole, '--key', Buffer.alloc(32, 1).toString('base64')])
    assert.deepEqual([other.status, other.stdout.startsWith('Not verified: ')], [1, true], other.stdout)
    const cut = run(['verify', whole, '--checkpoint', checkpointFile])
    assert.deepEqual(
      [cut.status, cut.stdout],
      [1, 'Broken at entry 1201: entry 1201 is cut off: the given checkpoint is newer\n'],
    )
    writeFileSync(whole, `${lines.toSpliced(500, 1).join('\n')}\n`)
    const removed = run(['verify', whole, '--json'])
    assert.equal(removed.status, 1)
    assert.equal(JSON.parse(removed.stdout).reason, 'entry 500 is missing')
  })

  it('ends with exit code 13 where it waits for what never comes', () => {
    const waiting = `${folder}/waiting.mjs`
    writeFileSync(
      waiting,
      `import { commands } from '${root}src/app/commands.ts'
      commands.version = { ...commands.version, run: () => new Promise(() => {}) }`,
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
