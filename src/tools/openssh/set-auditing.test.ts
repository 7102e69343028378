import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Files, openFiles } from '../../host/files.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { readMessage } from './audit-entries.ts'
import { auditingState, setAuditing } from './set-auditing.ts'

const path = '/etc/ssh/sshd_config.d/10-hostreeve-audit.conf'

proveStep<Files>('openssh.set-auditing', {
  skip: process.getuid?.() !== 0 && 'only root can give directories to root',
  machine: async (t) => {
    const files = openFiles(scratchRoot(t))
    await files.makeDirectory('/etc/ssh/sshd_config.d')
    await files.makeDirectory('/run')
    await files.write('/etc/ssh/sshd_config', 'Include /etc/ssh/sshd_config.d/*.conf\n')
    return files
  },
  open: (files, door) => {
    const sshd = ([, verb]: readonly string[]) => {
      const live = files.real(path)
      return {
        stdout: verb === '-T' && existsSync(live) ? readFileSync(live, 'utf8').replaceAll('    ', '') : '',
      }
    }
    return setAuditing({
      files: door(files),
      run: scriptedRun(sshd).run,
      services: door({ list: async () => [{ name: 'ssh', active: true }], act: async () => {} }) as never,
    })
  },
  look: (files) => auditingState(files),
  cases: {
    'each session, which is logged': {
      args: { enabled: true, overwrite: false },
      wanted: 'applied',
      handEdit: (files) => files.write(path, 'LogLevel DEBUG\n'),
      refusedAfter: (files) => files.write(path, 'LogLevel DEBUG\n'),
    },
    'a file that was edited by hand, which is replaced': {
      arrange: (files) => files.write(path, 'LogLevel DEBUG\n'),
      args: { enabled: true, overwrite: true },
      wanted: 'applied',
    },
  },
})

const shown = (message: string) => {
  const { event, user, source, method, command } = readMessage(message) ?? {}
  return [event, user, source, method, command]
}

test('takes what sshd logs apart', () => {
  assert.deepEqual(shown('Accepted publickey for ada from 192.0.2.1 port 4711 ssh2: ED25519 SHA256:x'), [
    ...['login', 'ada', '192.0.2.1', 'publickey', ''],
  ])
  assert.deepEqual(shown('Failed password for invalid user bob from 2001:db8::1 port 4711 ssh2'), [
    ...['failed', 'bob', '2001:db8::1', 'password', ''],
  ])
  assert.deepEqual(shown('Invalid user a from 203.0.113.1 port 1 from 192.0.2.1 port 4711'), [
    ...['failed', 'a from 203.0.113.1 port 1', '192.0.2.1', 'unknown user', ''],
  ])
  assert.deepEqual(shown('Starting session: shell on pts/0 for ada from 192.0.2.1 port 4711 id 0'), [
    ...['session', 'ada', '192.0.2.1', 'shell', ''],
  ])
  assert.deepEqual(shown("Starting session: subsystem 'sftp' for ada from 192.0.2.1 port 4711 id 0"), [
    ...['session', 'ada', '192.0.2.1', 'subsystem', 'sftp'],
  ])
  assert.deepEqual(
    shown("Starting session: forced-command (config) 'internal-sftp' for ada from 192.0.2.1 port 4711 id 0"),
    ['session', 'ada', '192.0.2.1', 'forced-command', 'internal-sftp'],
  )
  assert.deepEqual(shown('Disconnected from user ada 192.0.2.1 port 4711'), [
    'logout',
    'ada',
    '192.0.2.1',
    '',
    '',
  ])
  assert.equal(readMessage('Server listening on 0.0.0.0 port 22.'), undefined)
})
