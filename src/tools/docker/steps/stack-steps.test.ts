import { proveStep } from '../../../../test/support/step-suite.ts'
import type { HttpConnection } from '../../../host/connect/index.ts'
import { openEngine } from '../engine.ts'
import { awaitHealth } from './await-health.ts'
import { createNetwork, removeNetwork } from './create-network.ts'
import { keepVolume, removeVolume } from './keep-volume.ts'
import { pruneObjects } from './prune-objects.ts'
import { removeImage } from './remove-image.ts'
import { imageIdOf } from '../testing/parts.ts'
import { type StandInEngine, standInEngine } from '../testing/stand-in-engine.ts'

const named = { name: 'shop', labels: { 'hostreeve.stack': 'shop' }, token: 'a1' }
const own = { 'hostreeve.stack': 'shop', 'hostreeve.change': 'a1' }

const engineOf = (connection: HttpConnection) => openEngine(connection)
const look = ({ networks, volumes, images, containers }: StandInEngine) => ({
  networks: [...networks],
  volumes: [...volumes].map(([name, { labels }]) => [name, labels]),
  images: [...images.keys()],
  containers: [...containers.values()].map(({ name, status }) => `${name} ${status}`),
})
const nothing = { networks: [], volumes: [], images: [], containers: [] }

const addNetwork = ({ networks }: StandInEngine) => networks.set('shop', {})
const addVolume = ({ volumes }: StandInEngine) => volumes.set('shop', { labels: {}, content: '' })
const imageId = imageIdOf('shop:1')
const addImage = ({ images }: StandInEngine) => images.set('shop:1', {})
const addContainer = (engine: StandInEngine) => {
  addImage(engine)
  engine.containers.set('c1', {
    id: 'c1',
    name: 'shop',
    image: 'shop:1',
    status: 'running',
    startedAt: 1,
    restartPolicy: 'no',
    env: [],
    command: [],
    labels: {},
    binds: [],
    network: 'bridge',
    ports: {},
  })
}

proveStep<StandInEngine>('docker.create-network', {
  machine: () => standInEngine(),
  open: ({ connection }, door) => createNetwork('docker.create-network', engineOf(door(connection))),
  look,
  cases: {
    'a new one': { args: named, wanted: { ...nothing, networks: [['shop', own]] }, refusedAfter: addNetwork },
  },
  withoutHandEdit: 'a network of another change is refused before, and has another label',
})

proveStep<StandInEngine>('docker.remove-network', {
  machine: () => standInEngine(),
  open: ({ connection }, door) => removeNetwork('docker.remove-network', engineOf(door(connection))),
  look,
  cases: { 'one that nothing uses': { args: { name: 'shop' }, arrange: addNetwork, wanted: nothing } },
  withoutHandEdit: 'the step is final',
})

proveStep<StandInEngine>('docker.keep-volume', {
  machine: () => standInEngine(),
  open: ({ connection }, door) => keepVolume('docker.keep-volume', engineOf(door(connection))),
  look,
  cases: {
    'a new one': { args: named, wanted: { ...nothing, volumes: [['shop', own]] } },
    'one that exists': { args: named, arrange: addVolume, wanted: { ...nothing, volumes: [['shop', {}]] } },
  },
  withoutHandEdit: 'a volume of another change has another label, and stays',
})

proveStep<StandInEngine>('docker.remove-volume', {
  machine: () => standInEngine(),
  open: ({ connection }, door) => removeVolume('docker.remove-volume', engineOf(door(connection))),
  look,
  cases: { 'one that nothing uses': { args: { name: 'shop' }, arrange: addVolume, wanted: nothing } },
  withoutHandEdit: 'the step is final',
})

proveStep<StandInEngine>('docker.remove-image', {
  machine: () => standInEngine(),
  open: ({ connection }, door) => removeImage('docker.remove-image', engineOf(door(connection))),
  look,
  cases: {
    'one that no container uses': {
      args: { id: imageId, name: 'shop:1' },
      arrange: addImage,
      wanted: nothing,
    },
  },
  withoutHandEdit: 'the step is final',
})

proveStep<StandInEngine>('docker.prune-objects', {
  machine: () => standInEngine(),
  open: ({ connection }, door) => pruneObjects('docker.prune-objects', engineOf(door(connection))),
  look,
  cases: {
    'an image and a volume': {
      args: {
        objects: [
          { kind: 'image', id: imageId, name: 'shop:1', size: 10 },
          { kind: 'volume', id: 'shop', name: 'shop', size: 5 },
        ],
      },
      arrange: (engine) => {
        addImage(engine)
        addVolume(engine)
      },
      wanted: nothing,
      repeats: 'what is gone is not counted again',
    },
  },
  withoutHandEdit: 'the step is final',
})

proveStep<StandInEngine>('docker.await-health', {
  machine: () => standInEngine(),
  open: ({ connection }, door) => awaitHealth('docker.await-health', engineOf(door(connection))),
  look,
  cases: {
    'a container that is healthy': {
      args: { id: 'shop', name: 'shop' },
      arrange: addContainer,
      wanted: { ...nothing, images: ['shop:1'], containers: ['shop running'] },
    },
    'a container whose health check the engine has not run yet': {
      args: { id: 'shop', name: 'shop' },
      arrange: (engine) => {
        addContainer(engine)
        const shop = [...engine.containers.values()][0]
        if (shop) Object.assign(shop, { isStarting: true, healthCheck: { Test: ['CMD-SHELL', 'true'] } })
      },
      wanted: { ...nothing, images: ['shop:1'], containers: ['shop running'] },
    },
  },
  withoutHandEdit: 'the step changes nothing',
})
