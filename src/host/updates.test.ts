import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Problem } from '../core/problem.ts'
import { openPackages } from './packages.ts'
import { missing, scriptedRun, type Script } from './testing/scripted-run.ts'
import { scriptUpdates } from './testing/scripted-updates.ts'
import { parseInstalled } from './updates.ts'

// apt 2.6.2 on Debian 12
const simulated = `Reading package lists...
Building dependency tree...
Reading state information...
Calculating upgrade...
The following packages will be upgraded:
  base-files libexpat1 libexpat1-dev libpam-modules-bin login python3-jwt
104 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.
Inst base-files [12.4+deb12u11] (12.4+deb12u15 Debian:12.15/oldstable [amd64])
Conf base-files (12.4+deb12u15 Debian:12.15/oldstable [amd64])
Inst login [1:4.13+dfsg1-1+deb12u1] (1:4.13+dfsg1-1+deb12u2 Debian:12.15/oldstable [amd64])
Inst libpam-modules-bin [1.5.2-6+deb12u1] (1.5.2-6+deb12u2 Debian:12.15/oldstable [amd64]) [libpam-modules:amd64 on libpam-modules-bin:amd64] [libpam-modules:amd64 ]
Inst libexpat1-dev [2.5.0-1+deb12u1] (2.5.0-1+deb12u5 Debian-Security:12/oldstable-security [amd64]) []
Inst python3-jwt [2.6.0-1] (2.6.0-1+deb12u1 Debian:12.15/oldstable, Debian-Security:12/oldstable-security [all])
Inst hr-dep (1:0.5 localhost [all])
Conf hr-dep (1:0.5 localhost [all])
`

test('parses the packages that a simulation installs, with their archives, and finds the security updates', () => {
  assert.deepEqual(
    parseInstalled(simulated).map(({ name, current, candidate, sources, isSecurity }) => [
      name,
      current,
      candidate,
      sources.join('|'),
      isSecurity,
    ]),
    [
      ['base-files', '12.4+deb12u11', '12.4+deb12u15', 'Debian:12.15/oldstable', false],
      ['login', '1:4.13+dfsg1-1+deb12u1', '1:4.13+dfsg1-1+deb12u2', 'Debian:12.15/oldstable', false],
      ['libpam-modules-bin', '1.5.2-6+deb12u1', '1.5.2-6+deb12u2', 'Debian:12.15/oldstable', false],
      ['libexpat1-dev', '2.5.0-1+deb12u1', '2.5.0-1+deb12u5', 'Debian-Security:12/oldstable-security', true],
      [
        'python3-jwt',
        '2.6.0-1',
        '2.6.0-1+deb12u1',
        'Debian:12.15/oldstable|Debian-Security:12/oldstable-security',
        true,
      ],
      ['hr-dep', null, '1:0.5', 'localhost', false],
    ],
  )
  assert.deepEqual(parseInstalled('0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.\n'), [])
})

describe('the updates of a host', () => {
  const held = { installed: '1', candidate: '2', isHeld: true }
  const keptBack = { installed: '1', candidate: '2', isKeptBack: true }
  const open = (...scripts: readonly Script[]) => {
    const scripted = scriptedRun(...scripts)
    return { packages: openPackages(scripted.run), commands: scripted.commands }
  }

  test('say which packages are on hold, and which apt keeps back', async () => {
    const installed = new Map(
      Object.entries({ held, 'kept-back': keptBack, plain: { installed: '1', candidate: '2' } }),
    )
    const { packages } = open(scriptUpdates(installed))
    assert.deepEqual(
      (await packages.updates()).map(({ name, isHeld, isKeptBack }) => [name, isHeld, isKeptBack]),
      [
        ['held', true, false],
        ['kept-back', false, true],
        ['plain', false, false],
      ],
    )
  })

  test('cannot be determined where apt fails: its message is reported', async () => {
    const broken: Script = () => ({ code: 100, stderr: 'E: Unmet dependencies.' })
    await assert.rejects(open(broken).packages.updates(), (error: Problem) => {
      assert.deepEqual([error.kind.code, error.message], ['updates_unknown', 'E: Unmet dependencies.'])
      return true
    })
    const { packages } = open(missing('apt-get'), missing('apt-mark'))
    await assert.rejects(packages.updates(), (error: Problem) => error.kind.code === 'unavailable')
  })

  test('are installed without prompts, removals or packages that were not there, and keep edited files', async () => {
    const lasting: boolean[] = []
    const seen: Script = (argv, { isLasting = false }) => {
      if (argv.includes('--only-upgrade')) lasting.push(isLasting)
      return argv[0] === 'apt-get' && argv[1] === '--version' ? { stdout: 'apt 2.6.1 (amd64)\n' } : undefined
    }
    const plain = { installed: '1', candidate: '2' }
    const { packages, commands } = open(seen, scriptUpdates(new Map([['libc6:i386', plain]])))
    await packages.upgrade(['libc6:i386'])
    assert.equal(plain.installed, '2')
    const last = commands.at(-1)!
    for (const option of [
      '--no-remove',
      '--only-upgrade',
      'Dpkg::Options::=--force-confold',
      'DPkg::Lock::Timeout=120',
    ])
      assert.ok(last.includes(option), option)
    assert.deepEqual(
      [last.slice(-2), lasting],
      [
        ['--', 'libc6:i386'],
        [false, true],
      ],
    )
    await assert.rejects(async () => packages.upgrade(['-o']), /not the name of a package/)
  })

  test('have lists whose failed download is a failure', async () => {
    const output: string[] = []
    const apt: Script = (argv) =>
      argv[1] === '--version'
        ? { stdout: 'apt 2.6.1 (amd64)\n' }
        : {
            code: 100,
            stdout: 'Err:1 http://deb.example bookworm\n',
            stderr: 'E: Failed to fetch http://deb.example',
          }
    const { packages, commands } = open(apt)
    await assert.rejects(
      packages.refresh({ onLine: (line) => output.push(line) }),
      (error: Problem) => error.kind.code === 'refresh_failed' && /Failed to fetch/.test(error.message),
    )
    assert.ok(commands.at(-1)!.includes('APT::Update::Error-Mode=any'))
    assert.deepEqual(output, ['Err:1 http://deb.example bookworm'])
  })
})
