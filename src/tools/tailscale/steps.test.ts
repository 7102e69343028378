import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { tailscaleArchive } from '../../../test/support/mesh.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { awaitAnswer } from './await-answer.ts'
import { openClient } from './client.ts'
import {
  directory,
  forwardingPath,
  innerDirectory,
  programDirectory,
  service,
  stateDirectory,
  unitPath,
} from './layout.ts'
import { architectureHere, unpack } from './program.ts'
import { advertise, join, removeNode, writeFiles } from './steps.ts'
import { scriptTailscale, type StandInNode } from './testing/stand-in.ts'

interface Machine {
  readonly root: string
  readonly host: Host
  readonly node: StandInNode
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

async function machineOf(root: string, isUnpacked = true): Promise<Machine> {
  const node: StandInNode = { isJoined: false, addresses: ['100.64.0.1'], routes: [], keys: [] }
  const services = new Map([[service, { isActive: true, isEnabled: true }]])
  const scripts = [scriptTailscale(node), scriptSystemd(services)]
  const scripted = scriptedRun(...scripts, ([name]) => (name === 'sysctl' ? {} : undefined))
  const host = openHost({ root, run: scripted.run })
  for (const path of ['/run/systemd/system', '/etc/systemd/system', '/etc/sysctl.d'])
    mkdirSync(root + path, { recursive: true })
  if (isUnpacked) {
    mkdirSync(root + programDirectory(architectureHere()), { recursive: true })
    for (const name of ['tailscale', 'tailscaled'])
      writeFileSync(`${root}${programDirectory(architectureHere())}/${name}`, 'x')
    mkdirSync(root + stateDirectory)
  }
  return { root, host, node, services }
}

const machine = (t: Parameters<typeof scratchRoot>[0]) => machineOf(scratchRoot(t))
const has = ({ root }: Machine, ...paths: readonly string[]) => paths.map((path) => existsSync(root + path))

const inner = innerDirectory(architectureHere())
const archive = tailscaleArchive()

proveStep<Machine>('tailscale.unpack', {
  machine: (t) => machineOf(scratchRoot(t), false),
  open: ({ host }, door) => {
    const refused = () => Promise.reject(new Error('only the archive is fetched'))
    const open = async () => ({
      ...{ stream: Readable.from([archive]), offset: 0, sizeBytes: archive.length, validator: undefined },
    })
    const fetch = { open, stream: refused, post: refused, exchange: refused, peer: refused, readKey: refused }
    return unpack({ fetch, files: door(host.files), releases: door(host.releases) })
  },
  look: (on) => has(on, `${programDirectory(architectureHere())}/tailscaled`, directory),
  withoutHandEdit: 'Only the panel writes the directory',
  cases: {
    missing: {
      args: {
        ...{ file: `${inner}.tgz`, bases: ['http://source.test'] },
        sha256: createHash('sha256').update(archive).digest('hex'),
      },
      wanted: [true, true],
    },
  },
})

proveStep<Machine>('tailscale.write-files', {
  machine: async (t) => {
    const made = await machine(t)
    await made.host.files.removeTree(stateDirectory)
    return made
  },
  open: ({ host }, door) =>
    writeFiles({ files: door(host.files), services: door(host.services), run: host.run }),
  look: (on) => [
    existsSync(on.root + unitPath) && readFileSync(on.root + unitPath, 'utf8').includes(stateDirectory),
    ...has(on, forwardingPath, stateDirectory),
  ],
  cases: {
    new: {
      args: null,
      wanted: [true, true, true],
      handEdit: ({ root }) => writeFileSync(root + forwardingPath, 'net.ipv4.ip_forward = 0\n'),
    },
  },
})

proveStep<Machine>('tailscale.join', {
  machine,
  open: ({ host }, door) => join({ files: door(host.files) }, door(openClient(host))),
  look: ({ node, root }) => [node.isJoined, existsSync(`${root}${stateDirectory}/join-key`)],
  withoutHandEdit: 'a host is in the mesh or not',
  cases: {
    new: {
      args: { server: 'http://127.0.0.1:8085', hostname: 'gateway', key: 'hskey-auth-abc-secret' },
      wanted: [true, false],
    },
  },
})

proveStep<Machine>('tailscale.advertise', {
  machine,
  open: ({ host }, door) => advertise(door(openClient(host))),
  look: ({ node }) => node.routes,
  cases: {
    networks: {
      args: { routes: ['0.0.0.0/0', '10.1.0.0/24', '::/0'] },
      wanted: ['0.0.0.0/0', '10.1.0.0/24', '::/0'],
      handEdit: ({ node }) => void (node.routes = ['10.9.0.0/24']),
    },
  },
})

proveStep<Machine>('tailscale.await-answer', {
  machine,
  open: ({ host }, door) => awaitAnswer(door(openClient(host))),
  look: () => 'answering',
  withoutHandEdit: 'it changes nothing',
  cases: { answering: { args: null, wanted: 'answering' } },
})

proveStep<Machine>('tailscale.switch-program', {
  machine,
  open: ({ host }, door) =>
    serviceStep(serviceOf(door(host.services), service), {
      ...{ name: 'tailscale.switch-program', title: 'the mesh client', reloads: 'tailscale' },
    }),
  look: ({ services }) => services.get(service)?.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: { stopped: { args: { verb: 'stop' }, wanted: false } },
})

proveStep<Machine>('tailscale.remove', {
  machine: async (t) => {
    const made = await machine(t)
    for (const path of [unitPath, forwardingPath]) writeFileSync(made.root + path, 'x')
    return made
  },
  open: ({ host }, door) => removeNode({ files: door(host.files), services: door(host.services) }),
  look: (on) => has(on, unitPath, forwardingPath, directory),
  withoutHandEdit: 'it is final',
  cases: { all: { args: null, wanted: [false, false, false] } },
})
