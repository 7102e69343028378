import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { openHost, type Host } from '../../index.ts'
import { openPackages } from '../../packages.ts'
import { scriptedRun } from '../../testing/scripted-run.ts'
import { installStep } from './install-step.ts'

type Status = 'installed' | 'half-configured'

interface Machine {
  readonly host: Host
  readonly packages: Map<string, Status>
  /** Makes dpkg stop before it has configured what it unpacked, as when its panel was killed. */
  isInterrupted: boolean
  /** Makes the set-up of the packages fail, as that of a server whose port is in use. */
  isFailing?: boolean
}

const brought = ['shopd', 'libshop']
const data = '/var/lib/shop'

async function machine(root: string): Promise<Machine> {
  const packages = new Map<string, Status>([['tzdata', 'installed']])
  const made: Machine = {
    host: openHost({ root, run: scriptedRun(apt).run }),
    packages,
    isInterrupted: false,
  }
  return made

  function apt([program, ...args]: readonly string[]) {
    const installed = [...packages].filter(([, status]) => status === 'installed').map(([name]) => name)
    const line = args.join(' ')
    if (program === 'apt-get' && line === '--version') return { stdout: 'apt 2.6.1 (amd64)\n' }
    if (program === 'apt-mark') return { stdout: 'libshop\n' }
    if (program === 'dpkg-query' && line.endsWith('\\n'))
      return { stdout: [...packages].map(([name, status]) => `${status} ${name}\n`).join('') }
    if (program === 'dpkg-query')
      return installed.includes(args.at(-1) ?? '') ? { stdout: 'installed 1.0' } : { code: 1 }
    if (program === 'dpkg') return configure()
    if (args.at(-1) === 'update' || args.includes('--download-only')) return {}
    if (args.includes('--simulate'))
      return {
        stdout: args
          .slice(args.indexOf('--') + 1)
          .map((name) => `Remv ${name}`)
          .join('\n'),
      }
    if (args.includes('remove'))
      return (args.slice(args.indexOf('--') + 1).forEach((name) => packages.delete(name)), {})
    for (const name of brought) packages.set(name, 'half-configured')
    return made.isInterrupted ? { code: 100, stderr: 'killed' } : configure()
  }

  function configure() {
    if (made.isFailing) return { code: 1, stderr: 'port in use' }
    for (const [name] of packages) packages.set(name, 'installed')
    return {}
  }
}

const open = ({ host }: Machine, door: Stoppable['door'] = (thing) => thing) =>
  installStep(
    { packages: openPackages(door(host.run)), files: door(host.files) },
    { name: 'shop.install', title: 'the shop' },
  )
const args = { packages: ['shopd'], dataDirectories: [data] }

proveStep<Machine>('shop.install', {
  machine: (t) => machine(scratchRoot(t)),
  open,
  look: async ({ packages, host }) => ({
    packages: [...packages].map(([name, status]) => `${name} ${status}`),
    hasData: (await host.files.facts(data)) !== undefined,
  }),
  withoutHandEdit: 'packages are not edited',
  cases: {
    'a program with what it needs': {
      args,
      wanted: { packages: ['tzdata installed', 'shopd installed', 'libshop installed'], hasData: false },
    },
    'a program over data that was kept': {
      args,
      arrange: ({ host }) => host.files.makeDirectory(data),
      wanted: { packages: ['tzdata installed', 'shopd installed', 'libshop installed'], hasData: true },
    },
  },
})

test('an installation interrupted in dpkg is completed, and counts as done', async (t) => {
  const cut = await machine(scratchRoot(t))
  const kind = open(cut)
  const before = await kind.observe(args)
  cut.isInterrupted = true
  await assert.rejects(kind.act(args, stepRun(before)), /killed/)
  assert.equal(await kind.check(args, before), 'before')
  await kind.recover?.(args, before)
  assert.equal(await kind.check(args, before), 'wanted')
})

test('an undo removes packages whose set-up fails', async (t) => {
  const failing = Object.assign(await machine(scratchRoot(t)), { isFailing: true })
  const kind = open(failing)
  const before = await kind.observe(args)
  await assert.rejects(kind.act(args, stepRun(before)), /port in use/)
  await kind.undo(args, before)
  assert.deepEqual([...failing.packages.keys()], ['tzdata'])
})

test('an undo removes the new packages and their data, and nothing that existed before or that another user installed', async (t) => {
  const { packages, host } = await machine(scratchRoot(t))
  const kind = open({ packages, host, isInterrupted: false })
  const before = await kind.observe(args)
  await kind.act(args, stepRun(before))
  await host.files.makeDirectory(data)
  packages.set('vim', 'installed')
  await kind.undo(args, before)
  assert.deepEqual([[...packages.keys()], await host.files.facts(data)], [['tzdata', 'vim'], undefined])
})
