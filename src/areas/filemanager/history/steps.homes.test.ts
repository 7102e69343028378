import { readFileSync } from 'node:fs'
import { after, type TestContext } from 'node:test'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { openStore, type Store } from '../../../store/store.ts'
import type { Users } from '../../users/index.ts'
import { type Home, makeHome, openHome, removeHome, skip } from '../steps/testing/home.ts'
import type { Files } from '../named-files.ts'
import { openHistory } from './open.ts'
import { historySteps } from './steps.ts'
import { migrations } from './testing/tables.ts'

after(removeHome)

interface Machine {
  readonly home: Home
  readonly store: Store
  readonly dataDir: string
  latest?: number
}

const stores: Store[] = []
after(() => Promise.all(stores.map((store) => store.close())))
const machine = async (t: TestContext): Promise<Machine> => {
  const store = await openStore({ now: new Date(), migrations })
  stores.push(store)
  return { home: makeHome(), store, dataDir: scratchRoot(t) }
}
const users = {
  queries: { byId: async () => undefined, byUsername: async () => undefined },
} as unknown as Users
const log = { info: () => {}, warn: () => {}, error: () => {} }
const settings = {
  version: '0',
  firstAdmin: { email: '', password: undefined },
  homeRoot: '/home',
  configuration: { path: '/nonexistent/config.toml', environment: {}, running: {} },
}

function open({ home, store, dataDir }: Machine, door: Stoppable['door']) {
  const { owner } = openHome(home, door)
  const filesOf = async (username: string): Promise<Files> => ({ username, userId: 1, owner })
  return { ...openHistory({ store, settings: { ...settings, dataDir }, users, log, filesOf }), filesOf }
}
const path = { field: 'path', path: 'a' }
const versions = ({ store }: Machine) => store.db.selectFrom('file_versions').select('id').execute()
const write = (content: string) => async (machine: Machine) => {
  const by = { username: 'alice', path, by: 1, through: 'write' as const, content: Buffer.from(content) }
  await open(machine, (thing) => thing).recorder.replacing(by, (owner) =>
    owner.write(path, Buffer.from(content)),
  )
  machine.latest = (await versions(machine)).at(-1)?.id
}
const look = async (machine: Machine) => ({
  content: readFileSync(`${machine.home.home}/a`, 'utf8'),
  versions: (await versions(machine)).length,
})
const twice = async (machine: Machine) => {
  await write('one')(machine)
  await write('two')(machine)
}

proveStep<Machine>('filemanager.restore-version', {
  skip,
  machine,
  look,
  open: (machine, door) => historySteps(open(machine, door)).restoreVersion,
  withoutHandEdit: 'its undo takes nothing back',
  cases: {
    'the one before': {
      args: ({ latest }) => ({ username: 'alice', path, id: latest, by: 1 }),
      arrange: twice,
      repeats: 'it keeps what it replaces',
      wanted: { content: 'one', versions: 2 },
    },
  },
})

proveStep<Machine>('filemanager.clear-history', {
  skip,
  machine,
  look,
  open: (machine, door) => {
    const { history, recorder } = open(machine, (thing) => thing)
    const filesOf = async (username: string): Promise<Files> => ({
      username,
      userId: 1,
      owner: openHome(machine.home, door).owner,
    })
    return historySteps({ history: door(history), recorder, filesOf }).clearHistory
  },
  withoutHandEdit: 'final',
  cases: {
    'of a file': {
      args: { username: 'alice', path },
      arrange: twice,
      wanted: { content: 'two', versions: 0 },
    },
  },
})
