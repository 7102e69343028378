import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { stepRun } from '../../../test/support/step-run.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptAccounts, type ScriptedAccount, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { type Script, scriptedRun } from '../../host/testing/scripted-run.ts'
import { makeAccount } from './account.ts'
import { accountName, directory, programPath, serviceName, tokenPath, unitPath } from './layout.ts'
import { placeProgram } from './place-program.ts'
import { readProcess } from './processes.ts'
import { removeProgram } from './remove-program.ts'
import { switchProcess } from './switch-process.ts'

interface Machine {
  readonly root: string
  readonly host: Host
  readonly accounts: Map<string, ScriptedAccount>
  readonly service: { isActive: boolean; isEnabled: boolean }
  /** The gateway as PM2 has it. */
  readonly gateway: { status: string; startedAt: number }
}

const uid = process.getuid?.() ?? 0

function machineOf(root: string, hasAccount = true): Machine {
  const accounts = new Map<string, ScriptedAccount>(hasAccount ? [[accountName, { uid }]] : [])
  const service = { isActive: false, isEnabled: false }
  const gateway = { status: 'online', startedAt: 1000 }
  const asPm2: Script = ([, program = '', ...args]) => {
    if (!program.endsWith('/pm2/bin/pm2')) return undefined
    if (args.includes('jlist')) return { stdout: JSON.stringify([listed(gateway)]) }
    if (args[0] === 'stop') gateway.status = 'stopped'
    if (args[0] === 'restart') Object.assign(gateway, { status: 'online', startedAt: 2000 })
    return { stdout: `[PM2] ${args.join(' ')}\n` }
  }
  const services = new Map([[serviceName, service]])
  const { run } = scriptedRun(asPm2, scriptAccounts(accounts), scriptSystemd(services))
  mkdirSync(`${root}/run/systemd/system`, { recursive: true })
  mkdirSync(`${root}/etc/systemd/system`, { recursive: true })
  const modules = `${root}/usr/lib/node_modules/pm2`
  mkdirSync(modules, { recursive: true })
  writeFileSync(`${modules}/package.json`, '{"version":"7.0.4"}')
  return { root, accounts, service, gateway, host: openHost({ root, run }) }
}

const listed = ({ status, startedAt }: Machine['gateway']) => ({
  name: 'partner-gateway',
  pm_id: 0,
  monit: { memory: 1, cpu: 0 },
  pm2_env: { status, pm_uptime: startedAt, restart_time: 0, env: { SECRET: 'x' } },
})

const install = async (machine: Machine) => {
  await machine.host.files.makeDirectory(directory)
  await machine.host.files.write(tokenPath, 'former')
  await machine.host.files.write(unitPath, '[Unit]\n')
  Object.assign(machine.service, { isActive: true, isEnabled: true })
}

const treeOf = ({ root }: Machine): readonly string[] => [
  ...(existsSync(root + unitPath) ? ['the unit'] : []),
  ...(existsSync(root + directory) ? readdirSync(root + directory).toSorted() : []),
]

const content = 'console.log(1)\n'
const placed = {
  version: '1.0.0',
  url: 'https://partner.test/gateway.mjs',
  sha256: createHash('sha256').update(content).digest('hex'),
  may_be_internal: false,
  token: 'the token',
  api_url: 'https://partner.test',
}

const fetchOf = (text: string): Host['fetch'] => {
  const refused = () => Promise.reject(new Error('only the program is fetched'))
  const bytes = Buffer.from(text)
  const open = async () => ({
    stream: Readable.from([bytes]),
    offset: 0,
    sizeBytes: bytes.length,
    validator: undefined,
  })
  return { open, post: refused, exchange: refused, stream: refused, peer: refused, readKey: refused }
}

proveStep<Machine>('pm2.make-account', {
  machine: (t) => machineOf(scratchRoot(t), false),
  open: ({ host }, door) => makeAccount({ accounts: door(host.accounts), run: door({ run: host.run }).run }),
  look: ({ accounts }) => [...accounts.keys()],
  cases: { 'a host without it': { args: null, wanted: [accountName] } },
  withoutHandEdit: 'An account of this name is the one that is wanted',
})

