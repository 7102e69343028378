import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bootBare, bootHost } from '../harness/index.ts'
import type { Host, HttpRequest } from '../harness/index.ts'
import type { SignedIn } from './signed-in.ts'

/** The port at which a shop answers in plain HTTP. */
export const shopPort = 8080

/** Boots a host whose nginx answers every path with the host's name; /slow takes two seconds, and port 443 speaks TLS. */
export async function bootShop(name: string, address: string): Promise<Host> {
  const shop = await bootHost(name, { addresses: [`${address}/24`] })
  try {
    await shop.must([
      ...selfSigned,
      '-subj',
      `/CN=${name}`,
      '-keyout',
      '/etc/nginx/shop.key',
      '-out',
      '/etc/nginx/shop.crt',
    ])
    await shop.must(['dd', 'if=/dev/zero', 'of=/var/www/html/slow', 'bs=1k', 'count=60'])
    await writeFile(join(shop.rootPath, 'etc/nginx/conf.d/shop.conf'), shopConfiguration)
    await shop.must(['systemctl', 'start', 'nginx'])
    return shop
  } catch (error) {
    await shop.remove()
    throw error
  }
}

/** Boots a host that only sends requests to others. */
export function bootVisitor(address: string): Promise<Host> {
  return bootBare('visitor', { addresses: [`${address}/24`] })
}

/** Sends requests one at a time, each on its own connection; returns the number of replies with each text. */
export async function tally(
  visitor: Host,
  request: HttpRequest,
  visits = 20,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (let visit = 0; visit < visits; visit++) {
    const { status, text } = await visitor.request(request)
    const answer = status === 200 ? text.trim() : String(status)
    counts[answer] = (counts[answer] ?? 0) + 1
  }
  return counts
}

/** The panel's report on each server of a backend. */
export async function statusesOf(
  admin: SignedIn,
  backend: string,
): Promise<Readonly<Record<string, string>>> {
  const backends: { name: string; servers: { name: string; status: string }[] }[] = await admin.must(
    'GET',
    '/api/lbproxy/backends',
  )
  return Object.fromEntries(
    backends.find(({ name }) => name === backend)?.servers.map(({ name, status }) => [name, status]) ?? [],
  )
}

const selfSigned = [
  'openssl',
  'req',
  '-x509',
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:P-256',
  '-nodes',
  '-days',
  '30',
] as const

const shopConfiguration = `
server {
    listen ${shopPort};
    listen 443 ssl;
    ssl_certificate /etc/nginx/shop.crt;
    ssl_certificate_key /etc/nginx/shop.key;
    root /var/www/html;
    add_header X-Shop $hostname always;
    location / { return 200 "$hostname\\n"; }
    location = /secure { return 200 "$hostname $https\\n"; }
    location = /slow { limit_rate 30k; sendfile off; }
}
`
