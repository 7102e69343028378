import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { renderConfiguration, unit } from './configuration.ts'
import { awaitAnswer } from './await-answer.ts'
import { createApiKey, createPreAuthKey, expirePreAuthKey } from './keys.ts'
import {
  version,
  configurationPath,
  dataDirectory,
  databasePath,
  keyPath,
  programPath,
  unitPath,
} from './layout.ts'
import { approveRoutes, deleteNode, expireNode } from './nodes.ts'
import { makePanelKey } from './panel-key.ts'
import { setPolicy } from './policy.ts'
import { installProgram } from './program.ts'
import { reconfigure } from './reconfigure.ts'
import { removeServer } from './remove.ts'
import { apiPrefixOf, nodeOf, standInHeadscale, type StandInHeadscale } from './testing/stand-in.ts'
import { createUser, deleteUser } from './users.ts'
import { writeFiles } from './write-files.ts'

interface Machine {
  readonly root: string
  readonly host: Host
  readonly server: StandInHeadscale
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

const ada = { id: '7', name: 'ada', createdAt: '2026-01-01T00:00:00Z' }
const configuration = renderConfiguration({
  ...{ domain: 'vpn.example.com', baseDomain: 'mesh.internal', subnet: '100.64.0.0/10' },
  ...{ magicDns: true, nameservers: [] },
})

async function machineOf(root: string): Promise<Machine> {
  const services = new Map([['headscale', { isActive: true, isEnabled: true }]])
  let keys = 0
  const scripted = scriptedRun(scriptSystemd(services), (argv) =>
    argv[0]?.endsWith('/headscale')
      ? { stdout: `hskey-api-${apiPrefixOf(`prefix${++keys}`)}-whole-secret-key\n` }
      : undefined,
  )
  const host = openHost({ root, run: scripted.run })
  await host.files.makeDirectory('/run/systemd/system')
  for (const path of [configurationPath, databasePath, unitPath, keyPath, programPath])
    mkdirSync(dirname(root + path), { recursive: true })
  const server = standInHeadscale()
  server.users.push({ ...ada })
  server.nodes.push(nodeOf(1, 'laptop', ada, { availableRoutes: ['10.1.0.0/24'] }))
  return { root, host, server, services }
}

const read = ({ root }: Machine, path: string) =>
  existsSync(root + path) ? readFileSync(root + path, 'utf8') : undefined
const write = ({ root }: Machine, path: string, text: string) => writeFileSync(root + path, text)
const machine = (t: Parameters<typeof scratchRoot>[0]) => machineOf(scratchRoot(t))

proveStep<Machine>('headscale.write-files', {
  machine: async (t) => {
    const made = await machine(t)
    await made.host.files.removeTree(dataDirectory)
    await made.host.files.removeDirectory('/etc/headscale')
    return made
  },
  open: ({ host }, door) => writeFiles({ files: door(host.files), services: door(host.services) }),
  look: (on) => [read(on, configurationPath), read(on, unitPath), existsSync(on.root + dataDirectory)],
  cases: {
    new: {
      args: { configuration },
      wanted: [configuration, unit, true],
      handEdit: (on) => {
        mkdirSync(`${on.root}/etc/headscale`, { recursive: true })
        write(on, configurationPath, 'server_url: https://by-hand\n')
      },
    },
    foreign: {
      args: { configuration },
      wanted: [configuration, unit, true],
      callsAsIn: 'new',
      refusedAfter: (on) => {
        mkdirSync(`${on.root}/etc/headscale`, { recursive: true })
        write(on, configurationPath, 'server_url: https://by-hand\n')
      },
    },
  },
})

function addressesOf({ root }: Machine): unknown {
  const database = new DatabaseSync(root + databasePath)
  try {
    return database.prepare('SELECT ipv4 FROM nodes WHERE id = 1').get()?.['ipv4']
  } finally {
    database.close()
  }
}

proveStep<Machine>('headscale.reconfigure', {
  machine: async (t) => {
    const made = await machine(t)
    write(made, configurationPath, 'former')
    const database = new DatabaseSync(made.root + databasePath)
    database.exec(
      "CREATE TABLE nodes (id integer primary key, ipv4 text, ipv6 text); INSERT INTO nodes VALUES (1, '100.64.0.1', 'fd7a::1'), (2, '100.64.0.2', 'fd7a::2')",
    )
    database.close()
    // it answers while its service runs
    made.server.isWell = async () => made.services.get('headscale')?.isActive === true
    return made
  },
  open: ({ host, server }, door) =>
    reconfigure({
      ...{ files: door(host.files), services: door(host.services), service: 'headscale' },
      ...{ api: door(server), startMs: 1000 },
    }),
  look: (on) => [read(on, configurationPath), addressesOf(on), on.services.get('headscale')?.isActive],
  cases: {
    address: {
      args: { title: 'Move', configuration, addresses: { 1: { ipv4: '100.64.0.9' } } },
      wanted: [configuration, '100.64.0.9', true],
      handEdit: (on) => write(on, configurationPath, 'by hand'),
    },
    deleted: {
      args: { title: 'Move', configuration, addresses: { 1: { ipv4: '100.64.0.9' } } },
      wanted: [configuration, '100.64.0.9', true],
      callsAsIn: 'address',
      refusedAfter: ({ root }) => {
        const database = new DatabaseSync(root + databasePath)
        database.exec('DELETE FROM nodes WHERE id = 1')
        database.close()
      },
    },
  },
})

proveStep<Machine>('headscale.make-panel-key', {
  machine,
  open: ({ host }, door) => makePanelKey({ run: host.run, files: door(host.files) }),
  look: (on) => /"key":"hskey-api-/.test(read(on, keyPath) ?? ''),
  withoutHandEdit: 'the key of the panel is random',
  cases: { first: { args: null, wanted: true, repeats: 'a new key is made' } },
})

proveStep<Machine>('headscale.create-user', {
  machine,
  open: ({ server }, door) => createUser(door(server)),
  look: ({ server }) => server.users.map(({ name }) => name),
  withoutHandEdit: 'a user has nothing but a name',
  cases: { new: { args: { name: 'bob' }, wanted: ['ada', 'bob'] } },
})

proveStep<Machine>('headscale.delete-user', {
  machine: async (t) => {
    const made = await machine(t)
    made.server.nodes = []
    return made
  },
  open: ({ server }, door) => deleteUser(door(server)),
  look: ({ server }) => server.users.map(({ name }) => name),
  withoutHandEdit: 'it is final',
  cases: { known: { args: { id: 7, name: 'ada' }, wanted: [] } },
})

proveStep<Machine>('headscale.create-preauth-key', {
  machine,
  open: ({ server }, door) => createPreAuthKey(door(server)),
  look: ({ server }) => server.preAuthKeys.length,
  withoutHandEdit: 'the key is random',
  cases: {
    new: {
      args: {
        user_id: 7,
        reusable: false,
        ephemeral: false,
        expires_at: '2030-01-01T00:00:00.000Z',
        tags: [],
      },
      wanted: 1,
      repeats: 'a further key is made',
    },
  },
})

proveStep<Machine>('headscale.create-api-key', {
  machine,
  open: ({ server }, door) => createApiKey(door(server)),
  look: ({ server }) => server.apiKeys.length,
  withoutHandEdit: 'the key is random',
  cases: {
    new: { args: { expires_at: '2030-01-01T00:00:00.000Z' }, wanted: 1, repeats: 'a further key is made' },
  },
})

proveStep<Machine>('headscale.expire-preauth-key', {
  machine: async (t) => {
    const made = await machine(t)
    const body = { user: '7', reusable: true, ephemeral: false, expiration: '2030-01-01T00:00:00Z' }
    await made.server.send({ method: 'POST', path: '/preauthkey', body })
    return made
  },
  open: ({ server }, door) => expirePreAuthKey(door(server)),
  look: ({ server }) => server.preAuthKeys.map(({ expiration }) => expiration < '2030'),
  withoutHandEdit: 'it is final',
  cases: { valid: { args: { id: 1 }, wanted: [true] } },
})

proveStep<Machine>('headscale.expire-node', {
  machine,
  open: ({ server }, door) => expireNode(door(server)),
  look: ({ server }) => server.nodes.map(({ expiry }) => expiry !== null),
  withoutHandEdit: 'it is final',
  cases: { known: { args: { id: 1, name: 'laptop' }, wanted: [true] } },
})

proveStep<Machine>('headscale.delete-node', {
  machine,
  open: ({ server }, door) => deleteNode(door(server)),
  look: ({ server }) => server.nodes.length,
  withoutHandEdit: 'it is final',
  cases: { known: { args: { id: 1, name: 'laptop' }, wanted: 0 } },
})

proveStep<Machine>('headscale.approve-routes', {
  machine,
  open: ({ server }, door) => approveRoutes(door(server)),
  look: ({ server }) => server.nodes[0]?.approvedRoutes,
  cases: {
    enable: {
      args: { id: 1, name: 'laptop', add: ['10.1.0.0/24'], remove: [] },
      wanted: ['10.1.0.0/24'],
      handEdit: ({ server }) => void (server.nodes[0]!.approvedRoutes = ['10.9.0.0/24']),
    },
    disable: {
      arrange: ({ server }) => void (server.nodes[0]!.approvedRoutes = ['10.1.0.0/24', '10.2.0.0/24']),
      args: { id: 1, name: 'laptop', add: [], remove: ['10.1.0.0/24'] },
      wanted: ['10.2.0.0/24'],
      callsAsIn: 'enable',
    },
  },
})

proveStep<Machine>('headscale.set-policy', {
  machine,
  open: ({ server }, door) => setPolicy(door(server)),
  look: ({ server }) => (server.policy === '{}' ? undefined : server.policy),
  cases: {
    first: {
      args: { policy: '{"acls":[]}' },
      wanted: '{"acls":[]}',
      handEdit: ({ server }) => void (server.policy = '{"acls":[{}]}'),
    },
    none: {
      arrange: ({ server }) => void (server.policy = '{"acls":[]}'),
      args: { policy: null },
      wanted: undefined,
      callsAsIn: 'first',
    },
  },
})

proveStep<Machine>('headscale.switch-program', {
  machine,
  open: ({ host }, door) =>
    serviceStep(serviceOf(door(host.services), 'headscale'), {
      ...{ name: 'headscale.switch-program', title: 'the control server', reloads: 'headscale' },
    }),
  look: ({ services }) => services.get('headscale')?.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: { stopped: { args: { verb: 'stop' }, wanted: false } },
})

proveStep<Machine>('headscale.remove', {
  machine: async (t) => {
    const made = await machine(t)
    for (const path of [unitPath, programPath, configurationPath, keyPath, databasePath])
      write(made, path, 'x')
    return made
  },
  open: ({ host }, door) => removeServer({ files: door(host.files), services: door(host.services) }),
  look: ({ root }) =>
    [unitPath, programPath, configurationPath, keyPath, dataDirectory].some((path) =>
      existsSync(root + path),
    ),
  withoutHandEdit: 'it is final',
  cases: { all: { args: null, wanted: false } },
})

proveStep<Machine>('headscale.await-answer', {
  machine,
  open: ({ server }, door) => awaitAnswer(door(server), 1000),
  look: () => 'answering',
  withoutHandEdit: 'it changes nothing',
  cases: { answering: { args: null, wanted: 'answering' } },
})

const program = Buffer.from('a program')

proveStep<Machine>('headscale.install-program', {
  machine: async (t) => {
    const root = scratchRoot(t)
    const made = await machineOf(root)
    const scripted = scriptedRun(([name, ...rest]) => {
      if (name === 'chmod') return {}
      return rest[0] === 'version' ? { stdout: `v${version}\n` } : undefined
    })
    return { ...made, host: openHost({ root, run: scripted.run }) }
  },
  open: ({ host }, door) => {
    const refused = () => Promise.reject(new Error('only the program is fetched'))
    const open = async () => ({
      ...{ stream: Readable.from([program]), offset: 0, sizeBytes: program.length, validator: undefined },
    })
    const fetch = { open, stream: refused, post: refused, exchange: refused, peer: refused, readKey: refused }
    return installProgram({ fetch, files: door(host.files), run: host.run })
  },
  look: (on) => read(on, programPath),
  withoutHandEdit: 'the program is replaced as a whole',
  cases: {
    missing: {
      args: {
        ...{ file: `headscale_${version}_linux_amd64`, bases: ['http://source.test'] },
        sha256: createHash('sha256').update(program).digest('hex'),
      },
      wanted: 'a program',
    },
    foreign: {
      args: {
        ...{ file: `headscale_${version}_linux_amd64`, bases: ['http://source.test'] },
        sha256: createHash('sha256').update(program).digest('hex'),
      },
      wanted: 'a program',
      callsAsIn: 'missing',
      refusedAfter: (on) => write(on, programPath, 'by hand'),
    },
  },
})
