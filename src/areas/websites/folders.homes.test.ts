import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { proveStep } from '../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { asOwner, type Bench, makeBench, skip } from '../../host/owner/testing/homes.ts'
import { run } from '../../host/run.ts'
import type { Users } from '../users/index.ts'
import { siteFolders } from './folders.ts'

type Account = Bench['alice']

const bench = skip === false ? makeBench() : undefined
after(() => bench?.remove())

let uid = 61_100
const machine = (): Account => {
  if (bench === undefined) throw new Error('homes need root')
  uid++
  return bench.account(`u${uid}`, uid)
}
const logs = '/var/log/hostreeve/sites/a.test'
const args = { username: 'ann', domain: 'a.test', logs }

function open(account: Account, door: Stoppable['door']) {
  const users = {
    queries: { byUsername: async () => ({ id: 1 }) },
    accounts: { find: async () => ({ ...account, username: account.name, comment: '', shell: '/bin/sh' }) },
  }
  const owners = { of: () => door(bench!.owners.of(account)) }
  return siteFolders({ owners: owners as never, run: door(run) }, users as unknown as Users)
}

/** Every path in a home, sorted; links with their mark. */
const look = ({ home }: Account) =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((path) => `${path}${lstatSync(join(home, path)).isSymbolicLink() ? '@' : ''}`)
    .toSorted()
const sh = (script: string) => (account: Account) => asOwner(account, 'sh', '-c', script)
const site = ['logs', 'logs/a.test@', 'sites', 'sites/a.test', 'sites/a.test/public']

proveStep<Account>('websites.make-folder', {
  skip,
  machine,
  open: (account, door) => open(account, door).make,
  look,
  cases: {
    'a first site': {
      args,
      wanted: site,
      handEdit: sh('mkdir -p sites/a.test && echo mine >sites/a.test/mine'),
      onTop: [...site, 'sites/a.test/mine'].toSorted(),
    },
    'a site whose folder is there': {
      args,
      callsAsIn: 'a first site',
      arrange: sh('mkdir -p sites/a.test/public && echo mine >sites/a.test/mine'),
      wanted: [...site, 'sites/a.test/mine'].toSorted(),
    },
  },
})

proveStep<Account>('websites.unlink-logs', {
  skip,
  machine,
  open: (account, door) => open(account, door).unlinkLogs,
  look,
  cases: {
    'a link of the panel': {
      args,
      arrange: sh(`mkdir logs && ln -s ${logs} logs/a.test`),
      wanted: ['logs'],
      handEdit: sh('rm logs/a.test && echo mine >logs/a.test'),
      onTop: ['logs', 'logs/a.test'],
    },
    "a file of the owner's": {
      args,
      arrange: sh('mkdir logs && echo mine >logs/a.test'),
      wanted: ['logs', 'logs/a.test'],
    },
  },
})

proveStep<Account>('websites.remove-folder', {
  skip,
  machine,
  open: (account, door) => open(account, door).remove,
  look,
  withoutHandEdit: 'final',
  cases: {
    'a site with files': {
      args,
      arrange: sh(
        `mkdir -p logs sites/a.test/public && ln -s ${logs} logs/a.test && echo x >sites/a.test/public/x`,
      ),
      wanted: ['logs', 'sites'],
    },
  },
})
