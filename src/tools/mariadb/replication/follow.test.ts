import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openFiles } from '../../../host/files.ts'
import { makeCertificate, ownCertificate } from './certificate.ts'
import { prepareHeartbeat } from './heartbeat.ts'
import { followPrimary, forgetPrimary, restartReplica, skipChange, switchReplica } from './follow.ts'
import { setReplicaAccount } from './replica-account.ts'
import { connectionTo, type StandInReplica, standInReplica } from './testing/stand-in-replica.ts'

const primary = { host: 'db1.example', port: 3306, user: 'hostreeve_replica_1' }
const files = { real: (path: string) => path, write: async () => {}, remove: async () => {} }
const look = ({ primary: followed, isStarted, place }: StandInReplica) => ({ followed, isStarted, place })
const following = () => standInReplica(primary, true)
const broken = () => standInReplica(primary)

proveStep<StandInReplica>('mariadb.follow-primary', {
  machine: () => standInReplica(),
  open: (server, door) => followPrimary({ connection: door(connectionTo(server)), files }),
  look,
  withoutHandEdit: 'final',
  cases: {
    'a new replica': {
      args: { ...primary, password: 'secret', certificate: 'pem' },
      wanted: { followed: primary, isStarted: true, place: 1 },
    },
  },
})

proveStep<StandInReplica>('mariadb.forget-primary', {
  machine: following,
  open: (server, door) => forgetPrimary({ connection: door(connectionTo(server)), files }),
  look,
  withoutHandEdit: 'final',
  cases: { 'a replica': { args: null, wanted: { followed: null, isStarted: false, place: 1 } } },
})

proveStep<StandInReplica>('mariadb.switch-replica', {
  machine: following,
  open: (server, door) => switchReplica(door(connectionTo(server))),
  look,
  withoutHandEdit: 'it is started or stopped, and nothing else',
  cases: {
    stop: { args: { verb: 'stop' }, wanted: { followed: primary, isStarted: false, place: 1 } },
    start: {
      args: { verb: 'start' },
      arrange: (server) => void (server.isStarted = false),
      wanted: { followed: primary, isStarted: true, place: 1 },
    },
  },
})

proveStep<StandInReplica>('mariadb.restart-replica', {
  machine: broken,
  open: (server, door) => restartReplica(door(connectionTo(server))),
  look,
  withoutHandEdit: 'final',
  cases: { 'one that stopped': { args: null, wanted: { followed: primary, isStarted: true, place: 1 } } },
})

proveStep<StandInReplica>('mariadb.skip-change', {
  machine: broken,
  open: (server, door) => skipChange(door(connectionTo(server))),
  look,
  withoutHandEdit: 'final',
  cases: {
    'one that stopped': {
      args: { gtid: '0-11-5', statements: ['insert into t values (1)'] },
      wanted: { followed: primary, isStarted: true, place: 2 },
      repeats: 'it leaves out the next change',
    },
  },
})

proveStep<StandInReplica>('mariadb.set-replica-account', {
  machine: () => standInReplica(),
  open: (server, door) => setReplicaAccount(door(connectionTo(server))),
  look: ({ accounts }) => Object.fromEntries(accounts),
  cases: {
    'a new account': {
      args: { username: 'hostreeve_replica_1', hash: '*FIRST' },
      wanted: { hostreeve_replica_1: '*FIRST' },
      handEdit: ({ accounts }) => accounts.set('hostreeve_replica_1', '*OTHER'),
    },
    'an account that is removed': {
      args: { username: 'hostreeve_replica_1', hash: null },
      arrange: ({ accounts }) => accounts.set('hostreeve_replica_1', '*FIRST'),
      wanted: {},
    },
  },
})

proveStep<StandInReplica>('mariadb.prepare-heartbeat', {
  machine: () => standInReplica(),
  open: (server, door) => prepareHeartbeat(door(connectionTo(server))),
  look: ({ hasHeartbeats }) => hasHeartbeats,
  withoutHandEdit: 'a table that is there is kept, whoever made it',
  cases: {
    'a primary without replicas': { args: null, wanted: true },
    'one that has the table': {
      args: null,
      arrange: (server) => void (server.hasHeartbeats = true),
      wanted: true,
    },
  },
})

const account = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

proveStep<string>('mariadb.make-certificate', {
  machine: (t) => scratchRoot(t),
  open: (root, door) =>
    makeCertificate({ files: door(openFiles(root)), accounts: { find: async () => account } as never }),
  look: async (root) =>
    Promise.all(
      [ownCertificate.cert, ownCertificate.key].map(
        async (path) => (await openFiles(root).read(path))?.split('\n')[0] ?? null,
      ),
    ),
  withoutHandEdit: 'a certificate that is there is kept, whoever made it',
  cases: {
    'a new one': {
      args: { path: ownCertificate.cert },
      wanted: ['-----BEGIN CERTIFICATE-----', '-----BEGIN PRIVATE KEY-----'],
    },
    'that of the administrator': {
      args: { path: '/etc/mysql/other.pem' },
      arrange: async (root) => {
        await openFiles(root).makeDirectory('/etc/mysql')
        await openFiles(root).write('/etc/mysql/other.pem', 'pem')
      },
      wanted: [null, null],
    },
  },
})
