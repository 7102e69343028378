import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Files, openFiles } from '../../host/files.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { type Access, dropInOf, homeMount, renderDropIn } from './drop-in.ts'
import { setAccess } from './set-access.ts'
import { setPassword } from './set-password.ts'
import { findObstacle } from './sshd.ts'
import { sshdHost } from './testing/sshd-host.ts'

interface Machine {
  readonly files: Files
  readonly sshd: ReturnType<typeof sshdHost>
  readonly mounted: Set<string>
  readonly script: Script
}

const account = { username: 'ada-b', home: '/home/ada-b' }
const argsOf = (access: Access, takesPassword = false) => ({ ...account, access, takesPassword })
const unit = String.raw`var-lib-hostreeve_sftp-ada\x2db-home-ada\x2db.mount`

async function machine(root: string): Promise<Machine> {
  const files = openFiles(root)
  await files.makeDirectory('/etc/ssh/sshd_config.d')
  await files.makeDirectory('/etc/systemd/system')
  await files.makeDirectory('/run/systemd/system')
  await files.write('/etc/ssh/sshd_config', 'Include /etc/ssh/sshd_config.d/*.conf\nUsePAM yes\n')
  const mounted = new Set<string>()
  const sshd = sshdHost([{ pid: 20, username: 'ada-b', fingerprint: null }])
  const script: Script = (argv, options) => {
    const [program, verb] = argv
    if (program === 'sshd') {
      const path = files.real(dropInOf('ada-b'))
      return {
        stdout: verb === '-T' && existsSync(path) ? readFileSync(path, 'utf8').replaceAll('    ', '') : '',
      }
    }
    if (program !== 'systemctl') return sshd.script(argv, options)
    if (verb === 'enable') mounted.add(argv.at(-1)!)
    if (verb === 'disable') mounted.delete(argv.at(-1)!)
    return {}
  }
  return { files, sshd, mounted, script }
}

const open = ({ files, script }: Machine, door: <Thing extends object>(thing: Thing) => Thing) =>
  setAccess({
    files: door(files),
    run: door(scriptedRun(script).run),
    services: door({ list: async () => [{ name: 'ssh', active: true }], act: async () => {} }) as never,
  })

const seen = (access: Access, takesPassword = false) => ({
  dropIn: renderDropIn(argsOf(access, takesPassword)),
  mounted: access === 'sftp' ? [unit] : [],
  unit: access === 'sftp' ? homeMount(account).content : undefined,
})

const noUnits = process.getuid?.() !== 0 && 'only root can give directories to root'

proveStep<Machine>('openssh.set-access', {
  skip: noUnits,
  machine: (t) => machine(scratchRoot(t)),
  open,
  look: async ({ files, mounted }) => ({
    dropIn: await files.read(dropInOf('ada-b')),
    mounted: [...mounted],
    unit: await files.read(homeMount(account).path),
  }),
  cases: {
    'SFTP without a shell': {
      args: argsOf('sftp', true),
      wanted: seen('sftp', true),
      handEdit: ({ files }) => files.write(dropInOf('ada-b'), 'Match User ada-b\n    PermitTTY no\n'),
      refusedAfter: ({ files }) => files.removeDirectory('/run/systemd/system'),
    },
    'no sign-in': { args: argsOf('none'), wanted: seen('none') },
    'everything, after SFTP without a shell': {
      arrange: async (on) => {
        const kind = open(on, (thing) => thing)
        const run = { before: { was: null }, isJustObserved: true } as never
        await kind.act(argsOf('sftp'), run)
      },
      args: argsOf('all'),
      wanted: seen('all'),
    },
  },
})

proveStep<{ readonly passwords: Map<string, string>; readonly script: Script }>('openssh.set-password', {
  machine: () => {
    const passwords = new Map([['ada', 'former']])
    const sshd = sshdHost([])
    const script: Script = (argv, options) => {
      if (argv[0] !== 'chpasswd') return sshd.script(argv, options)
      const [, name = '', password = ''] = /^([^:]*):(.*)\n$/.exec(String(options.input)) ?? []
      passwords.set(name, password)
      return {}
    }
    return { passwords, script }
  },
  open: ({ script }, door) => setPassword({ run: door(scriptedRun(script).run) }),
  look: ({ passwords }) => [...passwords],
  withoutHandEdit: 'the step is final',
  cases: {
    'a password with a colon': {
      args: { username: 'ada', password: 'a:long:password' },
      wanted: [['ada', 'a:long:password']],
    },
  },
})

describe('the file for an account', () => {
  it('has no effect where sshd does not include its directory', async (t) => {
    const { files } = await machine(scratchRoot(t))
    assert.equal(await findObstacle({ files }), undefined)
    for (const text of [
      'UsePAM yes\n',
      'Match User x\nInclude /etc/ssh/sshd_config.d/*.conf\n',
      '#Include /etc/ssh/sshd_config.d/*.conf\n',
    ]) {
      await files.write('/etc/ssh/sshd_config', text)
      assert.match((await findObstacle({ files })) ?? '', /does not include/)
    }
    await files.remove('/etc/ssh/sshd_config')
    assert.match((await findObstacle({ files })) ?? '', /does not exist/)
  })

  it('is refused where another line takes precedence, or sshd rejects it', { skip: noUnits }, async (t) => {
    const on = await machine(scratchRoot(t))
    for (const [verb, message] of [
      ['-T', /takes precedence over "DenyUsers ada-b"/],
      ['-t', /sshd -t: Bad configuration/],
    ] as const) {
      const script: Script = (argv, options) =>
        argv[0] === 'sshd' && argv[1] === verb
          ? { code: verb === '-t' ? 255 : 0, stderr: 'Bad configuration', stdout: 'permittty yes\n' }
          : on.script(argv, options)
      const kind = open({ ...on, script }, (thing) => thing)
      await assert.rejects(
        kind.act(argsOf('none'), { before: { was: null }, isJustObserved: true } as never),
        message,
      )
      await on.files.remove(dropInOf('ada-b'))
      assert.deepEqual(await on.files.list('/etc/ssh/sshd_config.d'), [])
    }
  })
})
