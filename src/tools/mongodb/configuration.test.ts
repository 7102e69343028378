import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksForSignIn, portIn, withSignIn } from './configuration.ts'

const packaged = `# mongod.conf
storage:
  dbPath: /var/lib/mongodb
net:
  port: 27017
  bindIp: 127.0.0.1

#security:

#replication:
`
const added = '\n# added by Hostreeve\nsecurity:\n  authorization: enabled\n'

test('adds the section to the file of the package, and nothing else', () => {
  assert.equal(asksForSignIn(packaged), false)
  assert.equal(withSignIn(packaged), packaged + added)
  assert.equal(asksForSignIn(withSignIn(packaged)), true)
})

test('changes one line of a section that is there, and keeps its indentation', () => {
  const written = 'security: # ours\n    keyFile: /k\n    authorization: "disabled"\nnet:\n    port: 27018\n'
  const changed = withSignIn(written)
  assert.equal(changed, written.replace('authorization: "disabled"', 'authorization: enabled'))
  assert.equal(
    withSignIn('security:\n    keyFile: /k\n'),
    'security:\n    authorization: enabled\n    keyFile: /k\n',
  )
  assert.equal(
    withSignIn('security:\nnet:\n  port: 1\n'),
    'security:\n  authorization: enabled\nnet:\n  port: 1\n',
  )
})

test('reads settings as they are written, and only those of their section', () => {
  assert.equal(asksForSignIn("security:\n  authorization: 'enabled' # since 2024\n"), true)
  assert.equal(asksForSignIn('net:\n  authorization: enabled\n'), false)
  assert.equal(asksForSignIn('#security:\n#  authorization: enabled\n'), false)
  assert.deepEqual(
    [packaged, 'net:\n  port: 27018\n', 'net:\n  port: x\n', ''].map(portIn),
    [27017, 27018, 27017, 27017],
  )
})

test('refuses a section that is written in one line', () => {
  assert.throws(() => withSignIn('security: { authorization: disabled }\n'), /a line of its own/)
})
