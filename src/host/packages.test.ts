import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../core/problem.ts'
import { openPackages } from './packages.ts'
import { scriptPackages } from './testing/scripted-host.ts'
import { missing, on, scriptedRun, type Script } from './testing/scripted-run.ts'

test('installs with apt-get without recommendations or prompts, and reports its phases', async () => {
  const installed = new Map<string, string>()
  const scripted = scriptedRun(scriptPackages(installed, { nginx: '1.22.1-9' }))
  const packages = openPackages(scripted.run)
  const phases: string[] = []
  await packages.install(['nginx'], { onProgress: ({ phase }) => phases.push(phase) })
  assert.deepEqual(phases, ['lists', 'download', 'install'])
  assert.equal(await packages.version('nginx'), '1.22.1-9')
  const last = scripted.commands.findLast((argv) => argv[0] === 'apt-get')!
  assert.ok(
    last.includes('--no-install-recommends') &&
      last.includes('DPkg::Lock::Timeout=120') &&
      last.at(-2) === '--',
  )
})

test("reports apt's message when a package cannot be installed", async () => {
  const packages = openPackages(scriptedRun(scriptPackages(new Map())).run)
  await assert.rejects(packages.install(['nothing']), { message: 'E: Unable to locate package nothing' })
  assert.equal(await packages.version('nothing'), undefined)
})

test('runs one installation at a time, the second even if the first fails', async () => {
  const installed = new Map<string, string>()
  const scripted = scriptedRun(scriptPackages(installed, { b: '1' }))
  const packages = openPackages(scripted.run)
  const [first, second] = await Promise.allSettled([packages.install(['a']), packages.install(['b'])])
  assert.deepEqual([first.status, second.status], ['rejected', 'fulfilled'])
  const targets = scripted.commands.filter((argv) => argv.includes('install')).map((argv) => argv.at(-1))
  assert.deepEqual(targets, ['a', 'b', 'b'])
})

test('completes an installation that a power failure interrupted, and continues', async () => {
  let isBroken = true
  const interrupted: Script = (argv) => {
    if (argv[0] === 'dpkg') isBroken = false
    if (argv[0] === 'dpkg') return {}
    const isProper = argv.includes('install') && !argv.includes('--download-only')
    return isProper && isBroken
      ? { code: 100, stderr: "E: dpkg was interrupted, you must manually run 'dpkg --configure -a'" }
      : undefined
  }
  const installed = new Map<string, string>()
  await openPackages(scriptedRun(interrupted, scriptPackages(installed, { nginx: '1' })).run).install([
    'nginx',
  ])
  assert.equal(installed.get('nginx'), '1')
})

test('unpacks a package again whose unpacking was broken off, which dpkg passes over', async () => {
  let status = 'half-installed'
  const interrupted: Script = (argv) => {
    if (argv[0] === 'dpkg-query') return { stdout: `installed tzdata\n${status} libshop\n` }
    if (argv[0] === 'apt-mark' && argv[1] === 'showauto') return { stdout: 'tzdata\nlibshop\n' }
    if (argv.includes('--reinstall') && argv.at(-1) === 'libshop') status = 'installed'
    return {}
  }
  const scripted = scriptedRun(interrupted)
  const packages = openPackages(scripted.run)
  assert.deepEqual(await packages.installed(), ['tzdata'])
  await packages.finish()
  assert.deepEqual(await packages.installed(), ['libshop', 'tzdata'])
  assert.deepEqual(scripted.commands.at(-2), ['apt-mark', 'auto', '--', 'libshop'])
  const before = scripted.commands.length
  await packages.finish()
  assert.deepEqual(
    scripted.commands.slice(before).map(([program]) => program),
    ['dpkg', 'dpkg-query'],
  )
})

test('installs nothing in the place of other packages', async () => {
  const scripted = scriptedRun(scriptPackages(new Map(), { nginx: '1' }))
  await openPackages(scripted.run).install(['nginx'])
  const installing = scripted.commands.filter((argv) => argv.includes('install'))
  assert.equal(installing.length, 2)
  assert.ok(installing.every((argv) => argv.includes('--no-remove')))
})

