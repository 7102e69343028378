import { createHash } from 'node:crypto'
import { archiveOf } from '../../src/areas/selfupdate/testing/archive.ts'
import { version as serverVersion } from '../../src/tools/headscale/layout.ts'
import { innerDirectory } from '../../src/tools/tailscale/layout.ts'
import { architectureHere } from '../../src/tools/tailscale/program.ts'
import type { Layout } from './phpmyadmin.ts'

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** An archive in the layout of tailscale, with texts in the places of its programs. */
export function tailscaleArchive(): Buffer {
  const inner = innerDirectory(architectureHere())
  return archiveOf([
    { name: `${inner}/tailscale`, text: 'client' },
    { name: `${inner}/tailscaled`, text: 'daemon' },
  ])
}

/** What a source of headscale and tailscale serves, by path. */
export function meshLayout(
  program: Buffer = Buffer.from('a control server'),
  archive: Buffer = tailscaleArchive(),
): Layout {
  const file = `headscale_${serverVersion}_linux_${architectureHere()}`
  const name = `${innerDirectory(architectureHere())}.tgz`
  return new Map<string, string | Buffer>([
    [`v${serverVersion}/checksums.txt`, `${'0'.repeat(64)}  other\n${digestOf(program)}  ${file}\n`],
    [`v${serverVersion}/${file}`, program],
    [name, archive],
    [`${name}.sha256`, `${digestOf(archive)}\n`],
  ])
}
