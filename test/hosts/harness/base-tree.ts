import { readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../../src/host/run.ts'
import { repositoryPathInHost } from './deb-repository.ts'
import { insideTree, stepTimeoutMs } from './install-packages.ts'
import { must } from './outer.ts'

// Units that wait for hardware or ask a console, neither of which a container has.
const masked = [
  'systemd-firstboot.service',
  'console-getty.service',
  'getty@tty1.service',
  'systemd-networkd.service',
  'systemd-modules-load.service',
  'sys-kernel-debug.mount',
  'sys-kernel-tracing.mount',
  'dev-hugepages.mount',
  'e2scrub_reap.service',
]

/** Turns an installed tree into a quiet base: nothing starts unless a test starts it, and packages come from the host's own repository. */
export async function finishTree(root: string, packagesPath: string): Promise<void> {
  await disableUnits(root)
  await disableInitScripts(root)
  await rm(join(root, 'etc/resolv.conf'), { force: true })
  await truncate(join(root, 'etc/machine-id'), 0)
  await writeFile(join(root, 'etc/apt/sources.list'), `deb [trusted=yes] file:${repositoryPathInHost} ./\n`)
  await rm(join(root, 'var/lib/apt/lists'), { recursive: true, force: true })
  const repository = ['--ro-bind', packagesPath, repositoryPathInHost]
  await must(insideTree(root, ['apt-get', '-q', 'update'], repository), { timeoutMs: stepTimeoutMs })
}

async function disableUnits(root: string): Promise<void> {
  for (const unit of await wantedUnits(join(root, 'etc/systemd/system')))
    await run(['systemctl', `--root=${root}`, 'disable', unit])
  await must(['systemctl', `--root=${root}`, 'enable', 'dbus.socket'])
  await must(['systemctl', `--root=${root}`, 'mask', ...masked])
}

async function wantedUnits(folder: string): Promise<string[]> {
  const wants = (await readdir(folder)).filter((name) => name.endsWith('.wants'))
  const units = await Promise.all(wants.map((name) => readdir(join(folder, name))))
  return [...new Set(units.flat())].filter((name) => /\.(service|timer|socket|path)$/.test(name))
}

async function disableInitScripts(root: string): Promise<void> {
  const links = await readdir(join(root, 'etc/rc2.d'))
  const scripts = links.filter((name) => /^S\d\d/.test(name)).map((name) => name.slice(3))
  for (const script of scripts) await must(['chroot', root, '/usr/sbin/update-rc.d', script, 'disable'])
}
