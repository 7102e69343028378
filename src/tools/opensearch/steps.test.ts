import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { installStep, serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { awaitAnswer } from './await-answer.ts'
import { writeConfiguration } from './configuration.ts'
import { configurationPath, heapPath, keyPath, sourcePath } from './layout.ts'
import { renderSource, setRepository } from './repository.ts'
import { putTemplate } from './templates.ts'

interface Machine {
  readonly root: string
  readonly host: Host
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
  readonly packages: Map<string, string>
}

function machineOf(root: string): Machine {
  for (const path of [
    'run/systemd/system',
    'etc/apt/sources.list.d',
    'etc/apt/keyrings',
    'etc/opensearch/jvm.options.d',
  ])
    mkdirSync(`${root}/${path}`, { recursive: true })
  const services = new Map([['opensearch', { isActive: true, isEnabled: true }]])
  const packages = new Map<string, string>()
  const { run } = scriptedRun(scriptSystemd(services), scriptPackages(packages, { opensearch: '2.19.6' }))
  return { root, host: openHost({ root, run }), services, packages }
}

const contentOf = ({ root }: Machine, path: string) =>
  existsSync(root + path) ? readFileSync(root + path, 'utf8') : null
const base = 'https://packages.example'
const key = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n'

proveStep<Machine>('opensearch.set-repository', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) => {
    const open = async () => ({ stream: Readable.from([Buffer.from(key)]) })
    return setRepository({ files: door(host.files), fetch: { ...host.fetch, open: open as never } })
  },
  look: (at) => [contentOf(at, sourcePath), contentOf(at, keyPath)],
  cases: {
    added: {
      args: { base },
      wanted: [renderSource(base), key],
      handEdit: ({ root }) => writeFileSync(root + sourcePath, 'deb mine\n'),
    },
    removed: {
      args: { base: null },
      arrange: ({ root }) => writeFileSync(root + sourcePath, renderSource(base)),
      wanted: [null, null],
      handEdit: ({ root }) => writeFileSync(root + sourcePath, 'deb mine\n'),
    },
  },
})

proveStep<Machine>('opensearch.write-configuration', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) => writeConfiguration({ files: door(host.files) }),
  look: (at) => [contentOf(at, configurationPath)?.split('\n')[0] ?? null, contentOf(at, heapPath)],
  cases: {
    'over that of the package': {
      args: { heapMib: 512 },
      arrange: ({ root }) => writeFileSync(root + configurationPath, '# of the package\n'),
      wanted: ['# Written by Hostreeve.', '# Written by Hostreeve.\n-Xms512m\n-Xmx512m\n'],
      handEdit: ({ root }) => writeFileSync(root + configurationPath, '# by hand\n'),
    },
  },
})

proveStep<Machine>('opensearch.install', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) =>
    installStep(
      { packages: door(host.packages), files: host.files },
      { name: 'opensearch.install', title: 'OpenSearch' },
    ),
  look: ({ packages }) => [...packages.keys()],
  withoutHandEdit: 'it installs packages: there is nothing to edit',
  cases: { installed: { args: { packages: ['opensearch'], dataDirectories: [] }, wanted: ['opensearch'] } },
})

proveStep<Machine>('opensearch.switch-program', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) =>
    serviceStep(serviceOf(door(host.services), 'opensearch'), {
      name: 'opensearch.switch-program',
      title: 'OpenSearch',
      reloads: 'opensearch',
    }),
  look: ({ services }) => services.get('opensearch')?.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: { stopped: { args: { verb: 'stop' }, wanted: false } },
})

const answering = {
  ask: async () => ({}),
  askLong: async () => ({}),
  connection: { send: async () => ({ status: 200, body: {} }) },
}

proveStep<object>('opensearch.await-answer', {
  machine: () => ({}),
  open: (_machine, door) => awaitAnswer(door(answering), { nodes: [] }),
  look: () => 'answering',
  withoutHandEdit: 'it changes nothing',
  cases: { answering: { args: null, wanted: 'answering' } },
})

proveStep<Map<string, { version: number }>>('opensearch.put-template', {
  machine: () => new Map(),
  open: (templates, door) =>
    putTemplate(
      door({
        send: async ({ method, path, body }) => {
          const name = path.split('/').at(-1) ?? ''
          const found = templates.get(name)
          if (method === 'PUT') templates.set(name, body as { version: number })
          if (method === 'DELETE') templates.delete(name)
          if (method !== 'GET') return { status: 200, body: {} }
          return found === undefined
            ? { status: 404, body: {} }
            : { status: 200, body: { index_templates: [{ name, index_template: found }] } }
        },
      }),
    ),
  look: (templates) => [...templates].map(([name, { version }]) => [name, version]),
  cases: {
    written: {
      args: { name: 'hostreeve-logs' },
      wanted: [['hostreeve-logs', 1]],
      handEdit: (templates) => templates.set('hostreeve-logs', { version: 9 }),
    },
  },
})
