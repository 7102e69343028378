import type { Host } from '../harness/index.ts'
import { programImages } from './catalog-programs.ts'
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

/** Ends an import or a push that hangs. */
const limitMs = 300_000

/** A root file system of programs of the host with their libraries, and busybox. */
const script = `
set -e
cd / # where each user may be
root=$(mktemp -d)
chmod 755 $root
mkdir -p $root/bin $root/etc/nginx $root/tmp $root/run $root/proc $root/sys $root/dev $root/data $root/var/log/nginx $root/var/lib/nginx $root/usr/share/nginx/html
chmod 1777 $root/tmp
cp /bin/busybox $root/bin/
chroot $root /bin/busybox --install -s /bin
echo root:x:0:0:root:/root:/bin/sh > $root/etc/passwd
echo root:x:0: > $root/etc/group
echo 'page of nginx' > $root/usr/share/nginx/html/index.html
echo 'user root; events {} http { server { listen 80; root /usr/share/nginx/html; } }' > $root/etc/nginx/nginx.conf
copy_libraries() {
  for library in $(ldd $1 2> /dev/null | grep -o '/[^ ]*'); do
    test -e $root$library && continue
    mkdir -p $root$(dirname $library)
    cp -L $library $root$library
  done
}
tag=$1
setup=$2
shift 2
while [ "$1" != -- ]; do
  case $1 in
  /*)
    mkdir -p $root$(dirname $1)
    cp -aL $1 $root$(dirname $1)/ || test -e $root$1 # a link of it may lead nowhere
    ;;
  *)
    program=$(command -v $1)
    rm -f $root/bin/$1
    cp -L $program $root/bin/$1
    copy_libraries $program
    ;;
  esac
  shift
done
shift
eval "$setup"
for each in $(find $root/usr/lib -name '*.so' -o -path '*/bin/*' -type f 2> /dev/null); do
  copy_libraries $each
done
tar -C $root -c . | docker import --change 'ENV PATH=/bin' "$@" - "$tag"
rm -rf $root
`

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
  await pushPrograms(host, 'small')
  for (const [name, changes] of Object.entries(pages)) {
    await importBusybox(host, tagOf(name), changes)
    await push(host, name)
  }
}

/** Pushes the databases, and the web applications that use them. */
export async function pushLargeImages(host: Host): Promise<void> {
  await startOpenRegistry(host)
  await pushPrograms(host, 'large')
}

async function pushPrograms(host: Host, size: keyof typeof programImages): Promise<void> {
  for (const [name, { programs, setup = '', changes }] of Object.entries(programImages[size])) {
    const options = changes.flatMap((line) => ['--change', line])
    const made = ['bash', '-c', script, 'import', tagOf(name), setup, ...programs, '--', ...options] as const
    await host.must(made, { timeoutMs: limitMs })
    await push(host, name)
  }
}

/** An official image is in the repository `library`. */
const tagOf = (name: string): string => `${registry}/${name.includes('/') ? '' : 'library/'}${name}`

async function push(host: Host, name: string): Promise<void> {
  await host.must(['docker', 'push', '--quiet', tagOf(name)], { timeoutMs: limitMs })
  await host.must(['docker', 'rmi', tagOf(name)])
}
