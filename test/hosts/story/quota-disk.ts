import { existsSync, readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { debPackage } from '../harness/index.ts'
import type { Host } from '../harness/index.ts'

/** The reason why no disk with a quota can be created here; false if one can. */
export function whyWithoutQuota(): string | false {
  if (!readFileSync('/proc/filesystems', 'utf8').includes('\tbtrfs\n')) return 'this kernel has no btrfs'
  return existsSync('/dev/loop-control') ? false : 'this kernel has no loop devices'
}

/**
 * Replaces a user's home by one on btrfs with a quota of `limit` (such as `24M`); it is removed with the
 * host.
 */
export async function mountQuotaHome(host: Host, username: string, limit: string): Promise<void> {
  for (const name of ['btrfs-progs', 'liblzo2-2'] as const) {
    await copyFile(await debPackage(name), join(host.rootPath, 'root', `${name}.deb`))
    await host.must(['dpkg-deb', '-x', `/root/${name}.deb`, '/root/btrfs'])
  }
  const lines = [
    'export PATH=/root/btrfs/bin:/root/btrfs/sbin:$PATH LD_LIBRARY_PATH=/root/btrfs/lib/$(uname -m)-linux-gnu',
    'mknod /dev/loop-control c 10 237; for i in 0 1 2 3 4 5 6 7; do mknod /dev/loop$i b 7 $i; done',
    'truncate -s 256M /root/disk && mkfs.btrfs -q /root/disk',
    'mkdir /root/all && mount -o loop /root/disk /root/all && btrfs quota enable /root/all',
    `btrfs subvolume create /root/all/home && btrfs qgroup limit ${limit} /root/all/home`,
    `chown ${username}:${username} /root/all/home && mount --bind /root/all/home /home/${username}`,
  ]
  await host.must(['sh', '-e', '-c', lines.join('\n')])
}
