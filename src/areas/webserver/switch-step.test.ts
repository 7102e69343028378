import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { apache } from '../../tools/apache/index.ts'
import { type StandInApache, standInApache } from '../../tools/apache/testing/stand-in.ts'
import { nginx } from '../../tools/nginx/index.ts'
import { standInNginx } from '../../tools/nginx/testing/stand-in.ts'
import { type SwitchArgs, switchStep } from './switch-step.ts'

interface Machine {
  readonly host: Host
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
  readonly program: StandInApache
}

async function makeMachine(t: Parameters<typeof scratchRoot>[0]): Promise<Machine> {
  const services = new Map([
    ['nginx', { isActive: true, isEnabled: true }],
    ['apache2', { isActive: false, isEnabled: false }],
  ])
  const host = openHost({ root: scratchRoot(t), run: scriptedRun(scriptSystemd(services)).run })
  const folders = [
    '/etc/nginx/conf.d',
    '/etc/apache2/sites-available',
    '/run/systemd/system',
    '/var/lib',
    '/var/log',
  ]
  for (const path of folders) await host.files.makeDirectory(path)
  const program = standInApache(host.files, { isRunning: () => services.get('apache2')?.isActive ?? false })
  await nginx.open(host, { program: standInNginx(host.files) }).setUp()
  await apache.open(host, { program, starter: program.starter }).setUp()
  return { host, services, program }
}

const open = ({ host, program }: Machine, door: Stoppable['door']) =>
  switchStep({
    services: door(host.services),
    reconcile: host.reconcile,
    servers: {
      nginx: nginx.open(host, { program: standInNginx(host.files) }),
      apache: apache.open(host, { program, starter: program.starter }),
    },
    visit: program.visit,
  })
const look = ({ services }: Machine) => structuredClone(Object.fromEntries(services))
const visits = [
  { name: 'a.test', isTls: false, isProxy: false },
  { name: 'b.test', isTls: true, isProxy: true },
]
const toApache: SwitchArgs = { from: 'nginx', to: 'apache', visits }

proveStep<Machine>('webserver.switch', {
  machine: makeMachine,
  open,
  look,
  withoutHandEdit:
    'it has no file, and a service that somebody has started meanwhile is as the step wants it',
  cases: {
    'nginx to Apache': {
      args: { ...toApache },
      wanted: {
        nginx: { isActive: false, isEnabled: false },
        apache2: { isActive: true, isEnabled: true },
      },
    },
    'nginx, which somebody stopped, to Apache': {
      args: { ...toApache },
      arrange: ({ services }) => services.set('nginx', { isActive: false, isEnabled: true }),
      callsAsIn: 'nginx to Apache',
      wanted: {
        nginx: { isActive: false, isEnabled: false },
        apache2: { isActive: true, isEnabled: true },
      },
    },
  },
})

test('a switch fails where a website answers otherwise, and goes back', async (t) => {
  const machine = await makeMachine(t)
  const kind = open(machine, (thing) => thing)
  const former = look(machine)
  const before = await kind.observe(toApache)
  machine.program.answers(({ name }) => (name === 'a.test' ? '404' : '200'))
  await assert.rejects(kind.act(toApache, stepRun(before)), /http:\/\/a\.test\/ answered 200, and now 404$/)
  assert.equal(await kind.check(toApache, before), 'other')
  await kind.undo(toApache, before)
  assert.deepEqual(look(machine), former)
})

test('a name that answered nothing before is not compared, and one that answers nothing now is', async (t) => {
  const machine = await makeMachine(t)
  const kind = open(machine, (thing) => thing)
  machine.program.answers(({ name }) => (name === 'a.test' ? undefined : '200'))
  const before = await kind.observe(toApache)
  machine.program.answers(({ name }) => (name === 'b.test' ? undefined : '500'))
  await assert.rejects(
    kind.act(toApache, stepRun(before)),
    /https:\/\/b\.test\/ answered 200, and now nothing/,
  )
})
