import { openFiles } from '../../host/files.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openBackups } from './backup.ts'
import { openEngine } from './engine.ts'
import { archiveVolumes, commitContainer, restoreVolumes } from './steps/back-up.ts'
import { copyVolumes } from './steps/copy-volumes.ts'
import { createContainer } from './steps/create-container.ts'
import { createVolume } from './steps/create-volume.ts'
import { limitPorts } from './steps/limit-ports.ts'
import { nameContainer } from './steps/name-container.ts'
import { pullImage } from './steps/pull-image.ts'
import { removeContainer } from './steps/remove-container.ts'
import { returnVolumes } from './steps/return-volumes.ts'
import { switchContainer } from './steps/switch-container.ts'
import { type StandInFilter, scriptIptables, standInFilter } from './testing/stand-in-filter.ts'
import { type StandInEngine, standInEngine } from './testing/stand-in-engine.ts'
import type { ContainerSpec } from './spec.ts'

const spec: ContainerSpec = {
  name: 'web',
  image: 'nginx:1',
  env: ['A=secret'],
  command: [],
  ports: [{ ip: '', host: 8080, container: 80, protocol: 'tcp' }],
  volumes: [{ source: 'pages', target: '/data', isReadOnly: false }],
  restartPolicy: 'always',
  network: 'bridge',
}

/** An engine with an image and the container `web`, which runs. */
async function machine(): Promise<StandInEngine> {
  const engine = standInEngine()
  engine.images.set('nginx:1', {})
  engine.registry.add('redis:7')
  engine.volumes.set('pages', { labels: {}, content: 'a row' })
  const { steps } = await openWeb(engine)
  await steps()
  return engine
}

async function openWeb({ connection }: StandInEngine) {
  const engine = openEngine(connection)
  const start = async () => {
    const run = { before: null } as never
    await createContainer('docker.create-container', engine).act({ spec, token: 'first' }, run)
    await engine.send({ method: 'POST', path: '/containers/web/start' })
  }
  return { steps: start }
}

const stateOf = (status: string) => (status === 'created' ? 'exited' : status)
const look = ({ containers, images, volumes }: StandInEngine) => ({
  containers: [...containers.values()]
    .map(({ name, status, restartPolicy }) => `${name} ${stateOf(status)} ${restartPolicy}`)
    .sort(),
  images: [...images.keys()],
  volumes: [...volumes].map(([name, { content }]) => `${name} ${content}`),
})
const was = { containers: ['web running always'], images: ['nginx:1'], volumes: ['pages a row'] }
const ownId = ({ containers }: StandInEngine) => [...containers.keys()][0] ?? ''
const withoutHandEdit = 'each change of the engine is atomic, and names the object that it made'

const privateImage = 'registry.example.com/team/app:1'
const credentials = { registry: 'registry.example.com', username: 'deploy', password: 'p/ss+wörd' }

proveStep<StandInEngine>('docker.pull-image', {
  machine,
  open: ({ connection, connectionWith }, door) =>
    pullImage('docker.pull-image', openEngine(door(connection)), (headers) =>
      openEngine(door(connectionWith(headers))),
    ),
  look,
  withoutHandEdit,
  cases: {
    missing: { args: { image: 'redis:7' }, wanted: { ...was, images: ['nginx:1', 'redis:7'] } },
    present: { args: { image: 'nginx:1' }, wanted: was },
    'from a registry that asks for credentials': {
      args: { image: privateImage, credentials },
      arrange: ({ registry, accounts }) => {
        registry.add(privateImage)
        accounts.set(credentials.registry, credentials)
      },
      wanted: { ...was, images: ['nginx:1', privateImage] },
    },
  },
})

proveStep<StandInEngine>('docker.create-container', {
  machine,
  open: ({ connection }, door) => createContainer('docker.create-container', openEngine(door(connection))),
  look,
  withoutHandEdit,
  cases: {
    'a new one': {
      args: { spec: { ...spec, name: 'shop' }, token: 'second' },
      wanted: { ...was, containers: ['shop exited always', 'web running always'] },
      returns: { id: '2'.padStart(64, 'c') },
      repeats: 'the engine draws another id',
      refusedAfter: ({ containers }) => {
        for (const each of containers.values()) each.name = 'shop'
      },
    },
  },
})

