import type { TestContext } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { type Host, openHost } from '../../host/index.ts'
import { type Script, scriptedRun } from '../../host/testing/scripted-run.ts'
import { applyBalancer } from './apply.ts'
import { type Balancer, emptyBalancer, type Server, storedBalancerIn } from './balancer.ts'
import { dnsdist as dnsdistTool } from './index.ts'
import { balancerPath, consolePath, debianLayout } from './layout.ts'
import { includesOf, openProgram, renderConsole } from './program.ts'
import { renderBalancer } from './render.ts'
import { scriptCheck, standInDnsdist, type StandInDnsdist } from './testing/stand-in.ts'

interface Machine {
  readonly host: Host
  readonly dnsdist: StandInDnsdist
}

const { configPath, directory } = debianLayout
const rulesPath = balancerPath(debianLayout)
const config = `setLocal("127.0.0.1:53")\n${includesOf(debianLayout).join('\n')}\n`
const rulesOf = (balancer: Balancer) => renderBalancer(balancer, directory)

async function makeMachine(t: TestContext): Promise<Machine> {
  const running: { dnsdist?: StandInDnsdist } = {}
  const answer: Script = (argv, options) => running.dnsdist?.console(argv, options)
  const host = openHost({ root: scratchRoot(t), run: scriptedRun(scriptCheck, answer).run })
  await host.files.makeDirectory(directory)
  await host.files.write(configPath, config)
  await host.files.write(rulesPath, rulesOf(emptyBalancer))
  running.dnsdist = standInDnsdist(host.files)
  return { host, dnsdist: running.dnsdist }
}

const open = ({ host, dnsdist: { starter } }: Machine, door: Stoppable['door']) =>
  dnsdistTool.open(
    { ...host, files: door(host.files), run: door(host.run) },
    { layout: debianLayout, starter: door(starter) },
  ).steps

const write = (path: string, text: string) => async (machine: Machine) => machine.host.files.write(path, text)

/** The rules and the configuration, on disk and as served, and the databases that the rules lack. */
async function look({ host: { files }, dnsdist }: Machine) {
  const rules = await files.read(rulesPath)
  const databases = await files.list(directory)
  return {
    files: { config: await files.read(configPath), rules },
    served: dnsdist.served(),
    missing: storedBalancerIn(rules)
      .domainLists.map(({ database }) => database)
      .filter((name) => !databases.includes(name)),
  }
}
const wantedOf = (wanted: { readonly config?: string; readonly balancer?: Balancer }) => {
  const files = { config: wanted.config ?? config, rules: rulesOf(wanted.balancer ?? emptyBalancer) }
  return { files, served: files, missing: [] }
}

const server = (name: string): Server => ({
  name,
  address: '192.0.2.1:53',
  pool: '',
  weight: 1,
  order: 1,
  mode: 'auto',
})
const blocking: Balancer = {
  ...emptyBalancer,
  servers: [server('one')],
  domainLists: [{ name: 'bad', action: 'block', domains: 'bad.test' }],
}
const byHand: Balancer = { ...emptyBalancer, servers: [server('by-hand')] }

const set =
  (balancer: Balancer) =>
  async ({ host, dnsdist: { starter } }: Machine) =>
    applyBalancer({ host, layout: debianLayout, starter, program: openProgram(host, debianLayout) }, balancer)
const giveConsole = ({ host }: Machine) =>
  host.files.write(consolePath(debianLayout), renderConsole({ port: 5199, key: 'k' }))
const stop = ({ dnsdist }: Machine) => dnsdist.starter.act('stop')

proveStep<Machine>('dnsdist.set-balancer', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).setBalancer,
  look,
  cases: {
    'a new server and a new domain list': {
      args: { title: 'Add both', balancer: blocking },
      wanted: wantedOf({ balancer: blocking }),
      handEdit: write(rulesPath, rulesOf(byHand)),
    },
    'a removed domain list': {
      args: { title: 'Remove it', balancer: emptyBalancer },
      arrange: set(blocking),
      wanted: wantedOf({}),
      handEdit: write(rulesPath, rulesOf(byHand)),
    },
    'a new server through the console': {
      args: { title: 'Add it', balancer: blocking },
      arrange: giveConsole,
      wanted: wantedOf({ balancer: blocking }),
      handEdit: write(rulesPath, rulesOf(byHand)),
    },
    'a new server of a stopped dnsdist': {
      args: { title: 'Add it', balancer: byHand },
      arrange: stop,
      wanted: { ...wantedOf({ balancer: byHand }), served: null },
    },
  },
})

proveStep<Machine>('dnsdist.write-config', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).writeConfig,
  look,
  cases: {
    'another text': {
      args: { content: `${config}-- more\n` },
      wanted: wantedOf({ config: `${config}-- more\n` }),
      handEdit: write(configPath, `${config}-- by hand\n`),
    },
  },
})

const backupPath = `${configPath}.1795500000`

proveStep<Machine>('dnsdist.write-backup', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).writeBackup,
  look: async ({ host: { files } }) => ({
    content: (await files.read(backupPath)) ?? null,
    mode: (await files.facts(backupPath))?.mode ?? null,
  }),
  cases: {
    'a new backup': {
      args: { suffix: '1795500000', content: config },
      wanted: { content: config, mode: 0o640 },
      handEdit: write(backupPath, '-- by hand\n'),
    },
  },
})

proveStep<Machine>('dnsdist.switch-program', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).switchProgram,
  look: ({ dnsdist }) => ({ isRunning: dnsdist.served() !== null }),
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: {
    started: { args: { verb: 'start' }, arrange: stop, wanted: { isRunning: true } },
    stopped: { args: { verb: 'stop' }, wanted: { isRunning: false } },
    restarted: { args: { verb: 'restart' }, wanted: { isRunning: true } },
  },
})
