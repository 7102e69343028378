import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../host/files.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import { openCertificate } from './certificate.ts'

interface Pair {
  readonly cert: string
  readonly key: string
}

interface Machine {
  readonly files: Files
  /** The pairs by the name under which the test shows them. */
  readonly pairs: Readonly<Record<'former' | 'wanted', Pair>>
}

const certPath = '/data/tls/panel.crt'
const keyPath = '/data/tls/panel.key'

proveStep<Machine>('mcp.replace-certificate', {
  machine: async (t) => {
    const files = openFiles(scratchRoot(t))
    const make = (name: string) => createSelfSigned(name, [{ type: 'dns', value: name }], new Date())
    const pairs = { former: await make('former.example.com'), wanted: await make('wanted.example.com') }
    await files.makeDirectory('/data')
    await files.makeDirectory('/data/tls')
    await files.write(certPath, pairs.former.cert)
    await files.write(keyPath, pairs.former.key)
    return { files, pairs }
  },
  open: ({ files }, door) => openCertificate(door(files), { dataDir: '/data' }).replace,
  look: async ({ files, pairs }) => {
    const nameOf = (text: string | undefined, part: keyof Pair) =>
      Object.entries(pairs).find(([, pair]) => pair[part] === text)?.[0] ?? text
    return {
      cert: nameOf(await files.read(certPath), 'cert'),
      key: nameOf(await files.read(keyPath), 'key'),
    }
  },
  cases: {
    'another pair': {
      args: ({ pairs }) => pairs.wanted,
      wanted: { cert: 'wanted', key: 'wanted' },
      handEdit: ({ files }) => files.write(certPath, 'edited'),
    },
  },
})
