import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { stepRun } from '../../../../test/support/step-run.ts'
import { proveStep } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { Problem } from '../../../core/problem.ts'
import { asOwner, type Bench, makeBench, skip } from '../../../host/owner/testing/homes.ts'
import { ArchiveWrong } from '../problems.ts'
import { type PlaceArgs, placeFiles } from './place.ts'

type Account = Bench['alice']

const bench = skip === false ? makeBench() : undefined
const scratch = mkdtempSync(`${tmpdir()}/hostreeve-applications-`)
after(async () => {
  await bench?.remove()
  rmSync(scratch, { recursive: true })
})

/** An archive as a publisher has it: one folder. */
const archive = (() => {
  const folder = join(scratch, 'app-12')
  mkdirSync(join(folder, 'conf'), { recursive: true })
  mkdirSync(join(folder, 'drop'))
  writeFileSync(join(folder, 'VERSION'), '12 "Twelve"\n')
  writeFileSync(join(folder, 'index.php'), '<?php')
  writeFileSync(join(folder, 'conf/plain.php'), '<?php')
  writeFileSync(join(folder, 'drop/install.php'), '<?php')
  return execFileSync('tar', ['--create', '--gzip', '--directory', scratch, 'app-12'])
})()

let uid = 61_400
const machine = (): Account => {
  if (bench === undefined) throw new Error('homes need root')
  uid++
  return bench.account(`p${uid}`, uid)
}

const open = (account: Account, door: Stoppable['door'], verify = () => {}) =>
  placeFiles({
    ownerOf: async () => door(bench!.owners.of(account)),
    deliver: async () => ({ stream: Readable.from([archive]), name: 'archive.tar.gz', verify }),
  })

const downloaded: PlaceArgs = {
  username: 'ann',
  domain: 'a.test',
  id: 7,
  name: 'App',
  source: {
    kind: 'archive',
    url: 'https://example.com/app-12.tar.gz',
    folder: 'app-12',
    algorithm: 'sha256',
    checksum: 'a'.repeat(64),
    maxBytes: 1_000_000,
  },
  omits: ['drop', 'never'],
  moves: [{ from: 'public/conf', to: 'wiki/conf' }],
  writes: [
    { path: 'public/config.php', content: 'secret', is_secret: true },
    { path: 'wiki/conf/local.php', content: 'plain', is_secret: false },
  ],
  version: { file: 'VERSION', pattern: '^([0-9]+)' },
}
const included: PlaceArgs = {
  ...downloaded,
  source: { kind: 'included' },
  moves: [],
  writes: [{ path: 'public/VERSION', content: '3\n', is_secret: false }],
}

/** Every path in a home, with the content and the mode of what was written. */
const look = ({ home }: Account): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((path) => {
      const found = statSync(join(home, path))
      return found.isDirectory()
        ? `${path}/`
        : `${path} ${(found.mode & 0o777).toString(8)} ${readFileSync(join(home, path), 'utf8').trim()}`
    })
    .toSorted()
const sh = (script: string) => (account: Account) => asOwner(account, 'sh', '-ec', script)
const arrange = sh('mkdir -p sites/a.test/public')
const inSite = (...paths: readonly string[]) => ['sites/', 'sites/a.test/', ...paths].toSorted()

proveStep<Account>('applications.place-files', {
  skip,
  machine,
  open,
  look,
  cases: {
    'an archive': {
      args: { ...downloaded },
      arrange,
      wanted: inSite(
        'sites/a.test/public/',
        'sites/a.test/public/VERSION 644 12 "Twelve"',
        'sites/a.test/public/config.php 600 secret',
        'sites/a.test/public/index.php 644 <?php',
        'sites/a.test/wiki/',
        'sites/a.test/wiki/conf/',
        'sites/a.test/wiki/conf/local.php 644 plain',
        'sites/a.test/wiki/conf/plain.php 644 <?php',
      ),
      handEdit: sh('echo mine >sites/a.test/public/mine'),
      refusedAfter: sh('mkdir sites/a.test/wiki'),
      returns: { version: '12' },
    },
    'files of the panel': {
      args: { ...included },
      callsAsIn: 'an archive',
      arrange,
      wanted: inSite('sites/a.test/public/', 'sites/a.test/public/VERSION 644 3'),
      refusedAfter: sh('echo mine >sites/a.test/public/.hidden'),
      returns: { version: '3' },
    },
  },
})

describe('the files of an application', { skip }, () => {
  it('stay out of the website if the archive is not what it must be', async () => {
    const account = machine()
    arrange(account)
    const before = look(account)
    const kind = open(
      account,
      (thing) => thing,
      () => {
        throw ArchiveWrong('it has another checksum')
      },
    )
    await kind.observe(downloaded)
    await assert.rejects(kind.act(downloaded, stepRun(null)), (error) => {
      assert.ok(error instanceof Problem)
      assert.equal(error.kind.code, 'download_failed')
      return true
    })
    await kind.undo(downloaded, null)
    assert.deepEqual(look(account), before)
  })
})
