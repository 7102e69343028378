import { Readable } from 'node:stream'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openAccounts } from '../../host/accounts.ts'
import { openFiles, type Files } from '../../host/files.ts'
import type { Run } from '../../host/run.ts'
import { scriptAccounts, type ScriptedAccount } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { archiveHome } from './archive-home.ts'
import { lockAccount } from './lock-account.ts'
import { openHome } from './open-home.ts'
import { removeAccount } from './remove-account.ts'

interface Machine {
  readonly files: Files
  readonly accounts: Map<string, ScriptedAccount>
  readonly run: Run
}

async function machine(root: string): Promise<Machine> {
  const files = openFiles(root)
  const accounts = new Map<string, ScriptedAccount>([['ada', { uid: 1000 }]])
  const scripted = scriptedRun(scriptAccounts(accounts, {}))
  await files.makeDirectory('/home/ada')
  await files.write('/home/ada/letter', 'Dear Charles')
  await files.makeDirectory('/data/archives')
  const run: Run = async (argv, options) => {
    const ran = await scripted.run(argv, options)
    if (argv[0] === 'userdel' && ran.code === 0 && argv.includes('--remove'))
      await files.removeTree(`/home/${argv.at(-1)}`)
    return ran
  }
  return { files, accounts, run }
}

const withPassword = ({ accounts }: Machine) => accounts.set('ada', { uid: 1000, hash: '$y$former' })

proveStep<Machine>('accounts.lock', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => lockAccount(openAccounts(door(run), door(files))),
  look: ({ accounts }) => {
    const { hash = '!', shell = '/bin/bash', expires = '' } = accounts.get('ada') ?? {}
    return { hash, shell, expires }
  },
  cases: {
    'an account without a password': {
      args: { username: 'ada' },
      wanted: { hash: '!', shell: '/usr/sbin/nologin', expires: '1' },
      handEdit: ({ accounts }) => accounts.set('ada', { uid: 1000, shell: '/bin/sh' }),
      onTop: { hash: '!', shell: '/usr/sbin/nologin', expires: '1' },
    },
    'an account with a password, which its undo restores': {
      arrange: withPassword,
      args: { username: 'ada' },
      wanted: { hash: '!$y$former', shell: '/usr/sbin/nologin', expires: '1' },
    },
  },
})

proveStep<Machine>('accounts.remove', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => {
    const watched = door(files)
    const empty = () => watched.remove('/home/ada/letter')
    return removeAccount({ accounts: openAccounts(door(run), watched), empty })
  },
  look: async ({ files, accounts }) => ({ accounts: [...accounts.keys()], homes: await files.list('/home') }),
  withoutHandEdit: 'the step is final',
  cases: {
    'an account with a home': { args: { username: 'ada' }, wanted: { accounts: [], homes: [] } },
  },
})

const path = '/data/archives/ada.tar.gz'

proveStep<Machine>('accounts.archive-home', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => {
    const watched = door(files)
    const pack = async () => Readable.from([Buffer.from('packed')])
    return archiveHome({ accounts: openAccounts(door(run), watched), files: watched, pack })
  },
  look: async ({ files }) => ({ content: await files.read(path), mode: (await files.facts(path))?.mode }),
  withoutHandEdit: 'the name is drawn by the panel, in a folder that only root can open',
  cases: {
    'a home': {
      args: { username: 'ada', path },
      wanted: { content: 'packed', mode: 0o600 },
      refusedAfter: ({ files }) => files.write(path, 'of somebody else'),
    },
  },
})

proveStep<Machine>('accounts.open-home', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => {
    const watched = door(files)
    return openHome({ accounts: openAccounts(door(run), watched), files: watched })
  },
  look: async ({ files }) => {
    const facts = await files.facts('/home/ada')
    return { mode: facts?.mode, gid: facts?.gid, uid: facts?.uid }
  },
  skip: process.getuid?.() !== 0 && 'only root can give a home to its owner',
  cases: {
    'a closed home': {
      arrange: ({ files }) => files.makeDirectory('/home/ada', { uid: 1000, gid: 1000, mode: 0o750 }),
      args: { username: 'ada', gid: 33 },
      wanted: { mode: 0o710, gid: 33, uid: 1000 },
      handEdit: ({ files }) => files.makeDirectory('/home/ada', { uid: 1000, gid: 1000, mode: 0o700 }),
      onTop: { mode: 0o710, gid: 33, uid: 1000 },
    },
  },
})
