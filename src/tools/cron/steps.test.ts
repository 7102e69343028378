import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Files, openFiles } from '../../host/files.ts'
import type { Run, RunOptions } from '../../host/run.ts'
import { type ScriptedRun, scriptedRun } from '../../host/testing/scripted-run.ts'
import { recorder, recorderPath } from './recorder.ts'
import { crontabPath } from './render.ts'
import { runLine, type RunLineArgs } from './run-line.ts'
import { writeCrontab } from './write-crontab.ts'

const path = crontabPath(5)
const look = async (files: Files) => ({
  crontab: (await files.read(path)) ?? null,
  mode: (await files.facts(path))?.mode ?? null,
})
const put = (text: string) => async (files: Files) => {
  await files.makeDirectory('/etc/cron.d')
  await files.write(path, text, { rights: { mode: 0o644 } })
}

proveStep<Files>('cron.write-crontab', {
  machine: (t) => openFiles(scratchRoot(t)),
  open: (files, door) => writeCrontab({ files: door(files) }),
  look,
  cases: {
    'a first crontab': {
      args: { siteId: 5, content: 'new\n' },
      arrange: (files) => files.makeDirectory('/etc/cron.d'),
      wanted: { crontab: 'new\n', mode: 0o644 },
      handEdit: put('by hand\n'),
    },
    'a crontab that ends': {
      args: { siteId: 5, content: null },
      arrange: put('old\n'),
      wanted: { crontab: null, mode: null },
      handEdit: put('by hand\n'),
    },
  },
})

test('puts the recorder in place of one of another version', async (t) => {
  const files = openFiles(scratchRoot(t))
  await files.makeDirectory('/usr/local/lib/hostreeve')
  await files.write(recorderPath, 'old')
  const kind = writeCrontab({ files })
  await kind.act(
    { siteId: 5, content: 'new\n' },
    stepRun(await kind.observe({ siteId: 5, content: 'new\n' })),
  )
  assert.equal(await files.read(recorderPath), recorder)
  assert.equal((await files.facts(recorderPath))?.mode, 0o755)
})

interface Machine {
  readonly files: Files
  readonly names: string[]
  readonly scripted: ScriptedRun
}

const account = { uid: 1000, gid: 1000, home: '/home/ada', username: 'ada' }
const args: RunLineArgs = {
  siteId: 5,
  command: 'report%Hello',
  account,
  variables: { SHELL: '/bin/bash', PATH: '/opt/bin' },
  token: 'hand.1',
}

/** The recorder is scripted: it keeps a run for each start. */
function machineOf(files: Files): Machine {
  const names: string[] = []
  const scripted = scriptedRun((argv) => {
    if (argv[0] === 'find') return { stdout: names.map((name) => `${name}\n`).join('') }
    if (argv[0] === 'head') return { stdout: 'printed\n' }
    if (!argv[0]?.endsWith('cron-shell')) return undefined
    names.push(`1700000000-1700000001-3-0123456789abcdef-${args.token}`)
    return { code: 3 }
  })
  return { files, names, scripted }
}

proveStep<Machine>('cron.run-line', {
  machine: (t) => machineOf(openFiles(scratchRoot(t))),
  open: ({ files, scripted }, door) => runLine({ files, run: door(scripted.run) }),
  look: ({ names }) => names.length,
  withoutHandEdit: 'the step is final',
  cases: {
    'a line': {
      args: { ...args },
      wanted: 1,
      returns: { exit_status: 3, output: 'printed\n' },
      repeats: 'each act runs the command',
    },
  },
})

test('runs a line as cron does', async (t) => {
  const files = openFiles(scratchRoot(t))
  const { scripted } = machineOf(files)
  const seen: { argv: readonly string[]; options: RunOptions }[] = []
  const run: Run = (argv, options = {}) => {
    seen.push({ argv, options })
    return scripted.run(argv, options)
  }
  await runLine({ files, run }).act(args, stepRun(null))
  const { argv, options } = seen[0]!
  assert.deepEqual(argv.slice(1), ['-c', 'report'])
  assert.deepEqual(
    [options.as, options.cwd, options.input],
    [{ uid: 1000, gid: 1000 }, '/home/ada', 'Hello\n'],
  )
  const { HOSTREEVE_SHELL, PATH, HOME, LOGNAME } = options.env ?? {}
  assert.deepEqual([HOSTREEVE_SHELL, PATH, HOME, LOGNAME], ['/bin/bash', '/opt/bin', '/home/ada', 'ada'])
})