test('stops before the installation proper when cancelled', async () => {
  const installed = new Map<string, string>()
  const controller = new AbortController()
  const packages = openPackages(scriptedRun(scriptPackages(installed, { nginx: '1' })).run)
  const onProgress = ({ phase }: { phase: string }) => phase === 'download' && controller.abort()
  await assert.rejects(packages.install(['nginx'], { onProgress, signal: controller.signal }), /cancelled/)
  assert.equal(installed.size, 0)
})

test('removes installed packages, keeps their configuration, and reports its phases', async () => {
  const installed = new Map([['haproxy', '2.6.12']])
  const scripted = scriptedRun(scriptPackages(installed))
  const lines: string[] = []
  await openPackages(scripted.run).remove(['haproxy', 'gone'], { onProgress: (line) => lines.push(line) })
  assert.deepEqual(lines, ['Checking which packages depend on haproxy', 'Removing haproxy'])
  assert.equal(installed.size, 0)
  const last = scripted.commands.at(-1)!
  assert.deepEqual(last.slice(-3), ['remove', '--', 'haproxy'])
  assert.ok(last.includes('DPkg::Lock::Timeout=120') && !last.includes('--purge'))
})

test('refuses a removal that would remove other packages, and names them', async () => {
  const installed = new Map([['haproxy', '2.6.12']])
  const along: Script = (argv) =>
    argv.includes('--simulate') ? { stdout: 'Remv hatop [0.8]\nRemv haproxy [2.6.12]\n' } : undefined
  const packages = openPackages(scriptedRun(along, scriptPackages(installed)).run)
  await assert.rejects(packages.remove(['haproxy']), {
    message: 'hatop would be removed too, as they need haproxy',
  })
  assert.equal(installed.size, 1)
})

test("reports apt's message when a removal fails, and stops when cancelled before it", async () => {
  const installed = new Map([['haproxy', '2.6.12']])
  const locked: Script = (argv) =>
    argv.includes('--simulate')
      ? { code: 100, stderr: 'E: Could not get lock /var/lib/dpkg/lock' }
      : undefined
  const refused = openPackages(scriptedRun(locked, scriptPackages(installed)).run)
  await assert.rejects(refused.remove(['haproxy']), { message: 'E: Could not get lock /var/lib/dpkg/lock' })
  const packages = openPackages(scriptedRun(scriptPackages(installed)).run)
  const controller = new AbortController()
  await assert.rejects(
    packages.remove(['haproxy'], { signal: controller.signal, onProgress: () => controller.abort() }),
    /cancelled/,
  )
  assert.equal(installed.size, 1)
})

test('recognises dnf and reports it as unsupported', async () => {
  const packages = openPackages(scriptedRun(missing('apt-get'), on('dnf --version')).run)
  assert.equal((await packages.detect()).kind, 'dnf')
  await assert.rejects(packages.install(['nginx']), (error: Problem) => error.kind.code === 'unavailable')
})

test('treats an apt-get that timed out as installed, and does not look for another package manager', async () => {
  const packages = openPackages(scriptedRun(on('apt-get --version', { code: 124 })).run)
  assert.deepEqual(await packages.detect(), {
    present: true,
    kind: 'apt',
    version: null,
    healthy: false,
    reason: 'apt-get --version failed with exit code 124',
  })
})

for (const name of ['-o', 'Nginx', 'a b', '', './x.deb', 'nginx/stable', 'nginx=1']) {
  test(`runs nothing for the name ${JSON.stringify(name)}`, async () => {
    const scripted = scriptedRun()
    await assert.rejects(
      async () => openPackages(scripted.run).install([name]),
      (error: Problem) => error.kind.code === 'bad_request',
    )
    assert.deepEqual(scripted.commands, [])
  })
}
