import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles } from '../../host/files.ts'
import { openReleases } from '../../host/releases/index.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { switchStep } from './switch-step.ts'
import { archiveOf } from './testing/archive.ts'
import { unpackStep } from './unpack-step.ts'

const about = JSON.stringify({ version: '0.2.0', architecture: 'x64' })
const archive = archiveOf([{ name: 'package.json', text: about }])
const sha256 = createHash('sha256').update(archive).digest('hex')

const installed = (root: string) => {
  mkdirSync(`${root}/versions/0.1.0`, { recursive: true })
  symlinkSync('versions/0.1.0', `${root}/current`)
  return root
}
const look = (root: string) => [readlinkSync(`${root}/current`), readdirSync(`${root}/versions`).toSorted()]

/** Clocks that have struck. */
const absent = {
  start: async () => {},
  arm: async () => true,
  disarm: async () => true,
  state: async () => 'struck' as const,
  isRunning: async () => false,
  remove: async () => {},
  names: async () => [],
}

proveStep<string>('selfupdate.unpack', {
  machine: (t) => installed(scratchRoot(t)),
  open: (root, door) => {
    const { run } = scriptedRun((argv) => (argv[2] === 'try-migrations' ? {} : undefined))
    const open = async () => ({
      stream: Readable.from([archive]),
      offset: 0,
      sizeBytes: archive.length,
      validator: undefined,
    })
    const refused = () => Promise.reject(new Error('only the archive is fetched'))
    const fetch = { open, post: refused, exchange: refused, stream: refused, peer: refused, readKey: refused }
    const parts = { fetch, run, files: openFiles('/'), releases: door(openReleases()) }
    return unpackStep({ ...parts, folder: root, dataDir: root })
  },
  look,
  cases: {
    'a release': {
      args: { version: '0.2.0', architecture: 'x64', url: 'http://releases.test/a', sha256 },
      wanted: ['versions/0.1.0', ['0.1.0', '0.2.0']],
    },
  },
  withoutHandEdit: 'Only the panel writes the folder',
})

proveStep<string>('selfupdate.switch', {
  machine: (t) => {
    const root = installed(scratchRoot(t))
    mkdirSync(`${root}/versions/0.2.0`)
    return root
  },
  open: (root, door) => {
    const detached = {
      ...absent,
      start: async () => openFiles('/').write(`${root}/selfupdate.watching`, ''),
    }
    const installation = { folder: root, replace: async () => {} }
    return switchStep({
      files: openFiles('/'),
      releases: door(openReleases()),
      detached,
      installation,
      dataDir: root,
    })
  },
  look,
  cases: {
    'the next version': { args: { version: '0.2.0' }, wanted: ['versions/0.2.0', ['0.1.0', '0.2.0']] },
  },
  withoutHandEdit: 'Only the panel writes the link',
})

test('fails, where the watcher returned to the former version, with its reason', async (t) => {
  const root = installed(scratchRoot(t))
  const kind = switchStep({
    files: openFiles('/'),
    releases: openReleases(),
    detached: { ...absent, isRunning: async () => false },
    installation: undefined,
    dataDir: root,
  })
  const before = { clock: 'selfupdate-1000', version: '0.1.0' }
  const write = (result: object) =>
    openFiles('/').write(
      `${root}/selfupdate.json`,
      JSON.stringify({ from: '0.1.0', message: 'it ended', ...result }),
    )
  const recovering = () => kind.recover?.({ version: '0.2.0' }, before)
  await recovering()
  await write({ to: '0.2.0', state: 'rolled_back', at: '1970-01-01T00:00:00.500Z' }) // of an earlier attempt
  await recovering()
  await write({ to: '0.2.0', state: 'updated', at: '1970-01-01T00:00:02.000Z' })
  await recovering()
  await write({ to: '0.2.0', state: 'rolled_back', at: '1970-01-01T00:00:02.000Z' })
  await assert.rejects(async () => recovering(), /it ended/)
})
