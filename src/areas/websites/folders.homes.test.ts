import assert from 'node:assert/strict'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
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
      handEdit: sh('mkdir -p logs sites/a.test && echo mine | tee sites/a.test/mine >logs/a.test'),
      onTop: [...site.with(1, 'logs/a.test'), 'sites/a.test/mine'].toSorted(),
    },
    'a site whose folder is there': {
      args,
      callsAsIn: 'a first site',
      arrange: sh('mkdir -p sites/a.test/public && echo mine >sites/a.test/mine'),
      wanted: [...site, 'sites/a.test/mine'].toSorted(),
    },
  },
})

const phpFolders = ['sites/a.test/php', 'sites/a.test/php/sessions', 'sites/a.test/php/tmp']

proveStep<Account>('websites.make-php-folders', {
  skip,
  machine,
  open: (account, door) => open(account, door).makePhp,
  look,
  cases: {
    'a new PHP site': {
      args: { username: 'ann', domain: 'a.test' },
      arrange: sh('mkdir -p sites/a.test'),
      wanted: ['sites', 'sites/a.test', ...phpFolders],
      handEdit: sh('mkdir -p sites/a.test/php/tmp && echo mine >sites/a.test/php/tmp/mine'),
      onTop: ['sites', 'sites/a.test', ...phpFolders, 'sites/a.test/php/tmp/mine'],
    },
  },
})

const page = '<h1>a.test</h1>'
const inRoot = ['sites', 'sites/a.test', 'sites/a.test/public']

/** The entries with the text of the page. */
const lookInto = (account: Account) => [
  look(account),
  sh('cat sites/a.test/public/index.html 2>/dev/null || true')(account),
]

proveStep<Account>('websites.write-placeholder', {
  skip,
  machine,
  open: (account, door) => open(account, door).writePlaceholder,
  look: lookInto,
  cases: {
    'an empty document root': {
      args: { username: 'ann', domain: 'a.test', content: page },
      arrange: sh('mkdir -p sites/a.test/public'),
      wanted: [[...inRoot, 'sites/a.test/public/index.html'], page],
      handEdit: sh('printf mine >sites/a.test/public/index.html'),
      onTop: [[...inRoot, 'sites/a.test/public/index.html'], 'mine'],
    },
    'a document root with a file': {
      args: { username: 'ann', domain: 'a.test', content: page },
      callsAsIn: 'an empty document root',
      arrange: sh('mkdir -p sites/a.test/public && echo mine >sites/a.test/public/.hidden'),
      wanted: [[...inRoot, 'sites/a.test/public/.hidden'], ''],
    },
  },
})

test('an undo keeps the page of a new site once it was edited', { skip }, async () => {
  const account = machine()
  const { writePlaceholder } = open(account, (thing) => thing)
  const placeholder = { username: 'ann', domain: 'a.test', content: page }
  sh('mkdir -p sites/a.test/public')(account)
  const before = await writePlaceholder.observe(placeholder)
  await writePlaceholder.act(placeholder, stepRun(before, undefined))
  sh('echo mine >>sites/a.test/public/index.html')(account)
  await writePlaceholder.undo(placeholder, before)
  assert.equal(lookInto(account)[1], `${page}mine\n`)
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

const renaming = {
  from: { username: 'ann', domain: 'a.test' },
  to: { username: 'ann', domain: 'b.test' },
  id: 7,
}
const filled = 'mkdir -p sites/a.test/public sites/a.test/php/tmp && echo mine >sites/a.test/public/mine'

proveStep<Account>('websites.move-folder', {
  skip,
  machine,
  open: (account, door) => open(account, door).move,
  look,
  withoutHandEdit: 'a folder of that name is refused before the step begins, and never replaced',
  cases: {
    'a site with files': {
      args: renaming,
      arrange: sh(filled),
      wanted: [
        'sites',
        'sites/b.test',
        'sites/b.test/php',
        'sites/b.test/php/tmp',
        'sites/b.test/public',
        'sites/b.test/public/mine',
      ],
      refusedAfter: sh('mkdir sites/b.test'),
    },
  },
})

proveStep<Account>('websites.copy-folder', {
  skip,
  machine,
  open: (account, door) => open(account, door).copy,
  look,
  withoutHandEdit: 'a folder of that name is refused before the step begins, and never replaced',
  cases: {
    'a site with files and what its PHP keeps': {
      args: renaming,
      arrange: sh(filled),
      wanted: [
        'sites',
        'sites/a.test',
        'sites/a.test/php',
        'sites/a.test/php/tmp',
        'sites/a.test/public',
        'sites/a.test/public/mine',
        'sites/b.test',
        'sites/b.test/public',
        'sites/b.test/public/mine',
      ],
      refusedAfter: sh('mkdir sites/b.test'),
    },
  },
})

const generation = 'sites/a.test/.hostreeve-page-cache'

proveStep<Account>('websites.renew-pages', {
  skip,
  machine,
  open: (account, door) => open(account, door).renewPages,
  look: (account) =>
    look(account).map((path) =>
      path === generation
        ? `${path}: ${readFileSync(join(account.home, path), 'utf8').replace(/[0-9a-f]{8}$/, '+')}`
        : path,
    ),
  withoutHandEdit: 'scripts of the website write it at any time',
  cases: {
    'pages that are kept': {
      args: { username: 'ann', domain: 'a.test' },
      arrange: sh(`mkdir -p sites/a.test; printf .. >${generation}`),
      wanted: ['sites', 'sites/a.test', `${generation}: ..+`],
    },
    'pages whose file its owner removed': {
      args: { username: 'ann', domain: 'a.test' },
      arrange: sh('mkdir -p sites/a.test'),
      wanted: ['sites', 'sites/a.test', `${generation}: +`],
    },
  },
})

describe('keys of kept pages', { skip }, () => {
  const args = { username: 'ann', domain: 'a.test' }
  const opened = (account: Account) => open(account, (thing) => thing).renewPages

  it('are not renewed where the website has gone', async () => {
    const account = machine()
    const kind = opened(account)
    await kind.act(args, stepRun(await kind.observe(args)))
    assert.deepEqual(look(account), [])
  })

  it('fail a change before it begins, and not once it is done', async () => {
    const account = machine()
    sh(`mkdir -p ${generation}`)(account)
    const kind = opened(account)
    await assert.rejects(async () => kind.observe(args), /\.hostreeve-page-cache/)
    const after = { ...args, isAfter: true }
    const before = await kind.observe(after)
    assert.equal(await kind.act(after, stepRun(before)), null)
    assert.equal(await kind.check(after, before), 'before')
  })

  it('differ from those that a backup brings back', async () => {
    const account = machine()
    sh(`mkdir -p sites/a.test; printf .. >${generation}`)(account)
    const kind = opened(account)
    await kind.act(args, stepRun(await kind.observe(args)))
    const live = await kind.observe(args)
    sh(`printf .. >${generation}`)(account)
    await kind.act(args, stepRun(await kind.observe(args)))
    assert.equal(await kind.check(args, live), 'wanted')
  })
})
