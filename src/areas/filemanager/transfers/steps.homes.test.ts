import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, before } from 'node:test'
import { proveStep } from '../../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { openAddresses, openFetch } from '../../../host/fetch/index.ts'
import { insertRow } from '../../../store/rows.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { type Home, lookAt, makeHome, openHome, removeHome, sh, skip } from '../steps/testing/home.ts'
import { downloadStep } from './download-step.ts'
import { createFileUploads } from './migrations/202611220800-file-uploads.ts'
import { uploadSteps } from './steps.ts'
import { uploadQueries, type UploadRow } from './store.ts'
import { UploadTakeover } from './upload-takeover.ts'

after(removeHome)

interface Machine {
  readonly home: Home
  readonly store: Store
}

const stores: Store[] = []
const server = createServer((_request, response) => void response.end('bytes'))
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(async () => {
  server.close()
  for (const store of stores) await store.close()
})

const id = 7
const size = 6
const args = { id, username: 'alice', name: '7-abc', path: { field: 'path', path: 'file' } }
const row: UploadRow = {
  id,
  user_id: 1,
  username: 'alice',
  name: args.name,
  path: '"file"',
  size_bytes: size,
  sha256: null,
  if_match: null,
  overwrite: 0,
  state: 'open',
  firm_bytes: 0,
  sealed_etag: null,
  file: null,
  created_at: '2026-11-22T00:00:00.000Z',
  expires_at: '2026-11-23T00:00:00.000Z',
}
const users = {
  name: '202600000000-users',
  statements: ['create table users (id integer primary key)', 'insert into users values (1)'],
}

async function machine(): Promise<Machine> {
  const store = await openStore({ now: new Date(), migrations: [users, createFileUploads] })
  stores.push(store)
  await store.transaction((tx) => store.write(tx, [insertRow('file_uploads', row)]))
  return { home: makeHome(), store }
}
const open = ({ home, store }: Machine, door: Stoppable['door']) => {
  const { ownerOf, recorder } = openHome(home, door)
  return uploadSteps({ ownerOf, recorder, queries: uploadQueries(store), takeover: new UploadTakeover() })
}
const look = ({ home: { home, ...rest } }: Machine) => {
  const hidden = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^\..*\//.test(name),
  )
  return { files: lookAt({ home, ...rest }), hidden: hidden.map((name) => statSync(`${home}/${name}`).size) }
}
const begun = async (machine: Machine) => {
  const { owner } = openHome(machine.home, (thing) => thing)
  await owner.uploads.of(args.name, args.path).open(size)
}
const received = async (machine: Machine) => {
  await begun(machine)
  const { owner } = openHome(machine.home, (thing) => thing)
  await owner.uploads
    .of(args.name, args.path)
    .append(Readable.from([Buffer.from('abc')]), { offset: 0, maxBytes: size })
}
const base = { skip, machine, look }

proveStep<Machine>('filemanager.open-upload', {
  ...base,
  open: (machine, door) => open(machine, door).openUpload,
  withoutHandEdit: 'a hidden file of a name that was never used',
  cases: { 'of a file': { args: { ...args, sizeBytes: size }, wanted: { files: [], hidden: [0] } } },
})

proveStep<Machine>('filemanager.cancel-upload', {
  ...base,
  open: (machine, door) => open(machine, door).cancelUpload,
  withoutHandEdit: 'final',
  cases: { 'that was begun': { args, arrange: received, wanted: { files: [], hidden: [] } } },
})

proveStep<Machine>('filemanager.upload-part', {
  ...base,
  open: (machine, door) => open(machine, door).uploadPart,
  withoutHandEdit: 'final',
  cases: {
    'the last one': {
      args: { ...args, offset: 3, overwrite: false },
      live: () => Readable.from([Buffer.from('def')]),
      arrange: received,
      wanted: { files: ['file: abcdef'], hidden: [] },
    },
  },
})

proveStep<Machine>('filemanager.download', {
  ...base,
  open: ({ home }, door) => {
    const addresses = openAddresses({ allow: ['127.0.0.1'] })
    const downloads = { validatorOf: async () => undefined, keepValidator: async () => {} }
    const { ownerOf } = openHome(home, door)
    return downloadStep({ addresses, fetch: openFetch(addresses), ownerOf, downloads })
  },
  cases: {
    'into the home': {
      args: () => ({
        username: 'alice',
        name: 'url-1',
        folder: { field: 'path', path: '' },
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`,
        isAdmin: false,
      }),
      repeats: 'it takes the next free name',
      returns: { file: 'file', size_bytes: 5 },
      wanted: { files: ['file: bytes'], hidden: [] },
      handEdit: ({ home }) => sh('echo mine >file')(home),
      onTop: { files: ['file: mine', 'file (1): bytes'], hidden: [] },
    },
  },
})
