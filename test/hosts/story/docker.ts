import { bootHost, poll } from '../harness/index.ts'
import type { Host, HostOptions } from '../harness/index.ts'

/** The image that `bootDocker` makes: the busybox of the host, with a shell, a web server and clients. */
export const busybox = 'busybox:1.35'
/** The registry that `startRegistry` starts, which the engine trusts without TLS as it is on loopback. */
export const registry = '127.0.0.1:5000'

/** Boots a host on which Docker Engine runs, with the image `busybox:1.35`. Its data are in memory: overlay2 refuses an overlay. */
export async function bootDocker(name: string, options: Omit<HostOptions, 'image'> = {}): Promise<Host> {
  const host = await bootHost(name, { ...options, image: 'docker' })
  try {
    await startEngine(host)
    await importBusybox(host, busybox)
  } catch (error) {
    await host.remove()
    throw error
  }
  return host
}

/** Starts the engine of a host of the image `docker`. */
export async function startEngine(host: Host): Promise<void> {
  await host.must(['mkdir', '-p', '/var/lib/docker'])
  await host.must(['mount', '-t', 'tmpfs', '-o', 'size=1g', 'tmpfs', '/var/lib/docker'])
  await host.must(['systemctl', 'start', 'docker'])
}

/** The root file system of an image of busybox; `/etc/image-version` tells its tags apart. */
const script = `
set -e
root=$(mktemp -d)
mkdir -p $root/bin $root/etc $root/tmp $root/proc $root/sys $root/dev $root/root $root/www $root/data
cp /bin/busybox $root/bin/
chroot $root /bin/busybox --install -s /bin
echo root:x:0:0:root:/root:/bin/sh > $root/etc/passwd
echo root:x:0: > $root/etc/group
echo "$1" > $root/etc/image-version
echo "page of $1" > $root/www/index.html
shift
tag=$1
shift
tar -C $root -c . | docker import "$@" - "$tag"
rm -rf $root
`

/** Makes an image of the host's busybox; `changes` are lines of a Dockerfile, such as `VOLUME /data`. */
export async function importBusybox(host: Host, tag: string, changes: readonly string[] = []): Promise<void> {
  const lines = [
    'ENV PATH=/bin',
    'CMD ["sh","-c","trap exit TERM; httpd -f -p 80 -h /www & wait"]',
    ...changes,
  ]
  const options = lines.flatMap((line) => ['--change', line])
  await host.must(['bash', '-c', script, 'import', tag, tag, ...options])
}

/** The registry that `startPrivateRegistry` starts. */
export const privateRegistry = '127.0.0.1:5001'

interface Account {
  readonly username: string
  readonly password: string
}

/** Starts a second registry, which has the images of the first one, and hands them out to one account alone. */
export async function startPrivateRegistry(host: Host, { username, password }: Account): Promise<void> {
  const folder = '/etc/docker/registry'
  const hashing = 'echo password_hash(trim(fgets(STDIN)), PASSWORD_BCRYPT);'
  const { stdout: hash } = await host.must(['php8.2', '-r', hashing], { input: `${password}\n` })
  await host.must(['tee', `${folder}/accounts`], { input: `${username}:${hash.trim()}\n` })
  const config = `version: 0.1
storage: { filesystem: { rootdirectory: /var/lib/docker-registry } }
http: { addr: '${privateRegistry}' }
auth: { htpasswd: { realm: private, path: ${folder}/accounts } }
`
  await host.must(['tee', `${folder}/private.yml`], { input: config })
  const serve = ['docker-registry', 'serve', `${folder}/private.yml`] as const
  await host.must(['systemd-run', '--quiet', '--unit=private-registry', ...serve])
  await poll('the private registry to ask for a password', 60_000, async () => {
    const asked = [
      'curl',
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      `http://${privateRegistry}/v2/`,
    ] as const
    return (await host.exec(asked)).stdout === '401' ? true : undefined
  })
}

/** Starts a registry on loopback, and pushes images of busybox to it under these names; the engine does not keep them. */
export async function startRegistry(host: Host, names: readonly string[]): Promise<void> {
  const config = await host.must(['cat', '/etc/docker/registry/config.yml'])
  const open = config.stdout.replace(/^auth:\n(?: .*\n)*/m, '') // Debian asks for a password
  await host.must(['tee', '/etc/docker/registry/config.yml'], { input: open })
  await host.must(['systemctl', 'start', 'docker-registry'])
  await poll('the registry to answer', 60_000, async () => {
    const { code } = await host.exec(['curl', '-sf', `http://${registry}/v2/`])
    return code === 0 ? true : undefined
  })
  for (const name of names) {
    const tag = `${registry}/${name}`
    await importBusybox(host, tag)
    await host.must(['docker', 'push', '--quiet', tag])
    await host.must(['docker', 'rmi', tag])
  }
}
