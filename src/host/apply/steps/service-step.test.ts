import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { openHost } from '../../index.ts'
import { scriptSystemd } from '../../testing/scripted-host.ts'
import { scriptedRun } from '../../testing/scripted-run.ts'
import { openServices, type Services } from '../../services.ts'
import { serviceOf, serviceStep } from './service-step.ts'

interface Machine {
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
  readonly open: (door: Stoppable['door']) => Services
}

const machine = async (root: string): Promise<Machine> => {
  const { files } = openHost({ root })
  await files.makeDirectory('/run/systemd/system')
  const services = new Map([['cron', { isActive: false, isEnabled: true }]])
  const { run } = scriptedRun(scriptSystemd(services))
  return { services, open: (door) => openServices(door(run), files) }
}
const cron = ({ open }: Machine, door: Stoppable['door']) =>
  serviceStep(serviceOf(open(door), 'cron'), { name: 'cron.switch', title: 'cron', reloads: 'cron' })
const change = (state: 'isActive' | 'isEnabled') => (machine: Machine) => {
  const service = machine.services.get('cron')
  if (service !== undefined) service[state] = !service[state]
}

proveStep<Machine>('cron.switch', {
  machine: (t) => machine(scratchRoot(t)),
  open: (machine, door) => cron(machine, door),
  look: ({ services }) => ({ ...services.get('cron') }),
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: {
    started: { args: { verb: 'start' }, wanted: { isActive: true, isEnabled: true } },
    stopped: {
      args: { verb: 'stop' },
      arrange: change('isActive'),
      wanted: { isActive: false, isEnabled: true },
    },
    disabled: { args: { verb: 'disable' }, wanted: { isActive: false, isEnabled: false } },
    enabled: {
      args: { verb: 'enable' },
      arrange: change('isEnabled'),
      wanted: { isActive: false, isEnabled: true },
    },
  },
})

test('confirms what the service is already, and does nothing to it', async () => {
  const confirmed: string[] = []
  const kind = serviceStep(
    {
      status: async () => ({ isActive: true, isEnabled: false, generation: '1' }),
      act: async (verb) => assert.fail(verb),
      confirm: async (verb) => void confirmed.push(verb),
    },
    { name: 'cron.switch', title: 'cron', reloads: 'cron' },
  )
  for (const verb of ['start', 'disable'] as const)
    await kind.act({ verb }, stepRun(await kind.observe({ verb })))
  assert.deepEqual(confirmed, ['start', 'disable'])
})

test('a restart is detected by the start time', async () => {
  let generation: string | null = '1'
  const kind = serviceStep(
    {
      status: async () => ({ isActive: true, isEnabled: true, generation }),
      act: async () => void (generation = '2'),
      confirm: async () => assert.fail('a restart is never done before'),
    },
    { name: 'cron.switch', title: 'cron', reloads: 'cron' },
  )
  const before = await kind.observe({ verb: 'restart' })
  assert.equal(await kind.check({ verb: 'restart' }, before), 'before')
  await kind.act({ verb: 'restart' }, stepRun(before))
  assert.equal(await kind.check({ verb: 'restart' }, before), 'wanted')
  assert.deepEqual(await kind.plan({ verb: 'reload' }), { title: 'Reload cron', reloads: ['cron'] })
})
