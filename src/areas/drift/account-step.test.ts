import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openAccounts } from '../../host/accounts.ts'
import { openFiles } from '../../host/files.ts'
import { type ScriptedAccount, scriptAccounts } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { accountStep } from './account-step.ts'

interface Machine {
  readonly root: string
  readonly accounts: Map<string, ScriptedAccount>
}

const shell = '/bin/bash'
const edited = { uid: 1000, shell: '/bin/sh', expires: '1', hash: '$y$kept' }

proveStep<Machine>('drift.set-access', {
  machine: (t) => ({
    root: scratchRoot(t),
    accounts: new Map<string, ScriptedAccount>([['ada', { ...edited }]]),
  }),
  open: ({ root, accounts }, door) =>
    accountStep(openAccounts(door(scriptedRun(scriptAccounts(accounts, {})).run), openFiles(root))),
  look: ({ accounts }) => {
    const { shell: found, expires, hash } = accounts.get('ada') ?? {}
    return { found, expires, hash }
  },
  cases: {
    'an account whose shell and expiry were changed': {
      args: { username: 'ada', shell, expires: '' },
      wanted: { found: shell, expires: '', hash: '$y$kept' },
      handEdit: ({ accounts }) => accounts.set('ada', { ...edited, shell: '/bin/false' }),
    },
  },
})
