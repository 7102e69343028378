import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Files, openFiles } from '../../host/files.ts'
import { type Script, scriptedRun } from '../../host/testing/scripted-run.ts'
import { commandsIn } from './commands.ts'
import { rules, rulesPath } from './layout.ts'
import { writeRules } from './write-rules.ts'

const log = [
  `type=USER_LOGIN msg=audit(1700000000.100:10): pid=9 uid=0 auid=1000 ses=3 msg='op=login id=1000 exe="/usr/sbin/sshd" hostname=? addr=192.0.2.7 terminal=/dev/pts/0 res=success'`,
  'type=SYSCALL msg=audit(1700000001.000:11): arch=c000003e syscall=59 success=yes exit=0 ppid=1 pid=2 auid=1000 uid=0 tty=pts0 ses=3 comm="ls" exe="/usr/bin/ls" key="hostreeve_ssh"\u001dARCH=x86_64 AUID="eve"',
  'type=EXECVE msg=audit(1700000001.000:11): argc=3 a0="ls" a1="-l" a2=61206220',
  'type=PROCTITLE msg=audit(1700000001.000:11): proctitle=6C73',
  'type=SYSCALL msg=audit(1700000002.000:12): syscall=59 auid=1000 ses=3 key="other"',
  'type=EXECVE msg=audit(1700000002.000:12): argc=1 a0="other"',
  'type=SYSCALL msg=audit(1700000003.500:13): syscall=59 auid=1001 ses=9 key="hostreeve_ssh"',
  'type=EXECVE msg=audit(1700000003.500:13): argc=1 a0="id"',
  'cut off',
].join('\n')

test('finds the commands of sessions, the latest first, with where they came from', () => {
  assert.deepEqual(
    commandsIn(log, (uid) => (uid === 1000 ? 'ada' : String(uid))),
    [
      { at: '2023-11-14T22:13:23.500Z', user: '1001', source: '', command: 'id' },
      { at: '2023-11-14T22:13:21.000Z', user: 'ada', source: '192.0.2.7', command: 'ls -l a b ' },
    ],
  )
})

interface Machine {
  readonly files: Files
  readonly kernel: { rules: string }
  readonly script: Script
}

async function machine(root: string): Promise<Machine> {
  const files = openFiles(root)
  await files.makeDirectory('/etc/audit/rules.d')
  const kernel = { rules: '' }
  const script: Script = ([program]) => {
    if (program === 'auditctl') return { stdout: kernel.rules }
    return undefined
  }
  return { files, kernel, script }
}

proveStep<Machine>('auditd.write-rules', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, kernel, script }, door) => {
    const { run } = scriptedRun(script)
    const loading = async (...call: Parameters<typeof run>) => {
      if (call[0][0] !== 'augenrules') return run(...call)
      kernel.rules = (await files.read(rulesPath)) ?? ''
      return { code: 0, stdout: '', stderr: '', isCut: false, durationMs: 0 }
    }
    return writeRules({ files: door(files), run: door({ loading }).loading as typeof run })
  },
  look: async ({ files, kernel }) => ({ file: (await files.read(rulesPath)) ?? null, kernel: kernel.rules }),
  cases: {
    'commands, which are recorded': {
      args: { enabled: true, overwrite: false },
      wanted: { file: rules, kernel: rules },
      handEdit: ({ files }) => files.write(rulesPath, '# by hand\n'),
      refusedAfter: ({ files }) => files.write(rulesPath, '# by hand\n'),
    },
    'commands, which are recorded no more': {
      arrange: async ({ files, kernel }) => {
        await files.write(rulesPath, rules)
        kernel.rules = rules
      },
      args: { enabled: false, overwrite: false },
      wanted: { file: null, kernel: '' },
    },
  },
})