proveStep<Machine>('pm2.place-program', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) => {
    const { accounts } = host
    return placeProgram({
      accounts,
      fetch: fetchOf(content),
      files: door(host.files),
      services: door(host.services),
    })
  },
  look: treeOf,
  cases: {
    'a first one': { args: placed, wanted: ['the unit', 'apps.json', 'gateway.mjs', 'home', 'token'] },
  },
  withoutHandEdit: 'Only the panel writes there',
})

proveStep<Machine>('pm2.switch-service', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) =>
    serviceStep(serviceOf(door(host.services), serviceName), {
      name: 'pm2.switch-service',
      title: 'PM2 with the gateway',
      reloads: serviceName,
    }),
  look: ({ service }) => ({ ...service }),
  cases: {
    started: { args: { verb: 'start' }, wanted: { isActive: true, isEnabled: false } },
    enabled: { args: { verb: 'enable' }, wanted: { isActive: false, isEnabled: true } },
  },
  withoutHandEdit: 'it starts a program: there is nothing to edit',
})

proveStep<Machine>('pm2.switch-process', {
  machine: async (t) => {
    const machine = machineOf(scratchRoot(t))
    await install(machine)
    return machine
  },
  open: ({ host }, door) => switchProcess(door(host)),
  look: ({ gateway, service }) => ({ ...gateway, runs: service.isActive }),
  cases: {
    restarted: {
      args: { verb: 'restart' },
      wanted: { status: 'online', startedAt: 2000, runs: true },
      returns: { output: '[PM2] restart partner-gateway' },
    },
    stopped: {
      args: { verb: 'stop' },
      wanted: { status: 'stopped', startedAt: 1000, runs: true },
      returns: { output: '[PM2] stop partner-gateway' },
    },
  },
  withoutHandEdit: 'the step is final',
})

proveStep<Machine>('pm2.remove-program', {
  machine: async (t) => {
    const machine = machineOf(scratchRoot(t))
    await install(machine)
    return machine
  },
  open: ({ host }, door) => removeProgram(door(host)),
  look: (machine) => [...treeOf(machine), { ...machine.service }, [...machine.accounts.keys()]],
  cases: { 'one that runs': { args: null, wanted: [{ isActive: false, isEnabled: false }, []] } },
  withoutHandEdit: 'the step is final',
})

test('a program with another SHA-256 is not placed', async (t) => {
  const machine = machineOf(scratchRoot(t))
  const { accounts, files, services } = machine.host
  const kind = placeProgram({ accounts, files, services, fetch: fetchOf('something else') })
  await assert.rejects(kind.act(placed, stepRun(null)), /SHA-256/)
  assert.ok(!existsSync(machine.root + programPath))
})

test('the service starts the program as its account, and its list has no secret', async (t) => {
  const machine = machineOf(scratchRoot(t))
  const { accounts, files, services } = machine.host
  await placeProgram({ accounts, files, services, fetch: fetchOf(content) }).act(placed, stepRun(null))
  const unit = readFileSync(machine.root + unitPath, 'utf8')
  assert.match(unit, /^ExecStart=".+" "\/usr\/lib\/node_modules\/pm2\/bin\/pm2" start .*\/apps\.json$/m)
  assert.match(unit, new RegExp(`^User=${accountName}$`, 'm'))
  assert.doesNotMatch(readFileSync(`${machine.root}${directory}/apps.json`, 'utf8'), /the token/)
})

test('the environment of a process is left out', async (t) => {
  const machine = machineOf(scratchRoot(t))
  assert.equal(await readProcess(machine.host), undefined)
  await install(machine)
  assert.deepEqual(await readProcess(machine.host), {
    id: 0,
    status: 'online',
    startedAt: 1000,
    restarts: 0,
    memoryBytes: 1,
    cpuPercent: 0,
  })
})
