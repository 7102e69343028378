import Type from 'typebox'
import { Check } from 'typebox/value'
import type { Host } from '../../host/index.ts'
import { prefixes } from './layout.ts'

/** PM2 on a host, and the Node.js that runs it. */
export interface Pm2Program {
  readonly version: string
  readonly path: string
  readonly node: string
}

const Manifest = Type.Object({ version: Type.String({ maxLength: 50, pattern: '^[0-9A-Za-z.+-]+$' }) })

/** Finds PM2 without running it, as any of its commands may start its daemon; undefined if there is none. */
export async function findProgram({ files }: Pick<Host, 'files'>): Promise<Pm2Program | undefined> {
  for (const prefix of prefixes) {
    const folder = `${prefix}/lib/node_modules/pm2`
    const manifest = jsonOf(await files.read(`${folder}/package.json`))
    if (!Check(Manifest, manifest)) continue
    const own = `${prefix}/bin/node`
    const node = (await files.facts(own)) === undefined ? process.execPath : own
    return { version: manifest.version, path: `${folder}/bin/pm2`, node }
  }
  return undefined
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
