import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { stepRun } from '../../../../test/support/step-run.ts'
import { proveStep } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { Problem } from '../../../core/problem.ts'
import { asOwner, type Bench, makeBench, skip } from '../../../host/owner/testing/homes.ts'
import { BackupIncomplete, ConfigUnclear, PackageWrong, ScriptFailed, UpdateFailed } from '../problems.ts'
import type { AskWordPress } from '../run-script.ts'
import { signInPlugin } from '../script.ts'
import { alterItems, type AlterArgs } from './alter.ts'
import { setFileEditing } from './set-file-editing.ts'
import { writeSignIn } from './write-sign-in.ts'

type Account = Bench['alice']
type Door = Stoppable['door']

const bench = skip === false ? makeBench() : undefined
after(() => bench?.remove())

let uid = 61_700
const machine = (): Account => {
  if (bench === undefined) throw new Error('homes need root')
  uid++
  const account = bench.account(`w${uid}`, uid)
  asOwner(account, 'sh', '-ec', 'mkdir -p sites/a.test/public/wp-content/plugins/probe')
  asOwner(
    account,
    'sh',
    '-ec',
    'echo 1 >sites/a.test/public/wp-content/plugins/probe/probe.php; echo rows >tables',
  )
  return account
}
const sh = (script: string) => (account: Account) => asOwner(account, 'sh', '-ec', script)
const ownerOf = (account: Account, door: Door) => async () => door(bench!.owners.of(account))

/** Every path in a home with the content of files; a mark of the change is named alone. */
const look = ({ home }: Account): readonly string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((path) => {
      const found = statSync(join(home, path))
      if (found.isDirectory()) return `${path}/`
      return path.endsWith('change.json') ? path : `${path} ${readFileSync(join(home, path), 'utf8').trim()}`
    })
    .toSorted()

const place = { username: 'ann', domain: 'a.test', version: '8.2', isTls: false }
const mark = 'sites/a.test/.hostreeve-wordpress/change.json'
const probe = 'sites/a.test/public/wp-content/plugins/probe/probe.php'
const site = [
  ...['sites/', 'sites/a.test/', 'sites/a.test/public/', 'sites/a.test/public/wp-content/'],
  ...['sites/a.test/public/wp-content/plugins/', 'sites/a.test/public/wp-content/plugins/probe/'],
]

const inspected = { version: '2.0', fault: null, is_locked: false }

/** WordPress and the backups, as files: an update writes the plugin and the tables, and a backup is a copy of both. */
const stand = (account: Account, fault?: 'script' | 'database' | 'obstacle') => {
  const backup = `${account.home}-backup`
  cpSync(account.home, backup, { recursive: true, preserveTimestamps: true })
  after(() => rmSync(backup, { recursive: true, force: true }))
  return {
    alter: async (mode: string) => {
      if (mode === 'inspect') return inspected
      if (mode === 'upgrade_database') {
        sh('echo upgraded >tables')(account)
        if (fault === 'database') throw ScriptFailed('WordPress: no such table')
        return { version: 2 }
      }
      sh(`echo 2 >${probe}; echo changed >tables`)(account)
      if (fault === 'script') throw ScriptFailed('WordPress: no space')
      if (fault === 'obstacle') sh(`rm ${mark}; mkdir ${mark}`)(account)
      return { versions: ['2.0'] }
    },
    rewind: async () => {
      sh('rm -rf sites/a.test sites/.hostreeve-rewind-7*')(account)
      cpSync(`${backup}/sites`, `${account.home}/sites`, { recursive: true })
      cpSync(`${backup}/tables`, `${account.home}/tables`)
      asOwnedBy(account)
    },
  }
}
const asOwnedBy = ({ home, uid: owner }: Account) => execFileSync('chown', ['-R', `${owner}:${owner}`, home])

interface Faults {
  readonly fault?: string
  readonly script?: 'script' | 'database' | 'obstacle'
  readonly visit?: () => void
}

const openAlter = (account: Account, door: Door, { fault, script, visit }: Faults = {}) => {
  const on = door(stands.get(account) ?? stands.set(account, stand(account, script)).get(account)!)
  return alterItems({
    ask: ((_place: unknown, mode: string) => on.alter(mode)) as unknown as AskWordPress,
    ownerOf: ownerOf(account, door),
    homeOf: async () => account.home,
    deliver: async () => ({ stream: Readable.from([Buffer.from('zip')]), verify: () => {} }),
    rewind: () => on.rewind(),
    faultOf: async () => {
      visit?.()
      return fault
    },
    settle: async () => {},
  })
}
const stands = new Map<Account, ReturnType<typeof stand>>()

const update: AlterArgs = {
  ...{
    ...place,
    id: 7,
    action: 'update',
    checksSite: true,
    backup: 'before-restore-1',
    mark: 'one',
    isBackupComplete: true,
  },
  items: [
    {
      kind: 'plugin',
      name: 'probe/probe.php',
      former_version: '1.0',
      source: { kind: 'url', url: 'https://a.test/p.zip', sha256: null },
    },
  ],
}

