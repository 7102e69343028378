import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../../src/host/run.ts'
import { must } from './outer.ts'
import { unmountBelow } from './test-run.ts'

/** The disk of one host: its image as the lower layer, the host's writes as the upper one. */
export interface Disk {
  readonly rootPath: string
  remove(): Promise<void>
}

/** Clones an image for one host; with `memoryDisk` (a size such as `64m`) what the host may write is limited to that. */
export async function makeDisk(
  folder: string,
  layers: readonly string[],
  name: string,
  memoryDisk?: string,
): Promise<Disk> {
  const rootPath = join(folder, 'root')
  const written = join(folder, 'disk')
  await mkdir(rootPath, { recursive: true })
  await mkdir(written)
  if (memoryDisk !== undefined)
    await must(['mount', '-t', 'tmpfs', '-o', `mode=755,size=${memoryDisk}`, 'tmpfs', written])
  await mkdir(join(written, 'upper'))
  await mkdir(join(written, 'work'))
  // volatile: no fsync reaches the machine's disk. A power cut here ends processes, not the kernel, so nothing written is lost by it.
  const options = `lowerdir=${layers.join(':')},upperdir=${join(written, 'upper')},workdir=${join(written, 'work')},volatile`
  await must(['mount', '-t', 'overlay', 'overlay', '-o', options, rootPath])
  await nameHost(rootPath, name)
  return { rootPath, remove: () => removeDisk(folder) }
}

async function nameHost(rootPath: string, name: string): Promise<void> {
  await writeFile(join(rootPath, 'etc/hostname'), `${name}\n`)
  await writeFile(
    join(rootPath, 'etc/hosts'),
    `127.0.0.1 localhost\n127.0.1.1 ${name}.hosts.test ${name}\n::1 localhost ip6-localhost\n`,
  )
  await writeFile(join(rootPath, 'etc/resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n') // no name server: fail fast
}

async function removeDisk(folder: string): Promise<void> {
  await run(['chattr', '-R', '-f', '-i', '-a', join(folder, 'disk')], { timeoutMs: 60_000 }) // the host may have made files immutable
  await unmountBelow(folder)
  await rm(folder, { recursive: true, force: true })
}
