import { proveStep } from '../../../../test/support/step-suite.ts'
import type { HttpConnection } from '../../../host/connect/index.ts'
import { openEngine } from '../engine.ts'
import { type EngineInMemory, engineInMemory } from '../testing/engine-in-memory.ts'
import { awaitHealth } from './await-health.ts'
import { createNetwork, removeNetwork } from './create-network.ts'
import { keepVolume, removeVolume } from './keep-volume.ts'
import { pruneObjects } from './prune-objects.ts'
import { removeImage } from './remove-image.ts'

const named = { name: 'shop', labels: { 'hostreeve.stack': 'shop' }, token: 'a1' }
const own = { 'hostreeve.stack': 'shop', 'hostreeve.change': 'a1' }

const engineOf = (connection: HttpConnection) => openEngine(connection)
const look = ({ networks, volumes, images, containers }: EngineInMemory) => ({
  networks: [...networks].flatMap(([name, { Labels }]) => (name === 'bridge' ? [] : [[name, Labels]])),
  volumes: [...volumes],
  images: [...images.keys()],
  containers: [...containers.values()].map(({ Name, status }) => `${Name} ${status}`),
})
const nothing = { networks: [], volumes: [], images: [], containers: [] }

const addNetwork = ({ networks }: EngineInMemory) => networks.set('shop', { Id: 'n1', Labels: null })
const addVolume = ({ volumes }: EngineInMemory) => volumes.set('shop', null)
const addImage = ({ images }: EngineInMemory) =>
  images.set('shop:1', { Id: 'sha256:a1', Size: 10, Labels: null })
const addContainer = (engine: EngineInMemory) => {
  addImage(engine)
  engine.containers.set('shop', {
    Id: 'c1',
    Name: 'shop',
    image: 'shop:1',
    body: { Healthcheck: {} },
    status: 'running',
    startedAt: 1,
  })
}

proveStep<EngineInMemory>('docker.create-network', {
  machine: () => engineInMemory(),
  open: ({ connection }, door) => createNetwork('docker.create-network', engineOf(door(connection))),
  look,
  cases: {
    'a new one': { args: named, wanted: { ...nothing, networks: [['shop', own]] }, refusedAfter: addNetwork },
  },
  withoutHandEdit: 'a network of another change is refused before, and has another label',
})

proveStep<EngineInMemory>('docker.remove-network', {
  machine: () => engineInMemory(),
  open: ({ connection }, door) => removeNetwork('docker.remove-network', engineOf(door(connection))),
  look,
  cases: { 'one that nothing uses': { args: { name: 'shop' }, arrange: addNetwork, wanted: nothing } },
  withoutHandEdit: 'the step is final',
})

proveStep<EngineInMemory>('docker.keep-volume', {
  machine: () => engineInMemory(),
  open: ({ connection }, door) => keepVolume('docker.keep-volume', engineOf(door(connection))),
  look,
  cases: {
    'a new one': { args: named, wanted: { ...nothing, volumes: [['shop', own]] } },
    'one that exists': { args: named, arrange: addVolume, wanted: { ...nothing, volumes: [['shop', null]] } },
  },
  withoutHandEdit: 'a volume of another change has another label, and stays',
})

proveStep<EngineInMemory>('docker.remove-volume', {
  machine: () => engineInMemory(),
  open: ({ connection }, door) => removeVolume('docker.remove-volume', engineOf(door(connection))),
  look,
  cases: { 'one that nothing uses': { args: { name: 'shop' }, arrange: addVolume, wanted: nothing } },
  withoutHandEdit: 'the step is final',
})

proveStep<EngineInMemory>('docker.remove-image', {
  machine: () => engineInMemory(),
  open: ({ connection }, door) => removeImage('docker.remove-image', engineOf(door(connection))),
  look,
  cases: {
    'one that no container uses': {
      args: { id: 'sha256:a1', name: 'shop:1' },
      arrange: addImage,
      wanted: nothing,
    },
  },
  withoutHandEdit: 'the step is final',
})

proveStep<EngineInMemory>('docker.prune-objects', {
  machine: () => engineInMemory(),
  open: ({ connection }, door) => pruneObjects('docker.prune-objects', engineOf(door(connection))),
  look,
  cases: {
    'an image and a volume': {
      args: {
        objects: [
          { kind: 'image', id: 'sha256:a1', name: 'shop:1', size: 10 },
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

proveStep<EngineInMemory>('docker.await-health', {
  machine: () => engineInMemory(),
  open: ({ connection }, door) => awaitHealth('docker.await-health', engineOf(door(connection))),
  look,
  cases: {
    'a container that is healthy': {
      args: { id: 'shop', name: 'shop' },
      arrange: addContainer,
      wanted: { ...nothing, images: ['shop:1'], containers: ['shop running'] },
    },
  },
  withoutHandEdit: 'the step changes nothing',
})
