import { setTimeout as wait } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { openApplyEdit } from '../../../host/apply/edited.ts'
import { digestOf } from '../../../host/files.ts'
import { openHost, type Host } from '../../../host/index.ts'
import { scriptedRun } from '../../../host/testing/scripted-run.ts'
import { type ConfigEdit, editText, haproxy as haproxyTool } from '../index.ts'
import { debianLayout } from '../layout.ts'
import { standInHaproxy, type StandInHaproxy } from '../testing/stand-in.ts'

interface Machine {
  readonly host: Host
  readonly haproxy: StandInHaproxy
}

const { configPath } = debianLayout
const text = `global
  stats socket /run/admin.sock
defaults
  mode http
backend app
  server a 127.0.0.1:8080
`

async function makeMachine(t: TestContext): Promise<Machine> {
  const host = openHost({ root: scratchRoot(t), run: scriptedRun().run })
  await host.files.makeDirectory('/etc/haproxy')
  await host.files.write(configPath, text)
  return { host, haproxy: standInHaproxy(host.files) }
}

function open({ host, haproxy: { program, starter } }: Machine, door: Stoppable['door']) {
  const files = door(host.files)
  return haproxyTool.open(
    { ...host, files, ...openApplyEdit(files) },
    { program: door(program), starter: door(starter) },
  ).steps
}
const seen = async ({ host, haproxy }: Machine) => ({
  text: await host.files.read(configPath),
  served: haproxy.served(),
})
const as = (wanted: string) => ({ text: wanted, served: wanted })
const append =
  (line: string) =>
  async ({ host }: Machine) => {
    await host.files.write(configPath, `${await host.files.read(configPath)}${line}\n`)
  }

const add: ConfigEdit = { do: 'add-backend', name: 'shop', mode: 'http', balance: 'roundrobin' }
const remove: ConfigEdit = { do: 'remove-backend', name: 'app' }
const added = editText(text, add)

proveStep<Machine>('haproxy.edit-config', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).editConfig,
  look: seen,
  cases: {
    'a new backend': {
      args: add,
      wanted: as(added),
      handEdit: append('# by hand'),
      onTop: as(editText(`${text}# by hand\n`, add)),
    },
    'a new backend whose name is taken concurrently': {
      args: add,
      callsAsIn: 'a new backend',
      wanted: as(added),
      handEdit: append('backend shop\n  mode tcp'),
      refusedAfter: append('backend shop\n  mode tcp'),
    },
    'a removed backend': {
      args: remove,
      callsAsIn: 'a new backend',
      wanted: as(editText(text, remove)),
      handEdit: append('backend other'),
      onTop: as(editText(`${text}backend other\n`, remove)),
    },
  },
})

proveStep<Machine>('haproxy.write-config', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).writeConfig,
  look: seen,
  cases: {
    'another text': {
      args: { content: `${text}# more\n`, over: digestOf(text) },
      wanted: as(`${text}# more\n`),
      handEdit: append('# by hand'),
      refusedAfter: append('# by hand'),
    },
  },
})

const certificate = '/etc/haproxy/certs/a.test.pem'
const put =
  (content: string) =>
  async ({ host }: Machine) => {
    await host.files.makeDirectory('/etc/haproxy/certs', { mode: 0o700 })
    await host.files.write(certificate, content)
  }

proveStep<Machine>('haproxy.write-file', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).writeFile,
  look: async ({ host }) => ({
    content: (await host.files.read(certificate)) ?? null,
    mode: (await host.files.facts(certificate))?.mode ?? null,
  }),
  cases: {
    'a new certificate': {
      args: { directory: 'certificates', name: 'a.test.pem', content: 'key' },
      wanted: { content: 'key', mode: 0o600 },
      handEdit: put('by hand'),
    },
    'a removed certificate': {
      args: { directory: 'certificates', name: 'a.test.pem', content: null },
      arrange: ({ host }) =>
        host.files
          .makeDirectory('/etc/haproxy/certs')
          .then(() => host.files.write(certificate, 'key', { rights: { mode: 0o600 } })),
      wanted: { content: null, mode: null },
      handEdit: put('by hand'),
    },
  },
})

const state = async ({ haproxy }: Machine) => ({ isRunning: (await haproxy.program.running()).length > 0 })

proveStep<Machine>('haproxy.switch-program', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).switchProgram,
  look: state,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: {
    started: {
      args: { verb: 'start' },
      arrange: ({ haproxy }) => haproxy.starter.stop(),
      wanted: { isRunning: true },
    },
    stopped: { args: { verb: 'stop' }, wanted: { isRunning: false } },
    reloaded: { args: { verb: 'reload' }, wanted: { isRunning: true } },
    'reloaded for a file': {
      args: { verb: 'reload', loads: certificate },
      arrange: async (machine) => {
        await wait(60) // a start is distinguished from an earlier file write by 40 ms
        await put('key')(machine)
      },
      wanted: { isRunning: true },
    },
  },
})

proveStep<Machine>('haproxy.set-server-state', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).setServerState,
  look: ({ haproxy }) => haproxy.states(),
  cases: {
    'taken out of service': {
      args: { backend: 'app', server: 'a', state: 'maint' },
      wanted: { 'app/a': 'maint' },
      handEdit: ({ haproxy }) => haproxy.set('app/a', 'drain'),
    },
    'put back into service': {
      args: { backend: 'app', server: 'a', state: 'ready' },
      arrange: ({ haproxy }) => haproxy.set('app/a', 'drain'),
      wanted: {},
      handEdit: ({ haproxy }) => haproxy.set('app/a', 'maint'),
    },
  },
})