proveStep<StandInEngine>('docker.switch-container', {
  machine,
  open: ({ connection }, door) => switchContainer('docker.switch-container', openEngine(door(connection))),
  look,
  withoutHandEdit,
  cases: {
    stop: { args: { id: 'web', verb: 'stop' }, wanted: { ...was, containers: ['web exited always'] } },
    pause: { args: { id: 'web', verb: 'pause' }, wanted: { ...was, containers: ['web paused always'] } },
    kill: { args: { id: 'web', verb: 'kill' }, wanted: { ...was, containers: ['web exited always'] } },
    restart: { args: { id: 'web', verb: 'restart' }, wanted: was },
    start: {
      args: { id: 'web', verb: 'start', isAwaited: true },
      arrange: ({ containers }) => {
        for (const each of containers.values()) each.status = 'exited'
      },
      wanted: was,
    },
    unpause: {
      args: { id: 'web', verb: 'unpause' },
      arrange: ({ containers }) => {
        for (const each of containers.values()) each.status = 'paused'
      },
      wanted: was,
      refusedAfter: ({ containers }) => containers.clear(),
    },
  },
})

proveStep<StandInEngine>('docker.name-container', {
  machine,
  open: ({ connection }, door) => nameContainer('docker.name-container', openEngine(door(connection))),
  look,
  cases: {
    'another name and policy': {
      args: (engine) => ({ id: ownId(engine), name: 'web.replaced', restartPolicy: 'no' }),
      wanted: { ...was, containers: ['web.replaced running no'] },
      handEdit: ({ containers }) => {
        for (const each of containers.values()) each.name = 'by-hand'
      },
    },
  },
})

proveStep<StandInEngine>('docker.create-volume', {
  machine,
  open: ({ connection }, door) => createVolume('docker.create-volume', openEngine(door(connection))),
  look,
  withoutHandEdit,
  cases: {
    'a new one': {
      args: { name: 'copy', token: 'second' },
      wanted: { ...was, volumes: ['pages a row', 'copy '] },
      refusedAfter: ({ volumes }) => volumes.set('copy', { labels: {}, content: 'of another' }),
    },
  },
})

/** A second container, with an empty volume at the same place. */
async function withCopy(): Promise<StandInEngine> {
  const engine = await machine()
  engine.volumes.set('copy', { labels: {}, content: '' })
  const [web] = engine.containers.values()
  if (web) engine.containers.set('copy', { ...web, id: 'copy', name: 'copy', binds: ['copy:/data'] })
  return engine
}
const copied = {
  ...was,
  containers: ['copy running always', 'web running always'],
  volumes: ['pages a row', 'copy a row'],
}

proveStep<StandInEngine>('docker.copy-volumes', {
  machine: withCopy,
  open: ({ connection }, door) => copyVolumes('docker.copy-volumes', openEngine(door(connection))),
  look,
  withoutHandEdit,
  cases: {
    'one volume': { args: { from: 'web', to: 'copy', targets: ['/data'] }, wanted: copied },
  },
})

proveStep<StandInEngine>('docker.commit-container', {
  machine,
  open: ({ connection }, door) => commitContainer('docker.commit-container', openEngine(door(connection))),
  look,
  withoutHandEdit,
  cases: {
    'a new image': {
      args: (engine) => ({ id: ownId(engine), name: 'web', repository: 'hostreeve-backup/web', tag: '1' }),
      wanted: { ...was, images: ['nginx:1', 'hostreeve-backup/web:1'] },
    },
  },
})

const manifest = {
  ...spec,
  ports: [...spec.ports],
  volumes: [{ source: 'pages', target: '/data', isReadOnly: false, archive: 'volume1.tar' }],
  isPrivileged: false,
  memoryBytes: 0,
  cpus: 0,
}

interface WithFiles {
  readonly engine: StandInEngine
  readonly backups: ReturnType<typeof openBackups>
}
const lookAtFiles = async ({ engine, backups }: WithFiles) => ({
  ...look(engine),
  archives: (await backups.list()).map(({ folder, name }) => `${folder}/${name}`),
})

proveStep<WithFiles>('docker.archive-volumes', {
  machine: async (t) => ({ engine: await machine(), backups: openBackups(openFiles(scratchRoot(t))) }),
  open: ({ engine, backups }, door) =>
    archiveVolumes('docker.archive-volumes', openEngine(door(engine.connection)), door(backups)),
  look: lookAtFiles,
  withoutHandEdit: 'only the panel writes to the folder of a backup',
  cases: {
    'one volume': {
      args: ({ engine }) => ({ id: ownId(engine), folder: 'web-1', manifest }),
      wanted: { ...was, archives: ['web-1/volume1.tar'] },
    },
  },
})

