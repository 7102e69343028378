import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import type { ContentEncoding } from '../surfaces/http/content-encoding.ts'
import type { Asset } from '../surfaces/http/web-panel.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
const extensions: Readonly<Record<ContentEncoding, string>> = { br: '.br', gzip: '.gz' }

/** Lists the built files of the web panel by URL path; a compressed form lies beside its file. Read once: the files never change while the panel runs. */
export function readAssets(directory: string): ReadonlyMap<string, Asset> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const present = new Set(names)
  const assets = names
    .filter((name) => extname(name) in types && name !== 'index.html')
    .map((name): [string, Asset] => [`/${name}`, assetOf(`${directory}/${name}`, name, present)])
  return new Map(assets)
}

function assetOf(file: string, name: string, present: ReadonlySet<string>): Asset {
  const isImmutable = name.startsWith('assets/') // their names contain a digest
  const encodings = (['br', 'gzip'] as const).filter((each) => present.has(name + extensions[each]))
  return {
    type: types[extname(name)]!,
    etag: isImmutable
      ? undefined
      : `"${createHash('sha256').update(readFileSync(file)).digest('base64url')}"`,
    encodings,
    open: (encoding) => {
      const path = encoding === undefined ? file : file + extensions[encoding]
      return { stream: createReadStream(path), sizeBytes: statSync(path).size }
    },
  }
}
