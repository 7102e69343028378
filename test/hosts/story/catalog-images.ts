import type { Host } from '../harness/index.ts'
import { importBusybox, registry } from './docker.ts'

/** Makes the engine ask the registry on loopback before the one of Docker; call it before the engine starts. */
export async function mirrorRegistry(host: Host): Promise<void> {
  const settings = JSON.stringify({ 'registry-mirrors': [`http://${registry}`] })
  await host.must([
    'bash',
    '-c',
    'mkdir -p /etc/docker; echo "$1" > /etc/docker/daemon.json',
    'mirror',
    settings,
  ])
}

/** A root file system of programs of the host with their libraries, and busybox. */
const script = `
set -e
root=$(mktemp -d)
mkdir -p $root/bin $root/etc/nginx $root/tmp $root/run $root/proc $root/sys $root/dev $root/data $root/var/log/nginx $root/var/lib/nginx $root/usr/share/nginx/html
cp /bin/busybox $root/bin/
chroot $root /bin/busybox --install -s /bin
echo root:x:0:0:root:/root:/bin/sh > $root/etc/passwd
echo root:x:0: > $root/etc/group
echo 'page of nginx' > $root/usr/share/nginx/html/index.html
echo 'user root; events {} http { server { listen 80; root /usr/share/nginx/html; } }' > $root/etc/nginx/nginx.conf
tag=$1
shift
while [ "$1" != -- ]; do
  program=$(command -v "$1")
  rm -f $root/bin/$1
  cp -L $program $root/bin/$1
  for library in $(ldd $program | grep -o '/[^ ]*'); do
    mkdir -p $root$(dirname $library)
    cp -L $library $root$library
  done
  shift
done
shift
tar -C $root -c . | docker import --change 'ENV PATH=/bin' "$@" - "$tag"
rm -rf $root
`

interface ProgramImage {
  readonly programs: readonly string[]
  readonly changes: readonly string[]
}

const programs: Readonly<Record<string, ProgramImage>> = {
  'nginx:1.27.5-alpine': {
    programs: ['nginx'],
    changes: ['CMD ["nginx","-g","daemon off;"]', 'VOLUME /usr/share/nginx/html'],
  },
  'redis:7.4.3-alpine': {
    programs: ['redis-server', 'redis-cli'],
    changes: ['CMD ["redis-server"]', 'WORKDIR /data', 'VOLUME /data'],
  },
  'memcached:1.6.38-alpine': {
    programs: ['memcached'],
    changes: ['CMD ["memcached"]', 'USER 65534'],
  },
}

/** Pages of busybox, where the program itself is not among the packages of Debian. */
const pages: Readonly<Record<string, readonly string[]>> = {
  'prom/prometheus:v3.3.0': [
    'CMD ["sh","-c","mkdir -p /w/-/healthy; echo prometheus > /w/-/healthy/index.html; exec httpd -f -p 9090 -h /w"]',
  ],
  'grafana/grafana:11.6.1': ['CMD ["sh","-c","echo out of order; exit 3"]'],
}

/** The registry of Debian asks for a password that nobody has set. */
async function startOpenRegistry(host: Host): Promise<void> {
  const settings = `version: 0.1
storage: { filesystem: { rootdirectory: /var/lib/docker-registry } }
http: { addr: '${registry}' }
`
  await host.must(['bash', '-c', 'echo "$1" > /etc/docker/registry/config.yml', 'registry', settings])
  await host.must(['systemctl', 'restart', 'docker-registry'])
  await host.must(['bash', '-c', `until curl -sf http://${registry}/v2/ > /dev/null; do sleep 0.1; done`])
}

/** Pushes images under the names of the catalog to the registry on loopback; the engine does not keep them. */
export async function pushCatalogImages(host: Host): Promise<void> {
  await startOpenRegistry(host)
  for (const [name, { programs: copied, changes }] of Object.entries(programs)) {
    const options = changes.flatMap((line) => ['--change', line])
    await host.must(['bash', '-c', script, 'import', tagOf(name), ...copied, '--', ...options])
    await push(host, name)
  }
  for (const [name, changes] of Object.entries(pages)) {
    await importBusybox(host, tagOf(name), changes)
    await push(host, name)
  }
}

/** An official image is in the repository `library`. */
const tagOf = (name: string): string => `${registry}/${name.includes('/') ? '' : 'library/'}${name}`

async function push(host: Host, name: string): Promise<void> {
  await host.must(['docker', 'push', '--quiet', tagOf(name)])
  await host.must(['docker', 'rmi', tagOf(name)])
}