const core: AlterArgs = {
  ...update,
  items: [
    {
      kind: 'core',
      name: 'WordPress',
      former_version: '1.0',
      source: { kind: 'url', url: 'https://a.test/wp.zip', sha256: null, version: '2.0' },
    },
  ],
}
const altered = (tables: string) =>
  [
    ...[...site, `${probe} 2`, 'sites/a.test/.hostreeve-wordpress/'],
    ...['sites/a.test/.hostreeve-wordpress/change.json', `tables ${tables}`],
  ].toSorted()

proveStep<Account>('wordpress.alter-items', {
  skip,
  machine,
  open: (account, door) => openAlter(account, door),
  look,
  withoutHandEdit: 'what is edited meanwhile goes back with the website',
  cases: {
    'an update': {
      args: { ...update },
      wanted: altered('changed'),
      returns: {
        items: [{ kind: 'plugin', name: 'probe/probe.php', former_version: '1.0', version: '2.0' }],
      },
    },
    'an update of WordPress itself': {
      args: { ...core },
      wanted: altered('upgraded'),
      returns: { items: [{ kind: 'core', name: 'WordPress', former_version: '1.0', version: '2.0' }] },
    },
  },
})

const fresh = { hadFolder: false }

describe('an update of WordPress', { skip }, () => {
  for (const [title, faults, message] of [
    ['after which the website fails', { fault: 'a.test/ answered 500' }, /^a\.test\/ answered 500$/],
    ['that WordPress refuses', { script: 'script' }, /^WordPress: no space$/],
  ] as const)
    it(`${title} is taken back, with its tables`, async () => {
      const account = machine()
      const before = look(account)
      const kind = openAlter(account, (thing) => thing, faults)
      await assert.rejects(kind.act(update, stepRun(fresh)), (error) => {
        assert.ok(error instanceof Problem && error.kind === UpdateFailed)
        assert.match(error.message, message)
        return true
      })
      assert.equal(await kind.check(update, fresh), 'other')
      await kind.undo(update, fresh)
      assert.deepEqual(look(account), before)
      assert.equal(await kind.check(update, fresh), 'before')
    })

  it('itself is taken back, with its tables, if its database cannot be upgraded', async () => {
    const account = machine()
    const before = look(account)
    const kind = openAlter(account, (thing) => thing, { script: 'database' })
    await assert.rejects(kind.act(core, stepRun(fresh)), /^Problem: WordPress: no such table$/)
    await kind.undo(core, fresh)
    assert.deepEqual(look(account), before)
  })

  it('is taken back although something is in the place of its mark', async () => {
    const account = machine()
    const before = look(account)
    const kind = openAlter(account, (thing) => thing, { script: 'obstacle' })
    await assert.rejects(kind.act(update, stepRun(fresh)), /change\.json/)
    assert.equal(await kind.check(update, fresh), 'other')
    await kind.undo(update, fresh)
    assert.deepEqual(look(account), before)
  })

  it('does not begin where something is in the place of its mark', async () => {
    const account = machine()
    sh(`mkdir -p ${mark}`)(account)
    await assert.rejects(async () => openAlter(account, (thing) => thing).observe(update), /change\.json/)
  })

  it('is visited once its kept pages have new keys', async () => {
    const account = machine()
    const generation = join(account.home, 'sites/a.test/.hostreeve-page-cache')
    sh('printf . >sites/a.test/.hostreeve-page-cache')(account)
    const seen: string[] = []
    const visit = () => void seen.push(readFileSync(generation, 'utf8'))
    const kind = openAlter(account, (thing) => thing, { visit })
    await kind.act({ ...update, isCached: true }, stepRun(fresh))
    assert.match(seen.join(' '), /^\.[0-9a-f]{8}$/)
  })

  it('changes nothing where the archive is not what it must be', async () => {
    const account = machine()
    const before = look(account)
    stands.set(account, {
      ...stand(account),
      alter: async () =>
        ({ version: '0.9', fault: 'has WordPress 0.9, which is older than 1.0', is_locked: false }) as never,
    })
    const kind = openAlter(account, (thing) => thing)
    await assert.rejects(kind.act(core, stepRun(fresh)), (error) => {
      assert.ok(error instanceof Problem && error.kind === PackageWrong)
      return true
    })
    await kind.undo(core, fresh)
    assert.deepEqual(look(account), before)
  })

  for (const [title, killed] of [
    ['between its renames', 'mkdir $at; cp -r sites/a.test $at/site; mv sites/a.test $at/former'],
    [
      'before it has cleared up',
      'mkdir $at; mv sites/a.test $at/former; cp -r $at/former sites/a.test; rm -r sites/a.test/.hostreeve-wordpress',
    ],
    ['while it unpacks, the folder being lost', 'mkdir $at-new; rm -r sites/a.test'],
  ] as const)
    it(`is taken back although the panel was killed doing so, ${title}`, async () => {
      const account = machine()
      const before = look(account)
      const kind = openAlter(account, (thing) => thing, { fault: 'a.test/ answered 500' })
      await assert.rejects(kind.act(update, stepRun(fresh)))
      sh(`at=sites/.hostreeve-rewind-7; ${killed}`)(account)
      assert.equal(await kind.check(update, fresh), 'other')
      await kind.undo(update, fresh)
      assert.deepEqual(look(account), before)
      assert.equal(await kind.check(update, fresh), 'before')
    })

  it('is refused, before it changes anything, with a backup that lacks files', async () => {
    const account = machine()
    const before = look(account)
    const kind = openAlter(account, (thing) => thing)
    const incomplete = { ...update, isBackupComplete: false }
    await assert.rejects(kind.act(incomplete, stepRun(fresh)), (error) => {
      assert.ok(error instanceof Problem && error.kind === BackupIncomplete, String(error))
      assert.match(error.message, /^a\.test has files that ann cannot read/)
      return true
    })
    assert.deepEqual(look(account), before)
  })

  it('takes nothing back that another change has done', async () => {
    const account = machine()
    const kind = openAlter(account, (thing) => thing)
    await kind.act(update, stepRun(fresh))
    const done = look(account)
    await kind.undo({ ...update, mark: 'two' }, fresh)
    assert.deepEqual(look(account), done)
  })
})