proveStep<WithFiles>('docker.restore-volumes', {
  machine: async (t) => {
    const backups = openBackups(openFiles(scratchRoot(t)))
    const engine = await withCopy()
    const run = { signal: new AbortController().signal, progress: () => {} } as never
    const archive = archiveVolumes('docker.archive-volumes', openEngine(engine.connection), backups)
    await archive.act({ id: 'web', folder: 'web-1', manifest }, run)
    return { engine, backups }
  },
  open: ({ engine, backups }, door) =>
    restoreVolumes('docker.restore-volumes', openEngine(door(engine.connection)), backups),
  look: lookAtFiles,
  withoutHandEdit,
  cases: {
    'one volume': {
      args: { to: 'copy', folder: 'web-1', volumes: [{ target: '/data', archive: 'volume1.tar' }] },
      wanted: { ...copied, archives: ['web-1/volume1.tar'] },
    },
  },
})

proveStep<StandInEngine>('docker.remove-container', {
  machine,
  open: ({ connection }, door) => removeContainer('docker.remove-container', openEngine(door(connection))),
  look,
  withoutHandEdit,
  cases: {
    'a running one, by force': {
      args: { id: 'web', isForced: true },
      wanted: { ...was, containers: [] },
    },
    'one that runs, without force': {
      args: { id: 'web', isForced: false },
      arrange: ({ containers }) => {
        for (const each of containers.values()) each.status = 'exited'
      },
      wanted: { ...was, containers: [] },
      callsAsIn: 'a running one, by force',
      refusedAfter: ({ containers }) => {
        for (const each of containers.values()) each.status = 'running'
      },
    },
  },
})

/** `find` empties the volume of a folder of the engine. */
const emptying = (engine: StandInEngine) =>
  scriptedRun(([program, folder = '']) => {
    const volume = engine.volumes.get(folder.split('/').at(-2) ?? '')
    if (program !== 'find' || volume === undefined) return undefined
    volume.content = ''
    return {}
  }).run

proveStep<WithFiles>('docker.return-volumes', {
  machine: async (t) => {
    const backups = openBackups(openFiles(scratchRoot(t)))
    const engine = await machine()
    const run = { signal: new AbortController().signal, progress: () => {} } as never
    const archive = archiveVolumes('docker.archive-volumes', openEngine(engine.connection), backups)
    await archive.act({ id: 'web', folder: 'web-1', manifest }, run)
    return { engine, backups }
  },
  open: ({ engine, backups }, door) => {
    const { run } = door({ run: emptying(engine) })
    return returnVolumes('docker.return-volumes', {
      engine: openEngine(door(engine.connection)),
      backups: door(backups),
      run,
    })
  },
  look: lookAtFiles,
  withoutHandEdit: 'the step changes nothing',
  cases: {
    'one volume': {
      args: ({ engine }) => ({
        id: ownId(engine),
        name: 'web',
        folder: 'web-1',
        volumes: [{ target: '/data', archive: 'volume1.tar' }],
      }),
      wanted: { ...was, archives: ['web-1/volume1.tar'] },
    },
  },
})

/** The rules of the panel, and where they are passed. */
const lookAtFilter = ({ ipv4, ipv6 }: StandInFilter) => ({
  rules: [ipv4, ipv6].map((table) => table.get('HOSTREEVE-PORTS')?.length ?? 0),
  entries: [ipv4.get('DOCKER-USER')?.length, ipv6.get('INPUT')?.length],
})

/** Tables with a limit that another change has set. */
async function limited(): Promise<StandInFilter> {
  const filter = standInFilter()
  const limits = [{ port: 53, protocol: 'udp' as const, sources: [] }]
  await limitPorts('docker.limit-ports', scriptedRun(scriptIptables(filter)).run).act({ limits }, {
    before: { was: { ipv4: [], ipv6: [] } },
  } as never)
  return filter
}

proveStep<StandInFilter>('docker.limit-ports', {
  machine: limited,
  open: (filter, door) => {
    const { run } = door({ run: scriptedRun(scriptIptables(filter)).run })
    return limitPorts('docker.limit-ports', run)
  },
  look: lookAtFilter,
  withoutHandEdit: 'the chain belongs to the panel',
  cases: {
    'another limit': {
      args: {
        limits: [
          { port: 53, protocol: 'udp', sources: [] },
          { port: 8080, protocol: 'tcp', sources: ['192.0.2.7', '198.51.100.0/24', '2001:db8::/32'] },
        ],
      },
      wanted: { rules: [4, 7], entries: [2, 1] },
    },
    'no limit': { args: { limits: [] }, wanted: { rules: [0, 1], entries: [2, 1] } },
  },
})
