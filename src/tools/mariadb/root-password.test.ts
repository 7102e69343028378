import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Files, openFiles } from '../../host/files.ts'
import { credentialsPath, setRootPassword } from './root-password.ts'
import { asInstalled, methodsOf, type StandInServer, standInServer } from './testing/stand-in.ts'

interface Machine {
  readonly files: Files
  readonly server: StandInServer
}

const args = { password: 'password' }
const hash = '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19' // that of "password", as MariaDB computes it
const other = '*B69027D44F6E5EDC07F1AEAD1477967B16F28227'

async function machine(root: string): Promise<Machine> {
  const files = openFiles(root)
  await files.makeDirectory('/root')
  return { files, server: standInServer() }
}

const look = async ({ files, server }: Machine) => ({
  credentials: await files.read(credentialsPath),
  methods: methodsOf(server),
})
const set = (secret: string) => (machine: Machine) => {
  machine.server.priv = JSON.stringify({ plugin: 'mysql_native_password', authentication_string: secret })
}

proveStep<Machine>('mariadb.set-root-password', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, server }, door) => setRootPassword(door(server.connection), door(files)),
  look,
  cases: {
    'a server as it was installed': {
      args,
      wanted: {
        credentials: '[client]\nuser=root\npassword=password\n',
        methods: ['unix_socket', `mysql_native_password ${hash}`],
      },
      handEdit: set(other),
    },
    'a server whose root has a password': {
      args,
      arrange: set(other),
      wanted: { credentials: undefined, methods: [`mysql_native_password ${other}`] },
      handEdit: set(hash),
    },
  },
})

test('writes the credentials for root alone, and shows them in no plan', async (t) => {
  const { files, server } = await machine(scratchRoot(t))
  const kind = setRootPassword(server.connection, files)
  assert.doesNotMatch(JSON.stringify(await kind.plan(args)), /"password"/)
  await kind.act(args, stepRun(await kind.observe(args)))
  assert.equal((await files.facts(credentialsPath))?.mode, 0o600)
  await kind.undo(args, { was: { authentication: [{ plugin: 'unix_socket', secret: '' }] } })
  assert.equal(await files.facts(credentialsPath), undefined)
  assert.notEqual(server.priv, asInstalled)
})