const config = 'sites/a.test/public/wp-config.php'
const text = (value: string) =>
  `<?php\\ndefine("DISALLOW_FILE_EDIT", ${value});\\nrequire_once ABSPATH . "wp-settings.php";\\n`
const arrangeConfig = (value: string) => sh(`printf '${text(value)}' >${config}; chmod 600 ${config}`)
const withConfig = (value: string) =>
  [...site, `${probe} 1`, 'tables rows', `${config} ${text(value).replaceAll('\\n', '\n').trim()}`].toSorted()

const openEditing = (account: Account, door: Door, refusal?: string) =>
  setFileEditing({ ownerOf: ownerOf(account, door), lint: async () => refusal })

proveStep<Account>('wordpress.set-file-editing', {
  skip,
  machine,
  open: (account, door) => openEditing(account, door),
  look,
  cases: {
    'a constant that is set': {
      args: { ...place, isForbidden: true },
      arrange: arrangeConfig('false'),
      wanted: withConfig('true'),
      handEdit: sh(`echo '// DISALLOW_FILE_EDIT' >>${config}`),
      refusedAfter: sh(`echo '// DISALLOW_FILE_EDIT' >>${config}`),
    },
  },
})

describe('the configuration of WordPress', { skip }, () => {
  it('stays if PHP refuses the new text, and keeps its mode otherwise', async () => {
    const account = machine()
    arrangeConfig('true')(account)
    const args = { ...place, isForbidden: false }
    const refusing = openEditing(account, (thing) => thing, 'Parse error')
    await assert.rejects(refusing.act(args, stepRun(await refusing.observe(args))), (error) => {
      assert.ok(error instanceof Problem && error.kind === ConfigUnclear)
      return true
    })
    assert.deepEqual(look(account), withConfig('true'))
    const kind = openEditing(account, (thing) => thing)
    await kind.act(args, stepRun(await kind.observe(args)))
    assert.deepEqual(look(account), withConfig('false'))
    assert.equal(statSync(join(account.home, config)).mode & 0o777, 0o600)
  })
})

const folder = 'sites/a.test/public/wp-content/mu-plugins'
const link = { user: 'admin', sha256: 'a'.repeat(64), expires: 1_800_000_000 }

proveStep<Account>('wordpress.write-sign-in', {
  skip,
  machine,
  open: (account, door) => writeSignIn({ ownerOf: ownerOf(account, door) }),
  look,
  cases: {
    'a first link': {
      args: { username: 'ann', domain: 'a.test', ...link },
      wanted: [
        ...[...site, `${probe} 1`, 'tables rows', `${folder}/`, 'sites/a.test/.hostreeve-wordpress/'],
        `${folder}/hostreeve-sign-in.php ${signInPlugin.trim()}`,
        `sites/a.test/.hostreeve-wordpress/sign-in.json ${JSON.stringify(link)}`,
      ].toSorted(),
      handEdit: sh(`mkdir -p ${folder}; echo mine >${folder}/hostreeve-sign-in.php`),
    },
  },
})

describe('a link', { skip }, () => {
  it('can be read by the owner alone', async () => {
    const account = machine()
    const kind = writeSignIn({ ownerOf: ownerOf(account, (thing) => thing) })
    const args = { username: 'ann', domain: 'a.test', ...link }
    await kind.act(args, stepRun(await kind.observe(args)))
    const path = join(account.home, 'sites/a.test/.hostreeve-wordpress/sign-in.json')
    assert.equal(statSync(path).mode & 0o777, 0o600)
  })
})
