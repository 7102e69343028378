import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { phpmyadminArchive } from '../../../test/support/phpmyadmin.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptAccounts, type ScriptedAccount } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { makeAccount } from './account.ts'
import { writeConfiguration } from './configuration.ts'
import { accountName, applicationDirectory, configurationPath, directory, tokensDirectory } from './layout.ts'
import { removeRelease } from './remove.ts'
import { writeToken } from './tokens.ts'
import { unpackRelease } from './unpack.ts'

interface Machine {
  readonly root: string
  readonly host: Host
  readonly accounts: Map<string, ScriptedAccount>
}

const uid = process.getuid?.() ?? 0

function machineOf(root: string, names: readonly string[]): Machine {
  const accounts = new Map<string, ScriptedAccount>(names.map((name) => [name, { uid }]))
  return { root, accounts, host: openHost({ root, run: scriptedRun(scriptAccounts(accounts)).run }) }
}

const treeOf = ({ root }: Machine, folder = directory): readonly string[] =>
  existsSync(root + folder)
    ? readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => !/hostreeve-new/.test(name))
        .toSorted()
    : ['nothing']

const version = '5.2.1'
const archive = phpmyadminArchive(version)
const release = {
  version,
  sha256: createHash('sha256').update(archive).digest('hex'),
  bases: ['http://source.test'],
}
const unpacked = treeNames(`versions/${version}/phpMyAdmin-${version}-all-languages`)

function treeNames(inner: string): readonly string[] {
  const deep = Array.from(
    { length: 5 },
    (_value, at) =>
      `vendor/${Array(at + 1)
        .fill('a-package-of-phpmyadmin')
        .join('/')}`,
  )
  const names = [
    'README',
    'config.inc.php',
    'index.php',
    'libraries',
    'libraries/secret.php',
    'signon.php',
    'vendor',
    ...deep,
  ]
  const folders = ['versions', `versions/${version}`, inner]
  return [...folders, ...[...names, `${deep.at(-1)}/class.php`].map((name) => `${inner}/${name}`)].toSorted()
}

proveStep<Machine>('phpmyadmin.unpack', {
  machine: (t) => machineOf(scratchRoot(t), []),
  open: ({ host }, door) => {
    const refused = () => Promise.reject(new Error('only the archive is fetched'))
    const open = async () => ({
      stream: Readable.from([archive]),
      offset: 0,
      sizeBytes: archive.length,
      validator: undefined,
    })
    const fetch = { open, post: refused, exchange: refused, stream: refused, peer: refused, readKey: refused }
    return unpackRelease({ fetch, files: door(host.files), releases: door(host.releases) })
  },
  look: (machine) => treeOf(machine),
  cases: { 'the first version': { args: release, wanted: unpacked } },
  withoutHandEdit: 'Only the panel writes the directory',
})

proveStep<Machine>('phpmyadmin.remove-release', {
  machine: async (t) => {
    const machine = machineOf(scratchRoot(t), [])
    await machine.host.files.makeDirectory(applicationDirectory(version))
    await machine.host.files.write(`${applicationDirectory(version)}/signon.php`, '')
    return machine
  },
  open: ({ host }, door) => removeRelease({ files: door(host.files), releases: door(host.releases) }),
  look: (machine) => treeOf(machine),
  cases: { 'a version': { args: { version }, wanted: ['versions'] } },
  withoutHandEdit: 'The step is final',
})

proveStep<Machine>('phpmyadmin.make-account', {
  machine: (t) => machineOf(scratchRoot(t), []),
  open: ({ host }, door) => makeAccount({ accounts: door(host.accounts), run: door({ run: host.run }).run }),
  look: ({ accounts }) => [...accounts.keys()],
  cases: {
    'a host without it': { args: null, wanted: [accountName] },
    'a host that has it': {
      args: null,
      arrange: ({ accounts }) => accounts.set(accountName, { uid }),
      wanted: [accountName],
    },
  },
  withoutHandEdit: 'An account of this name is the one that is wanted',
})

const secret = 'a'.repeat(32)
const made = ['config.inc.php', 'php', 'php/sessions', 'php/tmp', 'tokens']

proveStep<Machine>('phpmyadmin.write-configuration', {
  machine: async (t) => {
    const machine = machineOf(scratchRoot(t), [accountName])
    await machine.host.files.makeDirectory(directory)
    return machine
  },
  open: ({ host }, door) => writeConfiguration({ accounts: host.accounts, files: door(host.files) }),
  look: (machine) => treeOf(machine),
  cases: {
    'a host without one': {
      args: { secret },
      wanted: made,
      handEdit: ({ root }) => writeFileSync(root + configurationPath, '<?php // mine'),
    },
    'a configuration that was edited': {
      args: { secret },
      arrange: ({ host }) => host.files.write(configurationPath, '<?php // mine'),
      wanted: made,
    },
  },
})

const token = 'b'.repeat(64)

proveStep<Machine>('phpmyadmin.write-token', {
  machine: async (t) => {
    const machine = machineOf(scratchRoot(t), [accountName])
    await machine.host.files.makeDirectory(tokensDirectory)
    return machine
  },
  open: ({ host }, door) => writeToken({ accounts: host.accounts, files: door(host.files) }),
  look: (machine) =>
    treeOf(machine, tokensDirectory).map((name) =>
      name === 'nothing' ? name : readFileSync(`${machine.root}${tokensDirectory}/${name}`, 'utf8'),
    ),
  cases: {
    'an account': {
      args: { token, user: 'root', password: 'of root', expires: 5 },
      wanted: ['{"user":"root","password":"of root","expires":5}'],
      refusedAfter: ({ host }) => host.files.removeTree(tokensDirectory),
    },
  },
  withoutHandEdit: 'The name of the file is drawn for each request',
})
