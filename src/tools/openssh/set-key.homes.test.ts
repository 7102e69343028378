import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { proveStep } from '../../../test/support/step-suite.ts'
import { asOwner, type Bench, makeBench, skip } from '../../host/owner/testing/homes.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { setKey } from './set-key.ts'
import { madeKeys } from './testing/keys.ts'
import { sshdHost } from './testing/sshd-host.ts'

interface Machine {
  readonly account: Bench['alice']
  readonly sshd: ReturnType<typeof sshdHost>
}

const bench = skip === false ? makeBench() : undefined
after(() => bench?.remove())

const { ed25519, rsa2048, ecdsa256 } = madeKeys
let uid = 61_200
const fileOf = ({ account }: Machine) => join(account.home, '.ssh/authorized_keys')
const write = (content: string) => (machine: Machine) =>
  asOwner(machine.account, 'sh', '-c', 'mkdir -p .ssh; printf %s "$1" > .ssh/authorized_keys', 'sh', content)
const other = `# mine\n${rsa2048.line}\n`
const args = { username: 'ann', fingerprint: ed25519.fingerprint }

proveStep<Machine>('openssh.set-key', {
  skip,
  machine: () => {
    uid += 1
    const sessions = [
      { pid: 20, username: 'ann', fingerprint: ed25519.fingerprint },
      { pid: 30, username: 'ann', fingerprint: rsa2048.fingerprint },
    ]
    return { account: bench!.account(`s${uid}`, uid), sshd: sshdHost(sessions) }
  },
  open: ({ account, sshd }, door) =>
    setKey({
      accounts: {
        find: async () => ({ ...account, username: 'ann', comment: '', shell: '/bin/sh' }),
      } as never,
      owners: { of: () => door(bench!.owners.of(account)) } as never,
      run: door(scriptedRun(sshd.script).run),
    }),
  look: (machine) => (existsSync(fileOf(machine)) ? readFileSync(fileOf(machine), 'latin1') : ''),
  cases: {
    'a first key': {
      args: { ...args, line: ed25519.line },
      wanted: `${ed25519.line}\n`,
    },
    'a key beside others': {
      arrange: write(other),
      callsAsIn: 'a first key',
      args: { ...args, line: ed25519.line },
      wanted: `${other}${ed25519.line}\n`,
      handEdit: write(`${other}${ecdsa256.line}\n`),
      onTop: `${other}${ecdsa256.line}\n${ed25519.line}\n`,
    },
    'a key that is removed': {
      arrange: write(`${other}no-pty ${ed25519.line}\n`),
      args: { ...args, line: null },
      wanted: other,
    },
  },
})
