import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../host/files.ts'
import type { Run } from '../../host/run.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { admitMarked } from './admit-marked.ts'
import { fillSet6, hasRuntimeRules } from './firewall-cmd.ts'
import {
  placeFirewalld,
  scriptFirewalld,
  type StandInFirewalld,
  standInFirewalld,
} from './testing/stand-in.ts'

interface Machine {
  readonly root: string
  readonly files: Files
  readonly run: Run
  readonly firewalld: StandInFirewalld
}

const policyFile = '/etc/firewalld/policies/hostreeve.xml'
const rules = ['rule source ipset="hostreeve" accept', 'rule source ipset="hostreeve6" accept']
const skip = process.getuid?.() !== 0 && 'only root can give files to root'

function machine(root: string): Machine {
  placeFirewalld(root)
  const firewalld = standInFirewalld()
  const path = `${root}${policyFile}`
  const read = () => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
  const { run } = scriptedRun(scriptFirewalld(firewalld, read))
  return { root, files: openFiles(root), run, firewalld }
}

async function set({ files, run }: Machine, isAdmitted: boolean): Promise<void> {
  const kind = admitMarked({ files, run })
  await kind.act({ isAdmitted }, stepRun(await kind.observe({ isAdmitted })))
}

const look = async ({ files, firewalld }: Machine) => [
  await Promise.all(['ipsets', 'policies'].map(async (kind) => await files.list(`/etc/firewalld/${kind}`))),
  await files.list('/etc/systemd/system/firewalld.service.d'),
  firewalld.loaded ?? [],
]
const makeFolders = async ({ files }: Machine) => {
  for (const folder of ['firewalld/ipsets', 'firewalld/policies', 'systemd/system/firewalld.service.d'])
    await files.makeDirectory(`/etc/${folder}`)
}

proveStep<Machine>('firewalld.admit-marked', {
  skip,
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => admitMarked({ files: door(files), run: door(run) }),
  look,
  withoutHandEdit: 'the files belong to the panel',
  cases: {
    'a policy': {
      arrange: makeFolders,
      args: { isAdmitted: true },
      wanted: [[['hostreeve.xml', 'hostreeve6.xml'], ['hostreeve.xml']], ['hostreeve.conf'], rules],
    },
    'no policy any more': {
      arrange: (on) => set(on, true),
      args: { isAdmitted: false },
      wanted: [[[], []], [], []],
    },
  },
})

test('reloads firewalld once, and not where that would lose rules of others', { skip }, async (t) => {
  const on = machine(scratchRoot(t))
  const { firewalld } = on
  await set(on, true)
  await set(on, true)
  assert.deepEqual([firewalld.reloads, firewalld.hasElements6], [1, true])
  firewalld.runtimeRule = '99/tcp'
  await set(on, false)
  assert.deepEqual([firewalld.reloads, firewalld.loaded, firewalld.runtimeRule], [1, [], '99/tcp'])
  assert.equal(await on.files.read(policyFile), undefined)
  await set(on, true)
  assert.deepEqual([firewalld.reloads, firewalld.loaded], [1, rules])
  firewalld.runtimeRule = ''
  await set(on, false)
  assert.deepEqual([firewalld.reloads, firewalld.loaded], [2, undefined])
})

test(
  'writes the files alone where firewalld does not run, and quotes it where it refuses',
  { skip },
  async (t) => {
    const on = machine(scratchRoot(t))
    on.firewalld.isActive = false
    await set(on, true)
    assert.match((await on.files.read(policyFile)) ?? '', /priority="-32768"/)
    assert.equal(on.firewalld.reloads, 0)
    on.firewalld.isActive = true
    on.firewalld.refusal = 'Error: COMMAND_FAILED'
    await assert.rejects(set(on, true), /COMMAND_FAILED/)
  },
)

test('tells rules that are not permanent from the states of zones', async (t) => {
  const { run, firewalld } = machine(scratchRoot(t))
  assert.equal(await hasRuntimeRules({ run }), false)
  firewalld.runtimeRule = '99/tcp'
  assert.equal(await hasRuntimeRules({ run }), true)
})

test('adds the IPv6 elements that a reload has lost, where there is the set', async (t) => {
  const { run, firewalld } = machine(scratchRoot(t))
  await fillSet6({ run })
  assert.equal(firewalld.hasElements6, false)
  firewalld.loaded = [...rules]
  await fillSet6({ run })
  assert.equal(firewalld.hasElements6, true)
})
