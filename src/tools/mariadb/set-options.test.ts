import assert from 'node:assert/strict'
import { it } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { optionsPath, setOptions } from './set-options.ts'
import { scriptMariadbd } from './testing/scripted-mariadbd.ts'
import { type StandInServer, standInServer } from './testing/stand-in.ts'

interface Machine {
  readonly host: Host
  readonly server: StandInServer
  readonly service: { isActive: boolean; isEnabled: boolean }
}

async function machineOf(root: string): Promise<Machine> {
  const server = standInServer()
  const service = { isActive: false, isEnabled: true }
  const run = scriptedRun(
    scriptMariadbd(server, () => root),
    scriptSystemd(new Map([['mariadb', service]])),
  ).run
  const host = openHost({ root, run })
  await host.files.makeDirectory('/run/systemd/system')
  await host.files.makeDirectory('/etc/mysql/mariadb.conf.d')
  await host.services.start('mariadb')
  server.restarts = 0
  return { host, server, service }
}

const write = (content: string) => (machine: Machine) => machine.host.files.write(optionsPath, content)
const look = async ({ host, server: { variables } }: Machine) => ({
  file: (await host.files.read(optionsPath)) ?? null,
  connections: variables.get('max_connections'),
  port: variables.get('port'),
})

proveStep<Machine>('mariadb.set-options', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host, server }, door) =>
    setOptions({
      host: { files: door(host.files), run: host.run, services: door(host.services) },
      connection: door(server.connection),
      service: 'mariadb',
    }),
  look,
  cases: {
    'an option that the running server takes': {
      args: { options: { max_connections: '200' } },
      wanted: { file: '[mysqld]\nmax_connections = 200\n', connections: '200', port: '3306' },
      handEdit: write('[mysqld]\nmax_connections = 300\n'),
    },
    'an option that needs a restart': {
      args: { options: { port: '3307' } },
      arrange: async (machine) => {
        await write('[mysqld]\nmax-connections=200 # mine\n')(machine)
        await machine.host.services.act('mariadb', 'restart')
      },
      wanted: {
        file: '[mysqld]\nport = 3307\nmax-connections=200 # mine\n',
        connections: '200',
        port: '3307',
      },
      handEdit: write('[mysqld]\nport = 3308\n'),
    },
  },
})

const kindOf = ({ host, server: { connection } }: Machine) =>
  setOptions({ host, connection, service: 'mariadb' })

async function act(machine: Machine, options: Readonly<Record<string, string | null>>) {
  const [kind, args] = [kindOf(machine), { options }]
  const before = await kind.observe(args)
  return { before, args, kind, acted: kind.act(args, stepRun(before)) }
}

it('restarts for what the running server does not take, and for nothing else', async (t) => {
  const machine = await machineOf(scratchRoot(t))
  await (
    await act(machine, { max_connections: '200' })
  ).acted
  assert.equal(machine.server.restarts, 0)
  await (
    await act(machine, { max_connections: '100', port: '3307' })
  ).acted
  assert.equal(machine.server.restarts, 1)
})

it('leaves the file as it was where the server refuses it, with its message', async (t) => {
  const machine = await machineOf(scratchRoot(t))
  const { acted } = await act(machine, { forbidden: '1' })
  await assert.rejects(acted, /unknown variable 'forbidden=1'/)
  assert.equal(await machine.host.files.read(optionsPath), undefined)
  assert.match(
    (await kindOf(machine).preview?.({ options: { forbidden: '1' } }, {}))?.refused ?? '',
    /unknown/,
  )
})

it('goes back to the former file where the server does not start, and runs again', async (t) => {
  const machine = await machineOf(scratchRoot(t))
  const { acted, kind, before, args } = await act(machine, { bind_address: 'mortal' })
  await assert.rejects(acted, /Job for mariadb.service failed.*\[ERROR\] Can not start/s)
  assert.equal(machine.server.isDown, true)
  await kind.undo(args, before)
  assert.deepEqual(
    [await machine.host.files.read(optionsPath), machine.server.isDown, machine.server.restarts],
    [undefined, false, 1],
  )
})

it('leaves a server that was stopped on purpose as it is', async (t) => {
  const machine = await machineOf(scratchRoot(t))
  machine.service.isActive = false
  machine.server.isDown = true
  await (
    await act(machine, { port: '3307' })
  ).acted
  assert.deepEqual([machine.server.restarts, machine.service.isActive], [0, false])
  assert.equal(await machine.host.files.read(optionsPath), '[mysqld]\nport = 3307\n')
})
