import { existsSync } from 'node:fs'

/** The programs that the tests in homes and the tests with real programs run, by their Debian packages. */
const packages: Readonly<Record<string, readonly string[]>> = {
  acl: ['setfacl'],
  apache2: ['apache2', 'apache2ctl'],
  attr: ['setfattr'],
  bubblewrap: ['bwrap'],
  bzip2: ['bzip2'],
  e2fsprogs: ['chattr', 'mkfs.ext4'],
  git: ['git'],
  haproxy: ['haproxy'],
  mount: ['mount'],
  'nginx-light': ['nginx'],
  'openssh-client': ['ssh', 'ssh-keygen'],
  'openssh-server': ['sshd'],
  openssl: ['openssl'],
  patch: ['patch'],
  '7zip': ['7zz'],
  ripgrep: ['rg'],
  unzip: ['unzip'],
  'util-linux': ['setpriv', 'unshare'],
  'xz-utils': ['xz'],
  zip: ['zip'],
  zstd: ['zstd'],
}

const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** Returns the Debian packages whose programs are missing on this machine. */
export function missingPackages(): readonly string[] {
  const isThere = (program: string) => folders.some((folder) => existsSync(`${folder}/${program}`))
  return Object.keys(packages).filter((name) => !packages[name]?.every(isThere))
}
