import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openAccounts } from '../../host/accounts.ts'
import { openFiles, type Files } from '../../host/files.ts'
import type { Run } from '../../host/run.ts'
import { scriptAccounts } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { createAccount } from './create-account.ts'

interface Machine {
  readonly files: Files
  readonly accounts: Map<string, { uid: number; comment?: string }>
  readonly run: Run
}

function machine(root: string): Machine {
  const files = openFiles(root)
  const accounts = new Map<string, { uid: number; comment?: string }>()
  const scripted = scriptedRun(scriptAccounts(accounts, {}))
  const run: Run = async (argv, options) => {
    const ran = await scripted.run(argv, options)
    if (argv[0] === 'useradd' && ran.code === 0) await files.makeDirectory(`/home/${argv.at(-1)}`)
    if (argv[0] === 'userdel' && argv.includes('--remove')) await files.removeTree(`/home/${argv.at(-1)}`)
    return ran
  }
  return { files, accounts, run }
}

proveStep<Machine>('accounts.create', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => {
    const watched = door(files)
    return createAccount({ files: watched, accounts: openAccounts(door(run), watched) })
  },
  look: async ({ files, accounts }) => ({ accounts: [...accounts.keys()], homes: await files.list('/home') }),
  cases: {
    'a new account': {
      args: { username: 'ann' },
      wanted: { accounts: ['ann'], homes: ['ann'] },
      handEdit: ({ accounts }) => accounts.set('ann', { uid: 1000, comment: 'Ann' }),
      refusedAfter: ({ accounts }) => accounts.set('ann', { uid: 1000, comment: 'Ann' }),
    },
  },
})
