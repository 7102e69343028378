import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { countSessions, endSessions } from './sessions.ts'
import { readSignIns } from './sign-ins.ts'
import { sshdHost } from './testing/sshd-host.ts'

const key = (letter: string) => `SHA256:${letter.repeat(43)}`

describe('the sessions of an account', () => {
  const host = () =>
    sshdHost([
      { pid: 20, username: 'ada', fingerprint: key('a') },
      { pid: 30, username: 'ada', fingerprint: key('b') },
      { pid: 40, username: 'ada', fingerprint: null }, // with a password
      { pid: 50, username: 'ada', fingerprint: undefined }, // not in the journal
      { pid: 60, username: 'bob', fingerprint: key('a') },
    ])

  it('are counted by the key that opened them, and where the journal does not tell it', async () => {
    const { run } = scriptedRun(host().script)
    assert.equal(await countSessions(run, { username: 'ada' }), 4)
    assert.equal(await countSessions(run, { username: 'ada', fingerprint: key('a') }), 2)
    assert.equal(await countSessions(run, { username: 'eve' }), 0)
  })

  it('end with all their programs; those of other keys and accounts stay', async () => {
    const { script, pids } = host()
    await endSessions(scriptedRun(script).run, { username: 'ada', fingerprint: key('a') })
    assert.deepEqual(pids(), [1, 30, 31, 32, 40, 41, 42, 60, 61, 62])
    await endSessions(scriptedRun(script).run, { username: 'ada' })
    assert.deepEqual(pids(), [1, 60, 61, 62])
  })

  it('are not those that a process of an account pretends to have', async () => {
    const { run } = scriptedRun(([program]) =>
      program === 'ps'
        ? { stdout: '  70   1  1001 sshd: ada [priv]\n  71  1  0 sshd: ada [priv] x\n' }
        : undefined,
    )
    assert.equal(await countSessions(run, { username: 'ada' }), 0)
  })
})

describe('sign-ins', () => {
  it('have their time, method, key and address; damaged entries are left out', async () => {
    const entry = (message: unknown) =>
      JSON.stringify({ MESSAGE: message, _PID: '9', __REALTIME_TIMESTAMP: '1700000000000000' })
    const stdout = [
      entry(`Accepted publickey for ada from 2001:db8::1 port 4711 ssh2: ED25519 ${key('a')}`),
      entry('Accepted password for ada from 192.0.2.1 port 4712 ssh2'),
      entry('Accepted password for adam from 192.0.2.1 port 4713 ssh2'),
      entry([255, 254]),
      '{"MESSAGE":"Accepted pass',
    ].join('\n')
    const { run } = scriptedRun(([program]) => (program === 'journalctl' ? { stdout } : undefined))
    const at = '2023-11-14T22:13:20.000Z'
    assert.deepEqual(await readSignIns(run, 'ada'), [
      { at, method: 'publickey', fingerprint: key('a'), address: '2001:db8::1' },
      { at, method: 'password', fingerprint: null, address: '192.0.2.1' },
    ])
  })
})
