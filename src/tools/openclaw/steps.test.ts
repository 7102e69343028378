import assert from 'node:assert/strict'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openAccounts } from '../../host/accounts.ts'
import type { HttpConnection } from '../../host/connect/index.ts'
import { type Files, openFiles } from '../../host/files.ts'
import type { Run } from '../../host/run.ts'
import { openServices, type Services } from '../../host/services.ts'
import { scriptAccounts, type ScriptedAccount, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { makeAccount, removeAccount } from './account.ts'
import { writeCrontab } from './crontab.ts'
import { approvePairing } from './gateway/pairing.ts'
import { type Ask, clearSessions } from './gateway/sessions.ts'
import { awaitReady } from './health.ts'
import {
  accountName,
  configPath,
  environmentPath,
  pendingPath,
  programPath,
  unitPath,
  versionsDirectory,
} from './layout.ts'
import { installRelease, removeRelease } from './release.ts'
import { writeSettings } from './settings-file.ts'
import { restartOnUndo, switchProgram } from './switch-program.ts'
import { type ScriptedPrograms, scriptPrograms } from './testing/scripted-programs.ts'
import { renderUnit, writeUnit } from './unit.ts'
import { writeConfig } from './write-config.ts'

interface Machine {
  readonly files: Files
  readonly accounts: Map<string, ScriptedAccount>
  readonly programs: ScriptedPrograms
  readonly service: { isActive: boolean; isEnabled: boolean }
  readonly run: Run
  readonly services: Services
  /** The conversations, with the number of their messages. */
  readonly sessions: Map<string, number>
  readonly waiting: Set<string>
}

const skip = process.getuid?.() !== 0 && 'only root can give files to root'
const version = '2026.9.6'
const comment = 'Made by Hostreeve'

async function machine(t: Parameters<typeof scratchRoot>[0]): Promise<Machine> {
  const files = openFiles(scratchRoot(t))
  const accounts = new Map<string, ScriptedAccount>()
  const programs = scriptPrograms()
  const service = { isActive: true, isEnabled: true }
  const systemd = scriptSystemd(new Map([['hostreeve-assistant', service]]))
  const scripted = scriptedRun(programs.script, scriptAccounts(accounts, {}), systemd)
  const run: Run = async (argv, options) => {
    const ran = await scripted.run(argv, options)
    if (argv[0] === 'useradd' && ran.code === 0) await files.makeDirectory(`/home/${argv.at(-1)}`)
    if (argv[0] === 'userdel' && argv.includes('--remove')) await files.removeTree(`/home/${argv.at(-1)}`)
    return ran
  }
  await files.makeDirectory('/run/systemd/system')
  const sessions = new Map([
    ['agent:main:main', 3],
    ['agent:main:other', 1],
  ])
  const services = openServices(run, files)
  return { files, accounts, programs, service, run, services, sessions, waiting: new Set(['req-1']) }
}

const hostOf = ({ files, run }: Machine, door: <Thing extends object>(thing: Thing) => Thing) => {
  const watched = { files: door(files), run: door(run) }
  return { ...watched, accounts: openAccounts(watched.run, watched.files) }
}
const withAccount = ({ accounts, files }: Machine) => {
  accounts.set(accountName, { uid: 1500, comment })
  return files.makeDirectory(`/home/${accountName}`)
}
const names = ({ accounts }: Machine) => [...accounts.keys()]

proveStep<Machine>('openclaw.make-account', {
  machine,
  open: (on, door) => makeAccount(hostOf(on, door).accounts),
  look: names,
  withoutHandEdit: 'an account of the panel with this name is the one that is wanted',
  skip,
  cases: {
    'a host without it': {
      args: null,
      wanted: [accountName],
      refusedAfter: ({ accounts }) => accounts.set(accountName, { uid: 1500, comment: 'Ai Weiwei' }),
    },
    'a host that has it': { args: null, arrange: withAccount, wanted: [accountName] },
  },
})

proveStep<Machine>('openclaw.remove-account', {
  machine,
  open: (on, door) => removeAccount(hostOf(on, door).accounts),
  look: names,
  withoutHandEdit: 'the step is final',
  skip,
  cases: { 'an account with a home': { args: null, arrange: withAccount, wanted: [] } },
})

const versions = async ({ files }: Machine) => {
  assert.equal(await files.facts(pendingPath(version)), undefined, 'OpenClaw does not start')
  return files.list(versionsDirectory)
}
const withVersion = ({ files }: Machine) =>
  files
    .makeDirectory(programPath(version).replace(/\/[^/]+$/, ''))
    .then(() => files.write(programPath(version), ''))

proveStep<Machine>('openclaw.install-release', {
  machine,
  open: (on, door) => installRelease(hostOf(on, door)),
  look: versions,
  withoutHandEdit: 'only the panel writes the directory',
  cases: {
    'the first version': { args: { version }, wanted: [version] },
    'a version that is there': { args: { version }, arrange: withVersion, wanted: [version] },
  },
})

proveStep<Machine>('openclaw.remove-release', {
  machine,
  open: (on, door) => removeRelease(hostOf(on, door)),
  look: versions,
  withoutHandEdit: 'the step is final',
  cases: { 'a version': { args: { version }, arrange: withVersion, wanted: [] } },
})

const unitDirectory = ({ files }: Machine) => files.makeDirectory('/etc/systemd/system')

proveStep<Machine>('openclaw.write-unit', {
  machine,
  open: (on, door) => writeUnit({ files: door(on.files), services: door(on.services) }),
  look: ({ files }) => files.read(unitPath),
  cases: {
    'a first unit': {
      args: { version },
      arrange: unitDirectory,
      wanted: renderUnit(version),
      handEdit: ({ files }) => files.write(unitPath, '# by hand\n'),
    },
    'no unit': {
      args: { version: null },
      arrange: async (on) => {
        await unitDirectory(on)
        await on.files.write(unitPath, renderUnit(version))
      },
      wanted: undefined,
    },
  },
})

const settingsFolder = async (on: Machine) => {
  await withAccount(on)
  await on.files.makeDirectory('/etc/hostreeve-assistant')
}

proveStep<Machine>('openclaw.write-settings', {
  machine,
  open: (on, door) => writeSettings(hostOf(on, door)),
  look: ({ files }) => files.read(environmentPath),
  skip,
  cases: {
    'first secrets': {
      args: { file: 'environment', content: "A='b'\n" },
      arrange: settingsFolder,
      wanted: "A='b'\n",
      handEdit: ({ files }) => files.write(environmentPath, "C='d'\n"),
    },
    'no secrets': {
      args: { file: 'environment', content: null },
      arrange: async (on) => {
        await settingsFolder(on)
        await on.files.write(environmentPath, "A='b'\n")
      },
      wanted: undefined,
    },
  },
})

const configured = async (on: Machine) => {
  await settingsFolder(on)
  await unitDirectory(on)
  await on.files.write(unitPath, renderUnit(version))
  await on.files.write(configPath, '{ "a": 1 }\n')
}

proveStep<Machine>('openclaw.write-config', {
  machine,
  open: (on, door) => writeConfig(hostOf(on, door)),
  look: ({ files }) => files.read(configPath),
  skip,
  cases: {
    'another configuration': {
      args: { content: '{ "a": 2 }\n' },
      arrange: configured,
      wanted: '{ "a": 2 }\n',
      handEdit: ({ files }) => files.write(configPath, '{ "a": 3 }\n'),
      refusedAfter: ({ programs }) => void (programs.issues = [{ path: 'a', message: 'is unknown' }]),
    },
    'no configuration': { args: { content: null }, arrange: configured, wanted: undefined },
  },
})

proveStep<Machine>('openclaw.write-crontab', {
  machine,
  open: (on, door) => writeCrontab(hostOf(on, door)),
  look: ({ programs }) => programs.crontab,
  cases: {
    'a first crontab': {
      args: { text: '@daily true\n' },
      wanted: '@daily true\n',
      handEdit: ({ programs }) => void (programs.crontab = '@hourly true\n'),
    },
    'no crontab': {
      args: { text: null },
      arrange: ({ programs }) => void (programs.crontab = '@hourly true\n'),
      wanted: undefined,
    },
  },
})

proveStep<Machine>('openclaw.switch-program', {
  machine,
  open: ({ services }, door) => switchProgram(door(services)),
  look: ({ service }) => service.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: { stopped: { args: { verb: 'stop' }, wanted: false } },
})

proveStep<Machine>('openclaw.restart-on-undo', {
  machine,
  open: ({ services }, door) => restartOnUndo(door(services)),
  look: ({ service }) => service.isActive,
  withoutHandEdit: 'its act changes nothing',
  cases: { 'a gateway that runs': { args: null, wanted: true } },
})

const never = () => Promise.reject(new Error('only probes are sent'))
const answering: HttpConnection = {
  send: async () => ({ status: 200, body: { ok: true } }),
  stream: never,
  upgrade: never,
}

proveStep<Machine>('openclaw.await-ready', {
  machine,
  open: (_on, door) => awaitReady(door(answering)),
  look: () => null,
  withoutHandEdit: 'it changes nothing',
  cases: { 'a gateway that is ready': { args: null, wanted: null } },
})

/** The gateway, as its methods answer. */
const askOf =
  ({ sessions, waiting }: Machine): Ask =>
  async (method, params = {}) => {
    const { key, requestId } = { key: '', requestId: '', ...params }
    if (method === 'sessions.list') return { sessions: [...sessions.keys()].map((each) => ({ key: each })) }
    if (method === 'sessions.reset') sessions.set(key, 0)
    if (method === 'sessions.delete') sessions.delete(key)
    if (method === 'channels.pairing.list')
      return { requests: [...waiting].map((each) => ({ requestId: each })) }
    if (method === 'channels.pairing.approve') waiting.delete(requestId)
    return {}
  }

proveStep<Machine>('openclaw.clear-sessions', {
  machine,
  open: (on, door) => clearSessions(door(askOf(on))),
  look: ({ sessions }) => [...sessions],
  withoutHandEdit: 'the step is final',
  cases: {
    'all of them': { args: { key: null }, wanted: [['agent:main:main', 0]] },
    'one of them': {
      args: { key: 'agent:main:other' },
      wanted: [
        ['agent:main:main', 3],
        ['agent:main:other', 0],
      ],
    },
  },
})

proveStep<Machine>('openclaw.approve-pairing', {
  machine,
  open: (on, door) => approvePairing(door(askOf(on))),
  look: ({ waiting }) => [...waiting],
  withoutHandEdit: 'the step is final',
  cases: {
    'a sender that waits': {
      args: { channel: 'telegram', account: 'default', request: 'req-1' },
      wanted: [],
      refusedAfter: ({ waiting }) => void waiting.clear(),
    },
  },
})
